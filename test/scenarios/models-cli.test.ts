import { expect, onTestFinished, test } from 'vitest';
import { startScriptedModel, text, type ScriptedModel } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { hubWithAgent, runOnHub } from './run-on-hub.ts';

const KEY = 'sk-live-4fT9wQ2zLx8Vb6Nm1Rc3';

async function newModel(models?: readonly string[], key?: string): Promise<ScriptedModel> {
  const model = await startScriptedModel({ ...(models ? { models } : {}), ...(key ? { key } : {}) });
  onTestFinished(() => model.close());
  return model;
}

verifies(['A1', 'U1'], 'without a model, the list says how to get one of each kind', async () => {
  const hub = await hubWithAgent();
  const { code, stdout } = await runOnHub(hub, ['model', 'list']);
  expect(code).toBe(0);
  expect(stdout.split('\n').filter((line) => line.includes('plug model add'))).toHaveLength(3);
  expect(stdout).toMatch(/ollama[^]*anthropic[^]*compatible --url/);
  const { stdout: json } = await runOnHub(hub, ['model', '--json']);
  expect(JSON.parse(json)).toMatchObject({ models: [], next: expect.any(Array) as unknown });
});

verifies(['A1', 'U1'], 'a model is added, tried, chosen and forgotten by commands alone', async () => {
  const hub = await hubWithAgent();
  const model = await newModel(undefined, KEY);
  const add = ['model', 'add', 'local', 'compatible', 'gemma3', '--url', model.url, '--key', '-'];
  const numbers = ['--price-in', '2', '--price-out', '10', '--context', '8000'];
  const added = await runOnHub(hub, [...add, ...numbers], { input: `${KEY}\n` });
  expect(added).toMatchObject({ code: 0, stderr: '' });
  expect(added.stdout).toContain(`✔ local is gemma3 at ${model.url}, its key saved in the vault.`);
  await runOnHub(hub, ['model', 'add', 'second', 'ollama', 'qwen', '--default']);
  const listed = await runOnHub(hub, ['model', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toEqual({
    models: [
      {
        name: 'local',
        provider: 'compatible',
        model: 'gemma3',
        url: model.url,
        contextTokens: 8000,
        price: { input: 2, output: 10 },
        isDefault: false,
        hasKey: true,
      },
      {
        name: 'second',
        provider: 'compatible',
        model: 'qwen',
        url: 'http://127.0.0.1:11434/v1',
        isDefault: true,
        hasKey: false,
      },
    ],
  });
  expect((await runOnHub(hub, ['model', 'use', 'local'])).stdout).toContain('local is now the default model');
  const table = (await runOnHub(hub, ['model'])).stdout;
  expect(table).toMatch(/● local \(default\) +gemma3 .* in the vault +8,000 +2 in, 10 out/);
  expect(table).toMatch(/second +qwen +http:\/\/127\.0\.0\.1:11434\/v1 +none/);
  model.answer(text('ready'));
  const tried = await runOnHub(hub, ['model', 'test']);
  expect(tried.code).toBe(0);
  expect(tried.stdout).toMatch(
    /^✔ local \(gemma3 at .*\) answered “ready” in \d+ ms\.\n11 tokens in, 7 out, \$0\.\d+\n$/,
  );
  expect((await runOnHub(hub, ['model', 'remove', 'local'])).stdout).toContain('and its key');
  expect(await hub.secrets.list()).toEqual([]);
  const gone = await runOnHub(hub, ['model', 'remove', 'lokal']);
  expect([gone.code, gone.stderr]).toEqual([6, expect.stringContaining('There is no model “lokal”')]);
  for (const { stdout, stderr } of [added, listed, tried]) expect(stdout + stderr).not.toContain(KEY);
});

verifies(
  ['A1', 'U1'],
  'somebody at a terminal is asked for what is missing, and sees the models that are there',
  async () => {
    const hub = await hubWithAgent();
    const model = await newModel(['gemma3', 'qwen3'], KEY);
    // A listener on this machine is expected to need no key; this one says otherwise.
    const answers = ['4', model.url, KEY, '2', 'mine'];
    const shown = await runOnHub(hub, ['model', 'add'], { answers });
    expect(shown).toMatchObject({ code: 0, unused: [] });
    expect(shown.stderr).toMatch(/1 {2}OpenAI\n[^]*Ollama, on this machine[^]*Which\?/);
    expect(shown.stderr).toMatch(/1 {2}gemma3\n {2}2 {2}qwen3\n/);
    expect(shown.stdout + shown.stderr).not.toContain(KEY);
    expect(await hub.models.list()).toMatchObject([
      { name: 'mine', model: 'qwen3', url: model.url, hasKey: true },
    ]);
    // A key is changed without saying the rest again.
    const again = await runOnHub(hub, ['model', 'add', 'mine', '--key'], { answers: ['another-key-42'] });
    expect(again).toMatchObject({ code: 0, unused: [] });
    expect(await hub.models.list()).toMatchObject([{ name: 'mine', model: 'qwen3', hasKey: true }]);
  },
);

verifies(
  ['A1', 'V1'],
  'a key typed as an argument is refused with the reason, and not repeated',
  async () => {
    const hub = await hubWithAgent();
    for (const argv of [
      ['model', 'add', 'gpt', 'openai', 'gpt-x', '--key', KEY],
      ['model', 'add', 'gpt', 'openai', 'gpt-x', KEY],
      ['model', 'add', 'gpt', 'openai', 'gpt-x', `--key=${KEY}`, '--json'],
    ]) {
      const { code, stdout, stderr } = await runOnHub(hub, argv);
      expect(code).toBe(2);
      expect(stdout + stderr).toMatch(/history of the shell/);
      expect(stdout + stderr).not.toContain(KEY);
    }
    expect([await hub.models.list(), await hub.secrets.list()]).toEqual([[], []]);
  },
);

verifies(['A1', 'V1'], 'a key in the environment is offered, and never taken silently', async () => {
  const hub = await hubWithAgent();
  const env = { ANTHROPIC_API_KEY: KEY, GOOGLE_GENERATIVE_AI_API_KEY: `${KEY}-g` };
  const script = await runOnHub(hub, ['model', 'add', 'smart', 'anthropic', 'claude-x'], { env });
  expect(script.code).toBe(5);
  expect(script.stderr).toMatch(/ANTHROPIC_API_KEY is in your environment, and is not taken unasked/);
  expect(script.stderr).toMatch(/--key-env ANTHROPIC_API_KEY/);
  expect(await hub.models.list()).toEqual([]);
  const no = await runOnHub(hub, ['model', 'add', 'smart', 'anthropic', 'claude-x'], {
    env,
    answers: ['n', ''],
  });
  expect(no.stderr).toContain('Found ANTHROPIC_API_KEY in your environment; use it? [Y/n]');
  expect([no.code, await hub.models.list()]).toEqual([5, []]);
  const yes = await runOnHub(hub, ['model', 'add', 'smart', 'anthropic', 'claude-x'], { env, answers: [''] });
  expect(yes).toMatchObject({ code: 0, unused: [] });
  const asked = ['model', 'add', 'g', 'google', 'gemini-x', '--key-env', 'GOOGLE_GENERATIVE_AI_API_KEY'];
  expect((await runOnHub(hub, asked, { env })).code).toBe(0);
  expect(await hub.models.list()).toMatchObject([
    { name: 'g', hasKey: true },
    { name: 'smart', hasKey: true },
  ]);
  // Somebody else's address gets no key of a provider offered.
  const elsewhere = ['model', 'add', 'x', 'anthropic', 'claude-x', '--url', 'http://127.0.0.1:9/v1'];
  expect((await runOnHub(hub, elsewhere, { env })).stderr).not.toContain('ANTHROPIC_API_KEY');
  const absent = await runOnHub(hub, ['model', 'add', 'y', 'openai', 'm', '--key-env', 'NOT_THERE']);
  expect([absent.code, absent.stderr]).toEqual([5, expect.stringContaining('NOT_THERE holds no key')]);
});

verifies(
  ['A1', 'U1'],
  'a model that does not answer is explained by its true cause',
  async () => {
    const hub = await hubWithAgent();
    await runOnHub(hub, ['model', 'add', 'down', 'ollama', 'gemma3', '--url', 'http://127.0.0.77:11434/v1']);
    const down = await runOnHub(hub, ['model', 'test', 'down']);
    expect(down.code).toBe(5);
    expect(down.stderr).toMatch(
      /Nothing listens at 127\.0\.0\.77:11434[^]*next +Is Ollama running\? ollama serve/,
    );
    const model = await newModel(undefined, KEY);
    await runOnHub(hub, ['model', 'add', 'shut', 'compatible', 'm', '--url', model.url]);
    const shut = await runOnHub(hub, ['model', 'test', 'shut']);
    expect(shut.code).toBe(4);
    expect(shut.stderr).toMatch(/key[^]*next +plug model add shut/);
    const absent = await runOnHub(hub, ['model', 'test', 'nobody']);
    expect(absent.code).toBe(6);
  },
  60_000,
);

test('what is missing is told to a script with the command to write', async () => {
  const hub = await hubWithAgent();
  const nothing = await runOnHub(hub, ['model', 'add']);
  expect([nothing.code, nothing.stderr]).toEqual([
    2,
    expect.stringContaining('plug model add NAME PROVIDER MODEL'),
  ]);
  const which = await runOnHub(hub, ['model', 'add', 'a', 'ollama']);
  expect([which.code, which.stderr]).toEqual([2, expect.stringContaining('plug model add a ollama MODEL')]);
  const typo = await runOnHub(hub, ['model', 'add', 'a', 'olama', 'gemma3']);
  expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining('Did you mean ollama?')]);
  const half = await runOnHub(hub, ['model', 'add', 'a', 'ollama', 'gemma3', '--price-in', '1']);
  expect(half.stderr).toContain('--price-in and --price-out go together');
  const short = await runOnHub(hub, ['model', 'add', 'ollama', 'gemma3']);
  expect(short.code).toBe(0);
  expect(await hub.models.list()).toMatchObject([{ name: 'ollama', model: 'gemma3' }]);
});
