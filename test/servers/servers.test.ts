import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LineClient, modernParams, textOf } from './line-client.ts';
import { isAlive, published, stdioFixture, waitFor } from './start.ts';
import { temporaryFolder } from './temporary-folder.ts';

const token = { _meta: { progressToken: 'token-1' } };

async function startLegacy(capabilities = {}): Promise<LineClient> {
  const client = new LineClient(stdioFixture('legacy'));
  await client.initialize('2025-11-25', capabilities);
  return client;
}

test('legacy refuses server/discover with -32601 and then shakes hands by initialize', async () => {
  await using client = new LineClient(stdioFixture('legacy'));
  expect((await client.request('server/discover', modernParams())).error?.code).toBe(-32601);
  const { result } = await client.initialize();
  expect(result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'fixture' } });
  expect(textOf(await client.call('echo', { message: 'hi' }))).toBe('hi');
});

test.for(['2025-06-18', '2025-03-26', '2024-11-05'])('legacy can be pinned to %s', async (version) => {
  await using client = new LineClient(stdioFixture('legacy', { version }));
  expect((await client.initialize('2025-11-25')).result).toMatchObject({ protocolVersion: version });
  expect(textOf(await client.call('add', { a: 2, b: 3 }))).toBe('5');
});

test('modern answers server/discover and refuses initialize with the versions it speaks', async () => {
  await using client = new LineClient(stdioFixture('modern'));
  const discovered = await client.request('server/discover', modernParams());
  expect(discovered.result).toMatchObject({ supportedVersions: ['2026-07-28'], resultType: 'complete' });
  expect((await client.initialize()).error).toMatchObject({
    code: -32022,
    data: { supported: ['2026-07-28'] },
  });
  const called = await client.request(
    'tools/call',
    modernParams({ name: 'echo', arguments: { message: 'hi' } }),
  );
  expect(called.result).toMatchObject({ resultType: 'complete', content: [{ type: 'text', text: 'hi' }] });
});

test('dual speaks whatever the host opens with', async () => {
  await using old = new LineClient(stdioFixture('dual'));
  expect((await old.initialize()).result).toMatchObject({ protocolVersion: '2025-11-25' });
  await using young = new LineClient(stdioFixture('dual'));
  const reply = await young.request('tools/call', modernParams({ name: 'add', arguments: { a: 1, b: 1 } }));
  expect(textOf(reply)).toBe('2');
});

test('the tools list has a schema for every tool, keeps unknown fields, and can come in pages', async () => {
  await using client = new LineClient(stdioFixture('legacy', { page: 4 }));
  await client.initialize();
  const tools: Record<string, unknown>[] = [];
  let cursor: unknown;
  do {
    const { result } = await client.request('tools/list', cursor === undefined ? {} : { cursor });
    const some = result?.['tools'] as Record<string, unknown>[];
    expect(some.length).toBeLessThanOrEqual(4);
    tools.push(...some);
    cursor = result?.['nextCursor'];
  } while (cursor !== undefined);
  expect(tools.map((tool) => tool['name'])).toEqual(
    expect.arrayContaining(['echo', 'ask-url', 'progress-burst', 'roots', 'resource_link', 'structured']),
  );
  expect(tools.every((tool) => typeof tool['inputSchema'] === 'object')).toBe(true);
  expect(tools.find((tool) => tool['name'] === 'unknown')).toMatchObject({
    'x-vendor': { nested: [1, 'two'] },
  });
});

test('tools show environment, folder and process id, and every kind of content', async () => {
  const cwd = temporaryFolder();
  await using client = new LineClient(stdioFixture('legacy'), { cwd, env: { FIXTURE_MARK: 'here' } });
  await client.initialize();
  expect(JSON.parse(textOf(await client.call('env')))).toMatchObject({ FIXTURE_MARK: 'here' });
  expect(textOf(await client.call('cwd'))).toBe(cwd);
  expect(textOf(await client.call('pid'))).toBe(String(client.child.pid));
  for (const type of ['image', 'audio', 'resource', 'resource_link']) {
    expect((await client.call(type)).result).toMatchObject({ content: [{ type }] });
  }
  expect((await client.call('structured', { city: 'Rome' })).result).toMatchObject({
    structuredContent: { city: 'Rome', degrees: 21.5 },
  });
  expect((await client.call('unknown')).result).toMatchObject({
    content: [{ type: 'video', 'x-frames': 3 }, { 'x-mark': 'kept' }],
    'x-result': { kept: true },
  });
  expect(textOf(await client.call('big', { bytes: 300_000 }))).toHaveLength(300_000);
});

test('unknown goes out unchanged on modern connections too', async () => {
  await using client = new LineClient(stdioFixture('modern'));
  const reply = await client.request('tools/call', modernParams({ name: 'unknown' }));
  expect(reply.result).toMatchObject({ content: [{ type: 'video' }, {}], 'x-result': { kept: true } });
});

