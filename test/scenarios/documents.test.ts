import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PlugError } from '../../src/base/errors.ts';
import type { Agent } from '../../src/hub/agent.ts';
import type { ChatRequest, Hub } from '../../src/hub/hub.ts';
import {
  calls,
  drop,
  slow,
  stall,
  startScriptedModel,
  text,
  type ScriptedModel,
} from '../models/scripted-model.ts';
import { QUICK } from '../models/agent-world.ts';
import { verifies } from '../requirements.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { destroying, reading, writing, type Played } from './calls-played.ts';
import { openWorld } from './policy-world.ts';
import { runOnHub, type Ran, type RunOptions } from './run-on-hub.ts';

interface World {
  readonly hub: Hub;
  readonly model: ScriptedModel;
  readonly notes: Played;
  readonly cwd: string;
  readonly run: (argv: readonly string[], options?: RunOptions) => Promise<Ran>;
  readonly write: (file: string, ...lines: readonly string[]) => void;
  readonly read: (file: string) => string;
}

/** A hub behind its socket, the server `notes`, a scripted model, and a folder for prompts. */
async function openDocuments(): Promise<World> {
  const cwd = temporaryFolder();
  const tools = [reading('get_note', { text: 'Milk, eggs.' }), writing(), destroying()];
  const openAgent = async (face: Hub): Promise<Agent> =>
    (await import('../../src/agent/open-agent.ts')).openAgent(face, { limits: QUICK });
  const { notes, connect } = await openWorld(tools, { openAgent });
  const hub = connect('terminal');
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  await hub.models.save({ name: 'fast', provider: 'compatible', model: 'scripted', url: model.url });
  return {
    hub,
    model,
    notes,
    cwd,
    run: (argv, options = {}) => runOnHub(hub, ['run', ...argv], { cwd, ...options }),
    write: (file, ...lines) => writeFileSync(join(cwd, file), lines.join('\n')),
    read: (file) => readFileSync(join(cwd, file), 'utf8'),
  };
}

const get = { name: 'notes__get_note', args: { id: 1 } };
const create = { name: 'notes__create_note', args: { title: 'Shopping' } };

verifies(
  ['U2'],
  'a prompt from a file is answered into a file, and a prompt on standard input on standard output',
  async () => {
    const { run, write, read, model, cwd } = await openDocuments();
    write('prompt.md', 'What is the answer?');
    model.answer(text('It is ', '**42**.'));
    const filed = await run(['prompt.md', '-o', 'answer.md']);
    expect(filed).toMatchObject({ code: 0, stdout: '' });
    expect(filed.stderr).toContain('✔ The answer is in answer.md.');
    expect(read('answer.md')).toBe('It is **42**.\n');
    expect(readdirSync(cwd).toSorted()).toEqual(['answer.md', 'prompt.md']);
    expect(JSON.stringify(model.requests[0]?.body)).toContain('What is the answer?');
    model.answer(text('It ', 'is 👩', '‍🚀 42.'));
    expect(await run(['-'], { input: 'And now?' })).toMatchObject({
      code: 0,
      stdout: 'It is 👩‍🚀 42.\n',
      stderr: '',
    });
  },
);

verifies(
  ['U2', 'P7'],
  'what was not allowed beforehand is refused, said with the command that grants it, and exit code 3',
  async () => {
    const { run, write, read, model, notes, hub } = await openDocuments();
    write('p.md', 'Write the list down.');
    model.answer(calls(get, create), text('I could not.'));
    const ran = await run(['p.md', '-o', 'a.md', '--yes-reads']);
    expect(ran.code).toBe(3);
    expect(notes.calls().map(({ name }) => name)).toEqual(['get_note']);
    expect(ran.stderr).toMatch(/✔ notes\/get_note completed/);
    expect(ran.stderr).toMatch(/Skipped, approval required:\n {2}notes\/create_note needs approval/);
    expect(ran.stderr).toMatch(/To allow it:\n {4}plug grants add notes\/create_note\n/);
    // The answer is there all the same, and the model was told.
    expect(read('a.md')).toBe('I could not.\n');
    expect(JSON.stringify(model.requests[1]?.body)).toContain('not granted for this run');
    expect(await hub.approvals.list()).toEqual([]);
    // Without the flag not even what reads runs, and the document says the same.
    model.answer(calls(get), text('No.'));
    const json = await run(['p.md', '--json']);
    expect(json.code).toBe(3);
    expect(JSON.parse(json.stdout)).toMatchObject({
      text: 'No.',
      end: 'done',
      refused: [{ code: 'approval_required', next: 'plug grants add notes/get_note', server: 'notes' }],
    });
    expect(notes.calls()).toHaveLength(1);
    // The command that was named is the one that helps.
    await hub.grants.add({ tool: 'notes/get_note' });
    model.answer(calls(get), text('Milk.'));
    expect(await run(['p.md'])).toMatchObject({ code: 0, stdout: 'Milk.\n' });
  },
);

