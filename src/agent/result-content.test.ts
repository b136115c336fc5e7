import { expect, test } from 'vitest';
import { markExternal } from '../calls/external-text/mark.ts';
import { mediaOf } from './result-content.ts';
import { appUri } from '../catalog/app-tools.ts';

const picture = (data: string) => ({ type: 'image', data, mimeType: 'image/png' });

test('what fits is shown in its order, and one that does not fit does not keep out the next', () => {
  const content = [picture('A'.repeat(60)), picture('B'.repeat(60)), picture('C'.repeat(40))];
  expect(mediaOf({ content }, 100).map(({ data }) => data?.[0])).toEqual(['A', 'C']);
  expect(mediaOf({ content }, 0)).toEqual([]);
  expect(mediaOf({}, 100)).toEqual([]);
  expect(mediaOf({ content: [null, 7, 'text', {}, { type: 'text', text: 'x' }] as never }, 100)).toEqual([]);
});

test('a resource is shown without the marks that are for the model', () => {
  const resource = { uri: 'note:1', text: 'Milk.\nEggs.' };
  const result = { content: [{ type: 'resource', resource }] };
  const marked = markExternal(result, { server: 'notes', tool: 'read', boundary: 'ext_1' });
  expect(mediaOf(marked, 1_000)).toEqual([{ kind: 'resource', uri: 'note:1', text: 'Milk.\nEggs.' }]);
  const blob = {
    content: [{ type: 'resource', resource: { uri: 'a:b', blob: 'AAAA', mimeType: 'image/gif' } }],
  };
  expect(mediaOf(blob, 1_000)).toEqual([
    { kind: 'resource', uri: 'a:b', data: 'AAAA', mimeType: 'image/gif' },
  ]);
  expect(mediaOf({ content: [{ type: 'resource', resource: { text: 'nowhere' } }] }, 1_000)).toEqual([]);
});

test('a type that is none is left out, so that no address can be made of it', () => {
  for (const mimeType of ['image/png;base64,AAAA', 'text/html"><script>', 'image', '', 7]) {
    const block = { type: 'image', data: 'AAAA', mimeType };
    expect(mediaOf({ content: [block] }, 100)).toEqual([{ kind: 'image', data: 'AAAA' }]);
  }
});

test('only pages of the server itself are its pages', () => {
  expect(appUri({ _meta: { ui: { resourceUri: 'ui://a/b' } } })).toBe('ui://a/b');
  expect(appUri({ _meta: { 'ui/resourceUri': 'ui://a/c' } })).toBe('ui://a/c');
  expect(appUri({ _meta: { ui: {}, 'ui/resourceUri': 'ui://a/c' } })).toBe('ui://a/c');
  for (const uri of [
    'https://a.test',
    'ui://',
    'ui:// a',
    'javascript:alert(1)',
    7,
    `ui://${'a'.repeat(9_000)}`,
  ]) {
    expect(appUri({ _meta: { ui: { resourceUri: uri } } })).toBeUndefined();
  }
  expect(appUri({})).toBeUndefined();
  expect(appUri({ _meta: null })).toBeUndefined();
});
