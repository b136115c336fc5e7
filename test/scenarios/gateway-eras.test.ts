import { existsSync, readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import type { Gateway } from '../../src/gateway/gateway.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { firstText, gatewayWorld, legacyHost, modernHost, type Seen } from './gateway-world.ts';
import { local } from './lifecycle-hub.ts';

const scope = { mode: 'all' } as const;
const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** What a host of either era answers when a server asks. */
const ANSWERS: Readonly<Record<string, JsonObject>> = {
  'elicitation/create': { action: 'accept', content: { name: 'Ada' } },
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'Hello.' }, model: 'm' },
  'roots/list': { roots: [{ uri: 'file:///home/ada/work', name: 'work' }] },
};

interface Host extends Seen {
  /** Calls to the end, answering whatever is asked meanwhile. */
  call(tool: string, args?: JsonObject, meta?: JsonObject, signal?: AbortSignal): Promise<JsonObject>;
  request(method: string, params?: JsonObject): Promise<JsonObject>;
  /** Watches a resource and the lists; what changes is in `notes`. */
  watch(uri: string): Promise<void>;
}

async function openHost(gateway: Gateway, era: 'legacy' | 'modern'): Promise<Host> {
  if (era === 'legacy') {
    const host = await legacyHost(gateway, scope, CAPABILITIES, (method) => ANSWERS[method] ?? {});
    return {
      ...host,
      call: (name, args = {}, _meta = {}, signal) =>
        host.request('tools/call', { name, arguments: args, _meta }, signal),
      watch: async (uri) => void (await host.request('resources/subscribe', { uri })),
    };
  }
  const host = modernHost(gateway, scope, CAPABILITIES);
  const call: Host['call'] = async (name, args = {}, _meta = {}, signal) => {
    const params = { name, arguments: args, _meta };
    let result = await host.request('tools/call', params, signal);
    while (result['resultType'] === 'input_required') {
      const requests = (isObject(result['inputRequests']) ? result['inputRequests'] : {}) as Record<
        string,
        JsonObject
      >; // as specified
      const inputResponses: Record<string, JsonObject> = {};
      for (const [key, { method, params: asked }] of Object.entries(requests)) {
        const question = { method: method as string, params: asked as JsonObject }; // as specified
        host.asked.push(question);
        inputResponses[key] = ANSWERS[question.method] ?? {};
      }
      const { requestState } = result;
      result = await host.request('tools/call', { ...params, requestState, inputResponses }, signal);
    }
    return result;
  };
  const watch = async (uri: string): Promise<void> => {
    const notifications = { toolsListChanged: true, resourceSubscriptions: [uri] };
    void host.request('subscriptions/listen', { notifications });
    await waitFor(() => host.notes.some(({ method }) => method.endsWith('subscriptions/acknowledged')));
  };
  return { ...host, call, watch };
}

verifies(
  ['G2', 'C15'],
  'a legacy host learns the id of a page that it opens, and hears once when the page is done with',
  async () => {
    const servers = [local('old', 'legacy'), local('new', 'modern')];
    const { gateway } = await gatewayWorld(servers, { rules: 'permissive' });
    const host = await openHost(gateway, 'legacy');
    for (const server of ['old', 'new']) {
      await host.call(`${server}__ask-url`);
      const id = host.asked.at(-1)?.params['elicitationId'];
      expect(id).toEqual(expect.any(String));
      const done = host.notes.filter(({ method }) => method === 'notifications/elicitation/complete');
      expect(done.filter(({ params }) => params['elicitationId'] === id)).toHaveLength(1);
    }
    expect(host.notes.filter(({ method }) => method.includes('elicitation'))).toHaveLength(2);
  },
);