verifies(
  ['U2', 'P7'],
  'a file cannot grant itself anything: its grants hold only for whoever accepts them',
  async () => {
    const { run, write, model, notes, hub } = await openDocuments();
    write(
      'p.md',
      '---',
      'model: fast',
      'servers: [notes]',
      'grants:',
      '  - tool: notes/create_note',
      '    args: { title: "Shop*" }',
      '---',
      'Write it down.',
    );
    const refused = await run(['p.md', '-o', 'a.md', '--yes-reads']);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toMatch(
      /p\.md requests grants, so nothing ran\.[^]*\n {2}│ notes\/create_note where title is Shop\*/,
    );
    expect(refused.stderr).toMatch(/plug run p\.md -o a\.md --yes-reads --accept-grants/);
    expect([model.requests, notes.calls()]).toEqual([[], []]);
    const other = { name: 'notes__create_note', args: { title: 'Other' } };
    model.answer(calls(create, other), text('One of two.'));
    const ran = await run(['p.md', '--accept-grants']);
    expect(ran).toMatchObject({ code: 3, stdout: 'One of two.\n' });
    expect(notes.calls().map(({ args }) => args)).toEqual([{ title: 'Shopping' }]);
    // Nothing of it is left behind.
    expect(await hub.grants.list()).toEqual([]);
  },
);

verifies(
  ['U2', 'P7'],
  'what destroys needs its own name in the grants, and reads alone do not cover it',
  async () => {
    const { run, write, model, notes } = await openDocuments();
    const remove = { name: 'notes__delete_note', args: { id: 1 } };
    write('reads.md', '---', 'grants: [notes]', '---', 'Go.');
    model.answer(calls(get, remove), text('Half.'));
    const half = await run(['reads.md', '--accept-grants']);
    expect([half.code, notes.calls().map(({ name }) => name)]).toEqual([3, ['get_note']]);
    expect(half.stderr).toContain('plug grants add notes/delete_note --once');
    write('named.md', '---', 'grants: [notes/delete_note]', '---', 'Go.');
    model.answer(calls(remove), text('Done.'));
    expect(await run(['named.md', '--accept-grants'])).toMatchObject({ code: 0 });
    expect(notes.calls().map(({ name }) => name)).toEqual(['get_note', 'delete_note']);
  },
);

verifies(['U2'], 'nobody is asked anything, also at a terminal', async () => {
  const { run, write, model } = await openDocuments();
  write('p.md', 'Write.');
  model.answer(calls(create), text('No.'));
  const ran = await run(['p.md'], { answers: ['y', 'y', 'y'] });
  expect(ran).toMatchObject({ code: 3, unused: ['y', 'y', 'y'] });
  expect(ran.stdout).toContain('No.\n');
});

verifies(['U2'], 'an answer that breaks off leaves the file as it was, with the cause', async () => {
  const { run, write, read, model } = await openDocuments();
  write('p.md', 'Tell.');
  write('a.md', 'the old answer');
  model.answer(drop(text('Once upon ', 'a time')));
  const cut = await run(['p.md', '-o', 'a.md']);
  expect(cut.code).toBe(1);
  expect(cut.stderr).toMatch(/✖ .*a\.md was not written\./);
  expect(read('a.md')).toBe('the old answer');
  // A part is said so, and is kept: the model itself ended it.
  model.answer({ ...text('Once upon a'), end: 'length' });
  const long = await run(['p.md', '-o', 'a.md']);
  expect(long.code).toBe(1);
  expect(long.stderr).toContain('The answer is incomplete.');
  expect(read('a.md')).toBe('Once upon a\n');
});

verifies(['U2'], 'Ctrl-C ends the run with 130, and what came so far is not written', async () => {
  const { run, write, read, model } = await openDocuments();
  write('p.md', 'Tell.');
  write('a.md', 'the old answer');
  const stop = new AbortController();
  model.answer(stall(text('Once upon ', 'a time ')));
  const running = run(['p.md', '-o', 'a.md'], { signal: stop.signal });
  await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBe(1);
  stop.abort(new Error('interrupted'));
  expect(await running).toMatchObject({ code: 130 });
  expect(read('a.md')).toBe('the old answer');
  await expect.poll(() => model.requests[0]?.gone()).toBe(true);
});

verifies(
  ['U2', 'P7'],
  'a model that is unknown, has no key, does not listen or was never set up is told apart, with exit codes 6 and 5',
  async () => {
    const { run, write, model, hub } = await openDocuments();
    write('p.md', 'Tell.');
    expect((await run(['p.md', '--model', 'fats'])).code).toBe(6);
    await hub.models.save({ name: 'gpt', provider: 'openai', model: 'x' });
    const keyless = await run(['p.md', '--model', 'gpt']);
    expect([keyless.code, keyless.stderr]).toEqual([5, expect.stringContaining('plug model add gpt --key')]);
    await model.close();
    const gone = await run(['p.md']);
    expect([gone.code, gone.stderr]).toEqual([5, expect.stringContaining('Nothing listens at 127.0.0.1')]);
    await hub.models.remove({ name: 'fast' });
    await hub.models.remove({ name: 'gpt' });
    const none = await run(['p.md']);
    expect([none.code, none.stderr]).toEqual([
      5,
      expect.stringMatching(/No model is set up yet[^]*plug model add/),
    ]);
  },
  60_000,
);