test('fail is a tool error, refuse a protocol error, a missing argument and an unknown tool are refused', async () => {
  await using client = await startLegacy();
  expect((await client.call('fail')).result).toMatchObject({ isError: true });
  expect((await client.call('refuse')).error).toMatchObject({ code: -32603, data: { reason: 'purpose' } });
  expect((await client.call('echo')).error?.code).toBe(-32602);
  expect((await client.call('nothing-like-it')).error?.code).toBe(-32602);
});

test('slow reports progress before it answers', async () => {
  await using client = await startLegacy();
  expect(textOf(await client.call('slow', { ms: 40, steps: 3 }, token))).toBe('done after 3 steps');
  const seen = client.messages.filter((message) => message.method === 'notifications/progress');
  expect(seen.map((message) => message.params?.['progress'])).toEqual([1, 2, 3]);
});

test.for(['legacy', 'modern'])('progress-burst writes progress and result at once (%s)', async (era) => {
  await using client = new LineClient(stdioFixture(era));
  if (era === 'legacy') await client.initialize();
  const params = { name: 'progress-burst', arguments: { count: 3 } };
  const meta = { progressToken: 'token-1' };
  await client.request(
    'tools/call',
    era === 'modern' ? modernParams(params, {}, meta) : { ...params, _meta: meta },
  );
  const last = client.chunks.at(-1)?.trim().split('\n') ?? [];
  expect(last).toHaveLength(4);
  expect(last.at(0)).toContain('notifications/progress');
  expect(last.at(-1)).toContain('burst');
});

test.for(['legacy', 'modern'])('hang shows that cancellation arrived, and stays silent (%s)', async (era) => {
  const file = join(temporaryFolder(), 'cancelled');
  await using client = new LineClient(stdioFixture(era));
  if (era === 'legacy') await client.initialize();
  const whole = (params: Record<string, unknown>): Record<string, unknown> =>
    era === 'modern' ? modernParams(params) : params;
  const id = client.send('tools/call', whole({ name: 'hang', arguments: { file } }));
  const other = client.send('tools/call', whole({ name: 'hang', arguments: { file } }));
  await client.request('tools/list', whole({}));
  client.notify('notifications/cancelled', whole({ requestId: id }));
  await waitFor(() => readFileSync(file, 'utf8') === `cancelled ${id}\n`);
  await client.request('tools/list', whole({}));
  expect(client.messages.some((message) => message.id === id)).toBe(false);
  client.child.stdin.end();
  await client.exited;
  expect(readFileSync(file, 'utf8')).toBe(`cancelled ${id}\nclosed ${other}\n`);
});

test.for(['legacy', 'modern'])('late answers a cancelled call all the same (%s)', async (era) => {
  await using client = new LineClient(stdioFixture(era));
  if (era === 'legacy') await client.initialize();
  const params = { name: 'late', arguments: { ms: 100 } };
  const id = client.send('tools/call', era === 'modern' ? modernParams(params) : params);
  client.notify(
    'notifications/cancelled',
    era === 'modern' ? modernParams({ requestId: id }) : { requestId: id },
  );
  expect(textOf(await client.reply(id))).toBe('too late');
});

test('crash ends the process with 7 after three lines on stderr', async () => {
  await using client = await startLegacy();
  client.send('tools/call', { name: 'crash' });
  expect((await client.exited)[0]).toBe(7);
  await waitFor(() => client.stderr.trim().split('\n').length === 3);
  expect(client.stderr).toContain('the disk is on fire');
});

test('legacy asks the host for input, a page, a sample and roots in the middle of a call', async () => {
  await using client = await startLegacy({ elicitation: { form: {}, url: {} }, sampling: {}, roots: {} });
  client.host['elicitation/create'] = (params) =>
    params['mode'] === 'url' ? { action: 'accept' } : { action: 'accept', content: { name: 'Ada' } };
  client.host['sampling/createMessage'] = () => ({
    role: 'assistant',
    model: 'm',
    content: { type: 'text', text: 'Hello.' },
  });
  client.host['roots/list'] = () => ({ roots: [{ uri: 'file:///project', name: 'project' }] });
  expect(textOf(await client.call('ask'))).toContain('"name":"Ada"');
  expect(textOf(await client.call('ask-url'))).toContain('accept');
  expect(client.messages.some((each) => each.method === 'notifications/elicitation/complete')).toBe(true);
  expect(textOf(await client.call('sample'))).toContain('Hello.');
  expect(textOf(await client.call('roots'))).toContain('file:///project');
});

test('legacy does not ask a host that offers nothing', async () => {
  await using client = await startLegacy();
  expect((await client.call('ask')).result).toMatchObject({ isError: true });
  expect(client.messages.some((each) => each.method === 'elicitation/create')).toBe(false);
});

