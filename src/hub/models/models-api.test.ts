import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { toPlugError, type PlugError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Hub, NewModel } from '../hub.ts';
import { openHub } from '../open-hub.ts';
import { formsOf } from '../../../test/scenarios/leaky-server.ts';
import { startScriptedModel, text, type ScriptedModel } from '../../../test/models/scripted-model.ts';
import { temporaryFolder } from '../../../test/servers/temporary-folder.ts';
import { verifies } from '../../../test/requirements.ts';

const KEY = 'sk-proj-7hQzL0xW2vB9mN4cR8tY1u';
const local: NewModel = { name: 'local', provider: 'compatible', model: 'gemma3', url: 'ollama' };

async function newHub(home = temporaryFolder(), logger?: Logger): Promise<Hub> {
  const hub = await openHub({
    paths: { config: home, data: home, state: home },
    cwd: home,
    env: { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1' },
    version: '1.0.0',
    ...(logger ? { logger } : {}),
  });
  onTestFinished(() => hub.close());
  return hub;
}

async function newModel(key?: string): Promise<ScriptedModel> {
  const model = await startScriptedModel(key === undefined ? {} : { key });
  onTestFinished(() => model.close());
  return model;
}

async function failureOf(promise: Promise<unknown>): Promise<PlugError> {
  return promise.then(
    () => expect.fail('it should have failed'),
    (error: unknown) => toPlugError(error),
  );
}

async function say(hub: Hub, url: string, headers: Record<string, string> = {}): Promise<Response> {
  const { fetch } = await hub.models.open();
  const body = JSON.stringify({ model: 'm', stream: true, messages: [] });
  return fetch(`${url}/chat/completions`, { method: 'POST', headers, body });
}

verifies(['A1', 'V1'], 'the key of a model is nowhere but in the vault, sealed', async () => {
  const home = temporaryFolder();
  const logged: unknown[] = [];
  const write = (...words: unknown[]): void => void logged.push(words);
  const hub = await newHub(home, { debug: write, info: write, warn: write, error: write });
  const model = await newModel(KEY);
  const saved = await hub.models.save({ ...local, url: model.url, key: KEY });
  expect(saved).toMatchObject({ name: 'local', hasKey: true, isDefault: true });
  model.answer(text('yes'));
  const response = await say(hub, model.url);
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('yes')]);
  const wrong = await failureOf(hub.models.save({ ...local, url: `https://x:${KEY}@h.test/v1`, key: KEY }));
  const told = JSON.stringify([
    saved,
    await hub.models.list(),
    await hub.secrets.list(),
    wrong.toView(),
    wrong.stack,
    logged,
  ]);
  await hub.close();
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  expect(files.length).toBeGreaterThan(0);
  const everything = [told, ...files].join('\n');
  expect(Object.entries(formsOf(KEY)).filter(([, form]) => everything.includes(form))).toEqual([]);
});

verifies(
  ['A1'],
  'each provider gets the key in its own header, and nothing that was in its place',
  async () => {
    const hub = await newHub();
    const model = await newModel();
    const dummy = { authorization: 'Bearer dummy', 'x-api-key': 'dummy', 'x-goog-api-key': 'dummy' };
    const sent = async (given: Partial<NewModel>): Promise<object> => {
      await hub.models.save({ ...local, url: model.url, isDefault: true, ...given });
      model.answer(text('ok'));
      await (await say(hub, model.url, { ...dummy, 'anthropic-version': '2023-06-01' })).text();
      const { headers } = model.requests.at(-1) ?? {};
      return {
        bearer: headers?.authorization,
        anthropic: headers?.['x-api-key'],
        google: headers?.['x-goog-api-key'],
        version: headers?.['anthropic-version'],
      };
    };
    const none = { bearer: undefined, anthropic: undefined, google: undefined, version: '2023-06-01' };
    expect(await sent({ provider: 'openai', name: 'a', key: KEY })).toEqual({
      ...none,
      bearer: `Bearer ${KEY}`,
    });
    expect(await sent({ provider: 'anthropic', name: 'b', key: KEY })).toEqual({ ...none, anthropic: KEY });
    expect(await sent({ provider: 'google', name: 'c', key: KEY })).toEqual({ ...none, google: KEY });
    expect(await sent({ name: 'd' })).toEqual(none);
    expect(await sent({ name: 'd', key: KEY })).toEqual({ ...none, bearer: `Bearer ${KEY}` });
  },
);

