import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import type { JsonObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { type OffersApi, answerOffer, offerTools, parseOfferCall } from './offers-as-tools.ts';
import { checkSchema } from './schemas/check-schema.ts';

function api(): OffersApi & { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const note = <T>(request: unknown, answer: T): Promise<T> => {
    asked.push(request);
    return Promise.resolve(answer);
  };
  return {
    asked,
    resources: {
      list: (options) =>
        note(options, {
          resources: [
            { server: 'notes', definition: { uri: 'note:1', name: 'One', icons: [{ src: 'x' }], _meta: {} } },
          ],
          templates: [{ server: 'notes', definition: { uriTemplate: 'note:{id}', name: 'Any' } }],
        }),
      read: (request) =>
        note(request, {
          contents: [
            { uri: 'note:1', text: 'hello' },
            { uri: 'note:1', blob: 'AA==', mimeType: 'image/png' },
          ],
        }),
    },
    prompts: {
      list: (options) =>
        note(options, {
          prompts: [{ server: 'notes', definition: { name: 'sum', arguments: [{ name: 'n' }] } }],
        }),
      get: (request) =>
        note(request, { messages: [{ role: 'user', content: { type: 'text', text: 'Sum up' } }] }),
    },
  };
}

async function call(hub: OffersApi, name: string, args: JsonObject): Promise<JsonObject> {
  const request = parseOfferCall(name, args);
  if (!request) throw new Error(`no such tool: ${name}`);
  return answerOffer(request, hub);
}

verifies(
  ['T8'],
  'a model that knows only tools can list and read resources, and list and use prompts',
  async () => {
    const hub = api();
    expect((await call(hub, 'list_resources', {}))['structuredContent']).toEqual({
      resources: [{ server: 'notes', uri: 'note:1', name: 'One' }],
      templates: [{ server: 'notes', uriTemplate: 'note:{id}', name: 'Any' }],
    });
    expect(await call(hub, 'read_resource', { server: 'notes', uri: 'note:1' })).toEqual({
      content: [
        { type: 'text', text: 'hello' },
        { type: 'resource', resource: { uri: 'note:1', blob: 'AA==', mimeType: 'image/png' } },
      ],
    });
    const prompts = { prompts: [{ server: 'notes', name: 'sum', arguments: [{ name: 'n' }] }] };
    expect(await call(hub, 'list_prompts', { server: 'notes' })).toEqual({
      content: [{ type: 'text', text: JSON.stringify(prompts) }],
      structuredContent: prompts,
    });
    await call(hub, 'get_prompt', { server: 'notes', name: 'sum', arguments: { n: 3, of: 'x' } });
    expect(hub.asked).toEqual([
      {},
      { server: 'notes', uri: 'note:1' },
      { server: 'notes' },
      { server: 'notes', name: 'sum', args: { n: '3', of: 'x' } },
    ]);
  },
);

verifies(['T8'], 'these tools are offered only where there is something to offer, and they only read', () => {
  expect(offerTools({ resources: false, prompts: false })).toEqual([]);
  expect(offerTools({ resources: true, prompts: false }).map(({ ref }) => ref)).toEqual([
    'plug/list_resources',
    'plug/read_resource',
  ]);
  for (const tool of offerTools({ resources: true, prompts: true })) {
    expect(tool).toMatchObject({ server: 'plug', risk: 'read', pinned: true, flags: [] });
    expect(checkSchema(tool.definition['inputSchema'], limits)).toEqual({
      ok: true,
      schema: tool.definition['inputSchema'],
    });
    expect(tool.definition).not.toHaveProperty('offers');
  }
});

test('a call with wrong arguments says which one, and a foreign name is not ours', () => {
  expect(parseOfferCall('delete_resource', {})).toBeUndefined();
  const refused = (name: string, args: JsonObject): unknown => {
    try {
      return parseOfferCall(name, args);
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(refused('read_resource', { server: 'a' })).toBe(
    'The argument “uri” of plug/read_resource is wrong: it is required.',
  );
  expect(refused('list_prompts', { server: 3 })).toBe(
    'The argument “server” of plug/list_prompts is wrong: it must be text.',
  );
  expect(refused('get_prompt', { server: 'a', name: 'b', arguments: [] })).toBe(
    'The argument “arguments” of plug/get_prompt is wrong: it must be an object.',
  );
});