test('front matter chooses, the command line overrules it, and the answer can be slow', async () => {
  const { run, write, model, hub } = await openDocuments();
  await hub.models.save({ name: 'slow', provider: 'compatible', model: 'other', url: model.url });
  write('p.md', '---', 'model: slow', 'instructions: Rhyme.', '---', 'Go.');
  model.answer(slow(50, text('a')), text('b'));
  expect((await run(['p.md'])).stdout).toBe('a\n');
  expect((await run(['p.md', '--model', 'fast', '--servers', 'notes'])).stdout).toBe('b\n');
  expect(model.requests.map(({ body }) => body['model'])).toEqual(['other', 'scripted']);
  expect(JSON.stringify(model.requests[0]?.body)).toContain('Rhyme.');
});

test('a wrong file is told before anything runs', async () => {
  const { run, write, model } = await openDocuments();
  write('typo.md', '---', 'modle: fast', '---', 'Go.');
  const typo = await run(['typo.md']);
  expect([typo.code, typo.stderr]).toEqual([
    1,
    expect.stringMatching(/typo\.md:2: “modle” .*Did you mean mode or model/),
  ]);
  expect((await run(['absent.md'])).code).toBe(2);
  write('p.md', 'Go.');
  expect((await run(['p.md', '-o', 'p.md'])).stderr).toContain('it is the prompt itself');
  expect((await run(['p.md', '-o', 'nowhere/a.md'])).stderr).toContain('there is no folder nowhere');
  expect(model.requests).toEqual([]);
});

const LOST = [
  ['sign_in_needed', 'Sign in.', 4],
  ['start_failed', 'It does not start.', 5],
] as const;

for (const [code, message, exitCode] of LOST) {
  verifies(
    ['U2', 'P7'],
    `a server that was of no use to the end (${code}) is exit code ${exitCode}, and what the turn is asked for is what the file says`,
    async () => {
      const { hub, cwd, write } = await openDocuments();
      const asked: ChatRequest[] = [];
      const usage = { inputTokens: 1, outputTokens: 1, steps: 1, calls: 0 };
      // Played, so that the server fails in exactly this way.
      const turn: Hub['chat']['turn'] = (request, options) => {
        asked.push(request);
        const error = { code, message, owner: 'you', next: 'plug status notes' } as const;
        const call = { id: '1', tool: 'notes/get_note', durationMs: 3, text: '' };
        options?.onProgress?.({ kind: 'call-end', outcome: 'failed', ...call, error });
        options?.onProgress?.({ kind: 'text', text: 'a\u001b[2Jb' });
        return Promise.resolve({ messages: [], text: 'a', end: 'done', usage, refused: [] });
      };
      write('p.md', '---', 'servers: notes', 'mode: all', 'profile: work', '---', 'Go.');
      const ran = await runOnHub({ ...hub, chat: { ...hub.chat, turn } }, ['run', 'p.md'], { cwd });
      // No text drives the terminal.
      expect(ran).toMatchObject({ code: exitCode, stdout: 'a\\x1b[2Jb\n' });
      expect(ran.stderr).toContain(`✖ notes/get_note failed (3 ms): ${message} → plug status notes`);
      const messages = [{ role: 'user', content: 'Go.' }];
      expect(asked).toEqual([
        { messages, approval: 'wait', servers: ['notes'], mode: 'all', profile: 'work' },
      ]);
    },
  );
}

verifies(
  ['U2', 'P7'],
  'a call that somebody allows elsewhere meanwhile is not counted as refused',
  async () => {
    const { hub, cwd, write, model, notes } = await openDocuments();
    write('p.md', 'Write.');
    model.answer(calls(create), text('Written.'));
    // Somebody at another face, who is faster than the command itself.
    const first: Hub = {
      ...hub,
      approvals: {
        ...hub.approvals,
        answer: async (answer) => {
          const { id, argsHash } = answer;
          await hub.approvals.answer({ id, effect: 'allow', argsHash });
          return await hub.approvals.answer(answer);
        },
      },
    };
    expect(await runOnHub(first, ['run', 'p.md'], { cwd })).toMatchObject({ code: 0, stdout: 'Written.\n' });
    expect(notes.calls()).toHaveLength(1);
  },
);

test('a locked vault ends the run with the command that opens it, instead of with a question', async () => {
  const { hub, cwd, write } = await openDocuments();
  write('p.md', 'Go.');
  const locked = new PlugError('missing_input', 'The vault is locked.', {
    owner: 'you',
    remedy: { do: 'unlock-vault' },
    details: { source: 'passphrase' },
  });
  const played: Hub = { ...hub, chat: { ...hub.chat, turn: () => Promise.reject(locked) } };
  const ran = await runOnHub(played, ['run', 'p.md'], { cwd, answers: ['a phrase'] });
  expect(ran).toMatchObject({ code: 5, unused: ['a phrase'] });
  expect(ran.stderr).toMatch(/The vault is locked\.[^]*next +plug secrets unlock/);
});
