import { expect } from 'vitest';
import { PageLinks } from '../../src/api/page-door/links.ts';
import { ApprovalLinks } from '../../src/api/approval-page/links.ts';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { verifies } from '../requirements.ts';
import { played, reading, writing } from '../scenarios/calls-played.ts';
import { withHub } from '../scenarios/lifecycle-hub.ts';
import { openWorld } from '../scenarios/policy-world.ts';

const LONG_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

interface JumpingClock extends Clock {
  /** Somebody sets the clock of the machine; no time passes. */
  jump(ms: number): void;
  /** Time passes, by every clock. */
  pass(ms: number): void;
}

function jumpingClock(): JumpingClock {
  let [jumped, passed] = [0, 0];
  return {
    ...systemClock,
    now: () => systemClock.now() + jumped + passed,
    monotonic: () => systemClock.monotonic() + passed,
    jump: (ms) => (jumped += ms),
    pass: (ms) => (passed += ms),
  };
}

function tokenOf(url: string): string {
  return new URL(url).hash.replace('#open=', '');
}

verifies(
  ['attack:clock-jumps', 'W5'],
  'a link to the page is good for two minutes of real time, wherever the clock of the machine jumps',
  () => {
    const clock = jumpingClock();
    const links = new PageLinks(clock);
    const old = tokenOf(links.linkTo('http://127.0.0.1:1').url);
    clock.pass(3 * MINUTE_MS);
    clock.jump(-DAY_MS);
    expect(links.take(old)).toBe(false);
    const fresh = tokenOf(links.linkTo('http://127.0.0.1:1').url);
    clock.jump(DAY_MS);
    expect(links.take(fresh)).toBe(true);
    expect(links.take(fresh)).toBe(false);
  },
);

verifies(
  ['attack:clock-jumps', 'P3'],
  'a link to an approval is good for as long as its question waits',
  () => {
    const clock = jumpingClock();
    const links = new ApprovalLinks({ url: () => 'http://127.0.0.1:1', clock });
    const keyOf = (link: string | undefined): string => new URL(link ?? '').searchParams.get('key') ?? '';
    const key = keyOf(links.linkTo({ id: 'one', expiresAt: clock.now() + 5 * MINUTE_MS }));
    clock.jump(DAY_MS);
    expect(links.opens('one', key)).toBe(true);
    clock.jump(-2 * DAY_MS);
    clock.pass(6 * MINUTE_MS);
    expect(links.opens('one', key)).toBe(false);
  },
);

verifies(
  ['attack:clock-jumps', 'P3'],
  'a question that waits is neither answered nor ended by a jump of a day, forward or back',
  async () => {
    const clock = jumpingClock();
    const { connect, ask, notes } = await openWorld([writing()], { clock });
    const [caller, person] = [connect(), connect('terminal')];
    for (const jump of [DAY_MS, -2 * DAY_MS]) {
      const { card, answer } = await ask(caller, { title: String(jump) });
      clock.jump(jump);
      expect((await person.approvals.list()).map(({ id }) => id)).toEqual([card.id]);
      await person.approvals.answer({ id: card.id, effect: 'allow', argsHash: card.argsHash });
      await answer;
    }
    expect(notes.calls()).toHaveLength(2);
  },
  LONG_MS,
);

verifies(
  ['attack:clock-jumps', 'P4', 'C7'],
  'a grant with a date ends when the clock says so, and a server is not stopped as idle by a jump',
  async () => {
    const clock = jumpingClock();
    const notes = played('notes', writing(), reading());
    await withHub({ approve: 'nobody', clock }, async ({ hub }) => {
      await hub.servers.add({ definition: notes.definition });
      await hub.grants.add({ tool: 'notes/create_note', until: clock.now() + 60 * MINUTE_MS });
      const call = (): Promise<string> =>
        hub.tools.call({ tool: 'notes/create_note', args: {} }).then(
          () => 'ok',
          (error: { code: string }) => error.code,
        );
      expect(await call()).toBe('ok');
      const before = (await hub.servers.get({ id: 'notes' })).process?.pid;
      clock.jump(DAY_MS);
      expect(await call()).toBe('approval_required');
      expect((await hub.servers.get({ id: 'notes' })).process?.pid).toBe(before);
      // Once it was listed as over it is gone, and no clock brings it back.
      expect(await hub.grants.list()).toEqual([]);
      clock.jump(-DAY_MS);
      expect(await call()).toBe('approval_required');
    });
  },
  LONG_MS,
);
