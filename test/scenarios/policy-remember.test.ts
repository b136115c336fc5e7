import { expect } from 'vitest';
import type { ApprovalAnswer } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { destroying, played, reading, writing } from './calls-played.ts';
import { withHub } from './lifecycle-hub.ts';
import { openWorld, waitingCall, yes } from './policy-world.ts';

const LONG_MS = 40_000;

verifies(
  ['P4', 'P5'],
  'a yes may be remembered for the session, the tool, the reads or the arguments, and asks no more for just that',
  async () => {
    const folder = temporaryFolder();
    const storage = { kind: 'sqlite', file: `${folder}/plug.db` } as const;
    const notes = played(
      'notes',
      reading('get_a'),
      reading('get_b'),
      writing('create_a'),
      writing('create_b'),
      writing('create_c'),
      destroying(),
    );
    const asked: string[] = [];
    const answers: Record<string, Omit<ApprovalAnswer, 'argsHash'>> = {
      get_a: { effect: 'allow', remember: 'reads' },
      create_a: { effect: 'allow', remember: 'tool' },
      create_b: { effect: 'allow', remember: 'session' },
      create_c: { effect: 'allow', remember: 'arguments', pattern: { to: 'drafts/*' } },
    };
    const approve = ({ tool }: { readonly tool: string }): Promise<Omit<ApprovalAnswer, 'argsHash'>> => {
      asked.push(tool);
      return Promise.resolve(answers[tool] ?? { effect: 'allow' });
    };
    const options = { folder, storage, approve };
    const calls: readonly (readonly [string, object])[] = [
      ['get_a', {}],
      ['get_b', {}],
      ['create_a', {}],
      ['create_b', {}],
      ['create_c', { to: 'drafts/x' }],
      ['create_c', { to: 'sent/x' }],
      ['delete_note', {}],
    ];
    const callAll = async (hub: Parameters<typeof waitingCall>[0]): Promise<readonly string[]> => {
      for (const [tool, args] of calls) await hub.tools.call({ tool: `notes/${tool}`, args: { ...args } });
      return asked.splice(0);
    };
    await withHub(options, async ({ hub }) => {
      await hub.servers.add({ definition: notes.definition });
      expect(await callAll(hub)).toEqual([
        'get_a',
        'create_a',
        'create_b',
        'create_c',
        'create_c',
        'delete_note',
      ]);
      expect(await callAll(hub)).toEqual(['create_c', 'delete_note']);
      expect((await hub.grants.list()).every(({ source }) => source.startsWith('approval appr_'))).toBe(true);
    });
    await withHub(options, async ({ hub }) => {
      // The session has ended, and with it what was for the session.
      expect(await callAll(hub)).toEqual(['create_b', 'create_c', 'delete_note']);
    });
    expect(notes.calls()).toHaveLength(3 * calls.length);
  },
  LONG_MS,
);

verifies(
  ['P4', 'P5'],
  'what destroys cannot be remembered for ever',
  async () => {
    const { connect, ask, notes } = await openWorld([destroying()]);
    const person = connect('terminal');
    const { card, answer } = await ask(connect(), { id: 1 }, 'notes/delete_note');
    expect(card.offers).not.toContain('tool');
    for (const remember of ['tool', 'session', 'reads'] as const) {
      if (card.offers.includes(remember)) continue;
      const answered = person.approvals.answer({ id: card.id, ...yes(card), remember });
      await expect(answered).rejects.toMatchObject({ code: 'usage' });
    }
    await person.approvals.answer({ id: card.id, ...yes(card) });
    await answer;
    expect(notes.calls()).toHaveLength(1);
    expect(await person.grants.list()).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['P5', 'L6'],
  'a caller that goes away withdraws its question; one for which there is no room is refused and on record',
  async () => {
    const { connect, ask, notes } = await openWorld([writing()], { limits: { approvalsPerRequesterMax: 1 } });
    const [program, person] = [connect(), connect('terminal')];
    const stop = new AbortController();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const request = { tool: 'notes/create_note', approval: 'wait' } as const;
    const gone = program.tools.call(request, { signal: stop.signal, onApproval: resolve });
    const ended = expect(gone).rejects.toMatchObject({ code: 'cancelled' });
    await promise;
    await expect(program.tools.call(request)).rejects.toMatchObject({ code: 'unavailable' });
    stop.abort(new Error('withdrew it'));
    await ended;
    await expect.poll(() => person.approvals.list()).toEqual([]);
    const next = await ask(program);
    await person.approvals.answer({ id: next.card.id, ...yes(next.card) });
    await next.answer;
    expect(notes.calls()).toHaveLength(1);
    const { records } = await person.audit.query();
    expect(records.map(({ outcome, approval }) => `${outcome} ${approval?.outcome}`).toSorted()).toEqual([
      'cancelled withdrawn',
      'failed undefined',
      'ok allowed',
    ]);
  },
  LONG_MS,
);