test.for([
  [
    'ask',
    'elicitation/create',
    { elicitation: { form: {} } },
    { action: 'accept', content: { name: 'Ada' } },
  ],
  ['ask-url', 'elicitation/create', { elicitation: { url: {} } }, { action: 'accept' }],
  ['sample', 'sampling/createMessage', { sampling: {} }, { role: 'assistant', model: 'm', content: [] }],
  ['roots', 'roots/list', { roots: {} }, { roots: [] }],
] as const)(
  'modern %s asks by input_required and ends on the retry',
  async ([name, method, offers, answer]) => {
    await using client = new LineClient(stdioFixture('modern'));
    const refused = await client.request('tools/call', modernParams({ name }));
    expect(refused.error?.code).toBe(-32021);
    const first = await client.request('tools/call', modernParams({ name }, offers));
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { answer: { method } },
    });
    const requestState = first.result?.['requestState'];
    const retry = { name, inputResponses: { answer }, requestState };
    expect(textOf(await client.request('tools/call', modernParams(retry, offers)))).toBe(
      JSON.stringify(answer),
    );
    const forged = { ...retry, requestState: 'another' };
    expect((await client.request('tools/call', modernParams(forged, offers))).result).toMatchObject({
      isError: true,
    });
  },
);

test('log writes log messages, from the level that the host wants', async () => {
  await using client = await startLegacy();
  await client.call('log', { count: 2 });
  const logs = (): number => client.messages.filter((each) => each.method === 'notifications/message').length;
  expect(logs()).toBe(2);
  await client.request('logging/setLevel', { level: 'error' });
  await client.call('log', { count: 2 });
  expect(logs()).toBe(2);
  await using young = new LineClient(stdioFixture('modern'));
  const level = { 'io.modelcontextprotocol/logLevel': 'info' };
  await young.request('tools/call', modernParams({ name: 'log' }, {}, level));
  expect(young.messages.some((each) => each.method === 'notifications/message')).toBe(true);
});

test('change adds a tool and says so; touch tells subscribers only', async () => {
  await using client = await startLegacy();
  await client.call('touch');
  await client.request('resources/subscribe', { uri: 'test://watched' });
  await client.call('touch');
  const updated = client.messages.filter((each) => each.method === 'notifications/resources/updated');
  expect(updated.map((each) => each.params)).toEqual([{ uri: 'test://watched' }]);
  await client.call('change', { add: 'fresh' });
  expect(client.messages.some((each) => each.method === 'notifications/tools/list_changed')).toBe(true);
  expect(textOf(await client.call('fresh'))).toBe('fresh');
  expect(JSON.stringify((await client.request('tools/list')).result)).toContain('"fresh"');
});

test('modern tells changes to who listens, with the subscription named', async () => {
  await using client = new LineClient(stdioFixture('modern'));
  const notifications = { toolsListChanged: true, resourceSubscriptions: ['test://watched'] };
  const id = client.send('subscriptions/listen', modernParams({ notifications }));
  await client.find((each) => each.method === 'notifications/subscriptions/acknowledged');
  await client.request('tools/call', modernParams({ name: 'change', arguments: { add: 'fresh' } }));
  await client.request('tools/call', modernParams({ name: 'touch' }));
  const meta = { _meta: { 'io.modelcontextprotocol/subscriptionId': id } };
  const changed = await client.find((each) => each.method === 'notifications/tools/list_changed');
  expect(changed.params).toMatchObject(meta);
  const updated = await client.find((each) => each.method === 'notifications/resources/updated');
  expect(updated.params).toMatchObject({ uri: 'test://watched', ...meta });
});

test('resources, templates, prompts and completions are there', async () => {
  await using client = await startLegacy();
  expect(JSON.stringify(await client.request('resources/list'))).toContain('test://watched');
  expect(JSON.stringify(await client.request('resources/templates/list'))).toContain('test://item/{id}');
  const item = await client.request('resources/read', { uri: 'test://item/7' });
  expect(item.result).toMatchObject({ contents: [{ text: '{"id":"7"}' }] });
  expect((await client.request('resources/read', { uri: 'test://none' })).error).toBeDefined();
  expect(JSON.stringify(await client.request('prompts/list'))).toContain('greet');
  const prompt = await client.request('prompts/get', { name: 'greet', arguments: { who: 'Ada' } });
  expect(JSON.stringify(prompt.result)).toContain('Greet Ada, friendly.');
  const completed = await client.request('completion/complete', {
    ref: { type: 'ref/prompt', name: 'greet' },
    argument: { name: 'style', value: 'f' },
  });
  expect(completed.result).toMatchObject({ completion: { values: ['formal', 'friendly'] } });
});

test('a good server ends when its stdin does', async () => {
  await using client = await startLegacy();
  const { pid } = client.child;
  client.child.stdin.end();
  expect((await client.exited)[0]).toBe(0);
  expect(isAlive(pid ?? 0)).toBe(false);
});

test.for(['everything', 'filesystem', 'memory', 'sequential-thinking'] as const)(
  'the published server %s answers',
  { timeout: 15_000 },
  async (name) => {
    await using client = new LineClient(
      published(name, ...(name === 'filesystem' ? [temporaryFolder()] : [])),
    );
    expect((await client.initialize()).result).toHaveProperty('serverInfo');
    expect(JSON.stringify(await client.request('tools/list'))).toContain('inputSchema');
  },
);
