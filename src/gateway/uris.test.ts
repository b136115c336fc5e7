import { assert, property, string, stringMatching } from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { mapArguments, mapUris, namespacedUris, ownUris } from './uris.ts';

const serverId = stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/);

verifies(['G2'], 'an address that a host is shown leads back to its server, whatever it looks like', () => {
  assert(
    property(serverId, string({ minLength: 1 }), (server, uri) => {
      expect(namespacedUris.back(namespacedUris.out(server, uri))).toEqual({ server, uri });
    }),
  );
  assert(
    property(serverId, string({ minLength: 1 }), (server, rest) => {
      const shown = namespacedUris.out(server, `ui://${rest}`);
      expect(shown.startsWith('ui://')).toBe(true);
      expect(namespacedUris.back(shown)).toEqual({ server, uri: `ui://${rest}` });
    }),
  );
});

test('the same address of two servers is two addresses, and a template stays one', () => {
  const [one, other] = ['a', 'b'].map((server) => namespacedUris.out(server, 'test://data/{id}'));
  expect(one).not.toBe(other);
  expect(one).toContain('{id}');
  const filled = String(one).replace('{id}', '7');
  expect(namespacedUris.back(filled)).toEqual({ server: 'a', uri: 'test://data/7' });
});

test('one server alone keeps its addresses', () => {
  const uris = ownUris('files');
  expect(uris.out('files', 'file:///a')).toBe('file:///a');
  expect(uris.back('file:///a')).toEqual({ server: 'files', uri: 'file:///a' });
});

verifies(
  ['G2'],
  'addresses are mapped wherever the specification puts one, and nothing else is touched',
  () => {
    const out = (uri: string): string => namespacedUris.out('s', uri);
    const result = {
      content: [
        { type: 'text', text: 'see test://a' },
        { type: 'resource_link', uri: 'test://a', name: 'a', later: 1 },
        { type: 'resource', resource: { uri: 'test://b', text: 'uri: test://c', unknown: { uri: 'x://y' } } },
        { type: 'video', frames: [{ uri: 'test://frame' }] },
      ],
      structuredContent: { uri: 'test://mine' },
      _meta: { ui: { resourceUri: 'ui://app/view' }, other: { uri: 'x://z' } },
      future: { uri: 'test://future' },
    };
    const shown = mapUris(result, out);
    expect(shown).toEqual({
      ...result,
      content: [
        result.content[0],
        { ...result.content[1], uri: 'plug://s/test://a' },
        {
          type: 'resource',
          resource: { uri: 'plug://s/test://b', text: 'uri: test://c', unknown: { uri: 'x://y' } },
        },
        result.content[3],
      ],
      _meta: { ui: { resourceUri: 'ui://plug/s/app/view' }, other: { uri: 'x://z' } },
    });
    const plain = { content: [{ type: 'text', text: 'hi' }] };
    expect(mapUris(plain, out)).toBe(plain);
  },
);

test('a prompt’s messages and what was read carry mapped addresses', () => {
  const out = (uri: string): string => namespacedUris.out('s', uri);
  expect(mapUris({ contents: [{ uri: 't://1', text: '' }] }, out)['contents']).toEqual([
    { uri: 'plug://s/t://1', text: '' },
  ]);
  const message = { role: 'user', content: { type: 'resource', resource: { uri: 't://2', text: '' } } };
  expect(mapUris({ messages: [message] }, out)['messages']).toEqual([
    { role: 'user', content: { type: 'resource', resource: { uri: 'plug://s/t://2', text: '' } } },
  ]);
});

test('an address that a model hands back reaches the server as the server knows it', () => {
  const back = (text: string): string | undefined => namespacedUris.back(text)?.uri;
  const args = { uri: 'plug://s/test://a', list: ['plug://s/test://b', 'text'], deep: { n: 1 } };
  expect(mapArguments(args, back)).toEqual({ uri: 'test://a', list: ['test://b', 'text'], deep: { n: 1 } });
  const untouched = { a: 'x', b: [1, { c: null }] };
  expect(mapArguments(untouched, back)).toBe(untouched);
});