verifies(['A1'], 'a key never leaves for another address than the one it was given for', async () => {
  const hub = await newHub();
  const [mine, other] = [await newModel(), await newModel()];
  await hub.models.save({ ...local, url: mine.url, key: KEY });
  const { fetch } = await hub.models.open();
  expect(await failureOf(fetch(`${other.url}/chat/completions`, { method: 'POST' }))).toMatchObject({
    code: 'denied',
    message: expect.stringContaining('nothing was sent') as string,
  });
  // The same model elsewhere: its key stays behind, and is gone.
  expect(await hub.models.save({ ...local, url: other.url })).toMatchObject({ hasKey: false });
  expect(await hub.secrets.list()).toEqual([]);
  other.answer(text('ok'));
  await (await say(hub, other.url)).text();
  expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  // At the same address it stays.
  await hub.models.save({ ...local, url: other.url, key: KEY });
  expect(await hub.models.save({ ...local, model: 'other', url: `${other.url}/` })).toMatchObject({
    hasKey: true,
    model: 'other',
    url: other.url,
  });
});

verifies(['A1'], 'a model that sends us elsewhere is not followed', async () => {
  const hub = await newHub();
  const target = await newModel();
  const lure = createServer((_request, response) => {
    response.writeHead(307, { location: `${target.url}/chat/completions` }).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void lure.close());
  await once(lure, 'listening');
  const url = `http://127.0.0.1:${(lure.address() as AddressInfo).port}/v1`; // it listens on a port
  await hub.models.save({ ...local, url, key: KEY });
  expect(await failureOf(say(hub, url))).toMatchObject({
    code: 'bad_config',
    owner: 'you',
    message: expect.stringContaining('sends us on to 127.0.0.1:') as string,
    next: expect.stringContaining('plug model add local') as string,
  });
  expect(target.requests).toEqual([]);
});

verifies(['A1'], 'the first model is the default, until another is chosen or it goes', async () => {
  const hub = await newHub();
  const names = async (): Promise<readonly string[]> =>
    (await hub.models.list()).map(({ name, isDefault }) => (isDefault ? `${name}*` : name));
  expect(await failureOf(hub.models.open())).toMatchObject({
    code: 'missing_input',
    message: 'No model is set up yet.',
    next: 'plug model add',
  });
  for (const name of ['m', 'z', 'a']) await hub.models.save({ ...local, name });
  expect(await names()).toEqual(['a', 'm*', 'z']);
  await hub.models.setDefault({ name: 'z' });
  await hub.models.save({ ...local, name: 'b', isDefault: true });
  expect(await names()).toEqual(['a', 'b*', 'm', 'z']);
  await hub.models.remove({ name: 'b' });
  expect(await names()).toEqual(['a', 'm', 'z*']);
  expect((await hub.models.open()).view).toMatchObject({ name: 'z', url: 'http://127.0.0.1:11434/v1' });
  expect((await hub.models.open({ name: 'a' })).view.name).toBe('a');
  await hub.models.remove({ name: 'z' });
  expect(await names()).toEqual(['a', 'm*']);
  for (const act of ['remove', 'setDefault', 'open'] as const) {
    expect(await failureOf(hub.models[act]({ name: 'mm' }))).toMatchObject({
      code: 'not_found',
      message: 'There is no model “mm”. Did you mean m?',
      next: 'plug model list',
    });
  }
});

verifies(['A1'], 'a model without the key it needs, and a locked vault, say what to do', async () => {
  const home = temporaryFolder();
  {
    const hub = await newHub(home);
    await hub.models.save({ name: 'gpt', provider: 'openai', model: 'gpt-x' });
    expect(await failureOf(hub.models.open({ name: 'gpt' }))).toMatchObject({
      code: 'missing_input',
      message: 'The model “gpt” has no key for OpenAI.',
      next: 'plug model add gpt --key',
    });
    await hub.models.save({ name: 'gpt', provider: 'openai', model: 'gpt-x', key: KEY });
    await hub.secrets.rotate({ to: 'passphrase', passphrase: 'several words of mine' });
    await hub.close();
  }
  const hub = await newHub(home);
  expect(await hub.models.list()).toMatchObject([{ name: 'gpt', hasKey: true }]);
  expect(await failureOf(hub.models.open())).toMatchObject({
    code: 'missing_input',
    next: expect.stringContaining('plug secrets unlock') as string,
  });
  await hub.secrets.unlock({ passphrase: 'several words of mine' });
  expect((await hub.models.open()).view.name).toBe('gpt');
});

verifies(['A1'], 'where nothing listens, the program is named that should', async () => {
  const hub = await newHub();
  // Ollama listens on 127.0.0.1 alone.
  await hub.models.save({ ...local, url: 'http://127.0.0.77:11434/v1' });
  expect(await failureOf(say(hub, 'http://127.0.0.77:11434/v1'))).toMatchObject({
    code: 'unreachable',
    owner: 'you',
    message: 'Nothing listens at 127.0.0.77:11434, where the model “local” should be.',
    next: 'Is Ollama running? ollama serve',
  });
  await hub.models.save({ ...local, url: 'http://127.0.0.77:9/v1' });
  expect(await failureOf(say(hub, 'http://127.0.0.77:9/v1'))).toMatchObject({
    code: 'unreachable',
    next: expect.stringContaining('plug model add local') as string,
  });
});

const REFUSED: readonly (readonly [string, Partial<NewModel>, RegExp])[] = [
  ['plain http to the public internet', { url: 'http://93.184.215.14/v1' }, /public internet/],
  ['plain http to it in IPv6', { url: 'http://[2606:2800:21f::1]/v1' }, /public internet/],
  ['another protocol', { url: 'ftp://127.0.0.1/v1' }, /https:\/\/ or http:\/\//],
  ['no address at all', { url: 'gemma' }, /isn’t a URL/],
  [
    'a password in the address',
    { url: `https://me:${KEY}@h.test/v1` },
    /can’t contain a user name, password, query/,
  ],
  [
    'a key in the query',
    { url: `https://h.test/v1?key=${KEY}` },
    /can’t contain a user name, password, query/,
  ],
  ['a name that is none', { name: 'My Model' }, /cannot be a model's name/],
  ['no model', { model: '  ' }, /missing or too long/],
  ['half a token', { contextTokens: 0.5 }, /whole number of tokens/],
  ['money back', { price: { input: -1, output: 1 } }, /dollars per million/],
];

test.for(REFUSED)('a model with %s is refused, and nothing is kept', async ([, given, reason]) => {
  const hub = await newHub();
  const failure = await failureOf(hub.models.save({ ...local, ...given, key: KEY }));
  expect(failure).toMatchObject({
    code: 'usage',
    owner: 'you',
    message: expect.stringMatching(reason) as string,
  });
  expect(failure.next).toBeTruthy();
  expect(JSON.stringify(failure.toView())).not.toContain(KEY);
  expect([await hub.models.list(), await hub.secrets.list()]).toEqual([[], []]);
});

test('a “compatible” model without an address is told the words for those that are known', async () => {
  const hub = await newHub();
  expect(await failureOf(hub.models.save({ name: 'x', provider: 'compatible', model: 'm' }))).toMatchObject({
    code: 'usage',
    next: expect.stringContaining('ollama, lmstudio, vllm') as string,
  });
});

verifies(
  ['A1'],
  'a provider is asked for its models, with a key that was typed or that is kept',
  async () => {
    const hub = await newHub();
    const model = await newModel(KEY);
    const ask = { provider: 'compatible', url: model.url } as const;
    expect(await hub.models.offered({ ...ask, key: KEY })).toEqual(['scripted']);
    expect(await hub.models.offered({ provider: 'google', url: model.googleUrl, key: KEY })).toEqual([
      'scripted',
    ]);
    expect(await failureOf(hub.models.offered(ask))).toMatchObject({ code: 'sign_in_needed', owner: 'you' });
    await hub.models.save({ ...local, url: model.url, key: KEY });
    expect(await hub.models.offered({ ...ask, name: 'local' })).toEqual(['scripted']);
    const other = await newModel();
    await hub.models.offered({ ...ask, url: other.url, name: 'local' });
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
  },
);

test('no server takes the key of a model, whatever it is called', async () => {
  const hub = await newHub();
  await hub.models.save({ ...local, name: 'model', key: KEY });
  const [secret = ''] = await hub.secrets.list();
  expect(secret).toBe('model:model/http:127.0.0.1:11434');
  const endpoint = { kind: 'http', url: 'http://127.0.0.1:9/mcp', headers: {} } as const;
  const { defineServer } = await import('../../servers/definition.ts');
  await hub.servers.add({ definition: defineServer({ id: 'model', endpoint }), test: false });
  await hub.servers.remove({ id: 'model' });
  expect(await hub.secrets.list()).toEqual([secret]);
});