describe.each([
  ['legacy', 'legacy'],
  ['legacy', 'modern'],
  ['modern', 'legacy'],
  ['modern', 'modern'],
] as const)('a %s host on a %s server', (hostEra, serverEra) => {
  const open = async (): Promise<{ readonly host: Host; readonly gateway: Gateway }> => {
    const { gateway } = await gatewayWorld([local('rich', serverEra)], { rules: 'permissive' });
    return { host: await openHost(gateway, hostEra), gateway };
  };

  verifies(['G2'], 'answers the server’s questions: a form, a page, a model, its folders', async () => {
    const { host } = await open();
    expect(JSON.parse(firstText(await host.call('rich__ask')))).toMatchObject({ content: { name: 'Ada' } });
    expect(JSON.parse(firstText(await host.call('rich__ask-url')))).toMatchObject({ action: 'accept' });
    expect(JSON.parse(firstText(await host.call('rich__sample')))).toMatchObject({ model: 'm' });
    expect(JSON.parse(firstText(await host.call('rich__roots')))).toMatchObject(ANSWERS['roots/list'] ?? {});
    const methods = new Set(host.asked.map(({ method }) => method));
    expect([...methods].toSorted()).toEqual(Object.keys(ANSWERS).toSorted());
  });

  verifies(
    ['G2'],
    'hears progress under its own token and logs at its level, before the answer',
    async () => {
      const { host } = await open();
      const meta = hostEra === 'modern' ? { 'io.modelcontextprotocol/logLevel': 'debug' } : {};
      if (hostEra === 'legacy') await host.request('logging/setLevel', { level: 'debug' });
      await host.call('rich__slow', { ms: 100, steps: 3 }, { progressToken: 'mine', ...meta });
      const progress = host.notes.filter(({ method }) => method === 'notifications/progress');
      expect(progress.length).toBeGreaterThanOrEqual(2);
      expect(progress.every(({ params }) => params['progressToken'] === 'mine')).toBe(true);
      await host.call('rich__log', { count: 2 }, meta);
      const logs = host.notes.filter(({ method }) => method === 'notifications/message');
      expect(logs.map(({ params }) => params['data'])).toEqual([
        { line: 1, message: 'a log message' },
        { line: 2, message: 'a log message' },
      ]);
    },
  );

  verifies(['G2'], 'cancels, and the server learns of it', async () => {
    const { host } = await open();
    const file = `${temporaryFolder()}/cancelled`;
    const cancel = new AbortController();
    const call = host.call('rich__hang', { file }, {}, cancel.signal);
    const ended = call.then(
      () => 'answered',
      () => 'ended',
    );
    await waitFor(() => existsSync(`${file}.begun`));
    cancel.abort(new Error('the host cancelled'));
    expect(await ended).toBe('ended');
    await waitFor(() => readFileSync(file, 'utf8').includes('cancelled'));
  });

  verifies(
    ['G2', 'C10'],
    'hears that a list or a watched resource changed, and finds the new tool',
    async () => {
      const { host } = await open();
      await host.watch('plug://rich/test://watched');
      await host.call('rich__touch');
      const updated = (): readonly unknown[] =>
        host.notes
          .filter(({ method }) => method === 'notifications/resources/updated')
          .map(({ params }) => params['uri']);
      await waitFor(() => updated().length > 0);
      expect(new Set(updated())).toEqual(new Set(['plug://rich/test://watched']));
      const read = await host.request('resources/read', { uri: 'plug://rich/test://watched' });
      expect(JSON.stringify(read)).toContain('touched 1 times');
      await host.call('rich__change', { add: 'fresh' });
      await waitFor(
        () => host.notes.some(({ method }) => method === 'notifications/tools/list_changed'),
        10_000,
      );
      const names = ((await host.request('tools/list'))['tools'] as { readonly name: string }[]).map(
        ({ name }) => name,
      );
      expect(names).toContain('rich__fresh');
      expect(firstText(await host.call('rich__fresh'))).toBe('fresh');
    },
  );

  verifies(
    ['G2', 'C15'],
    'reads resources and templates, gets prompts and completes their arguments',
    async () => {
      const { host } = await open();
      const resources = (await host.request('resources/list'))['resources'] as { readonly uri: string }[];
      expect(resources.map(({ uri }) => uri)).toContain('plug://rich/test://static');
      const read = await host.request('resources/read', { uri: 'plug://rich/test://item/7' });
      expect(read['contents']).toMatchObject([{ uri: 'plug://rich/test://item/7', text: '{"id":"7"}' }]);
      const templates = await host.request('resources/templates/list');
      expect(templates['resourceTemplates']).toMatchObject([{ uriTemplate: 'plug://rich/test://item/{id}' }]);
      const prompts = (await host.request('prompts/list'))['prompts'] as { readonly name: string }[];
      expect(prompts.map(({ name }) => name)).toEqual(['rich__plain', 'rich__greet']);
      const got = await host.request('prompts/get', { name: 'rich__greet', arguments: { who: 'Bob' } });
      expect(JSON.stringify(got['messages'])).toContain('Greet Bob');
      const complete = (ref: JsonObject, argument: JsonObject): Promise<JsonObject> =>
        host.request('completion/complete', { ref, argument });
      const style = await complete(
        { type: 'ref/prompt', name: 'rich__greet' },
        { name: 'style', value: 'f' },
      );
      expect(style['completion']).toMatchObject({ values: ['formal', 'friendly'] });
      const id = await complete(
        { type: 'ref/resource', uri: 'plug://rich/test://item/{id}' },
        { name: 'id', value: '11' },
      );
      expect(id['completion']).toMatchObject({
        values: ['11', '110', '111', '112', '113', '114', '115', '116', '117', '118', '119'],
      });
    },
  );

  verifies(['G2'], 'gets results, structured content and errors unharmed, addresses mapped', async () => {
    const { host } = await open();
    const link = await host.call('rich__resource_link');
    expect(link['content']).toMatchObject([
      { type: 'resource_link', uri: expect.stringMatching(/^plug:\/\/rich\//) },
    ]);
    expect((await host.call('rich__image'))['content']).toMatchObject([
      { type: 'image', mimeType: 'image/png' },
    ]);
    expect((await host.call('rich__fail'))['isError']).toBe(true);
    await expect(host.call('rich__refuse')).rejects.toMatchObject({ name: 'RpcError' });
    await expect(host.call('rich__nothing')).rejects.toThrow(/There is no tool “rich__nothing” here/);
  });
});
