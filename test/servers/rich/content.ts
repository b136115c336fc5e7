import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { type Obj, stringOf } from './tool.ts';
import type { World } from './world.ts';

export const resources: readonly Obj[] = [
  { uri: 'test://static', name: 'static', description: 'A text that never changes.', mimeType: 'text/plain' },
  { uri: 'test://binary', name: 'binary', mimeType: 'application/octet-stream' },
  { uri: 'test://watched', name: 'watched', description: 'Changes when touched.', mimeType: 'text/plain' },
];

export const resourceTemplates: readonly Obj[] = [
  { uriTemplate: 'test://item/{id}', name: 'item', description: 'One item.', mimeType: 'application/json' },
];

export const prompts: readonly Obj[] = [
  { name: 'plain', description: 'A prompt without arguments.' },
  {
    name: 'greet',
    description: 'Greets somebody.',
    arguments: [
      { name: 'who', description: 'Whom to greet', required: true },
      { name: 'style', description: 'formal, friendly or short' },
    ],
  },
];

export function readResource(uri: string, world: World): Obj {
  const item = /^test:\/\/item\/(.+)$/.exec(uri)?.[1];
  if (item !== undefined) {
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id: item }) }] };
  }
  switch (uri) {
    case 'test://static':
      return { contents: [{ uri, mimeType: 'text/plain', text: 'static text' }] };
    case 'test://binary':
      return { contents: [{ uri, mimeType: 'application/octet-stream', blob: 'AAEC/w==' }] };
    case 'test://watched':
      return { contents: [{ uri, mimeType: 'text/plain', text: `touched ${world.touched} times` }] };
    default:
      throw new ResourceNotFoundError(uri);
  }
}

export function getPrompt(name: string, args: Obj): Obj {
  if (name === 'plain') return { messages: [user('Say something.')] };
  if (name !== 'greet')
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`);
  if (typeof args['who'] !== 'string') {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'greet needs who.');
  }
  const style = stringOf(args['style'], 'friendly');
  return { description: 'A greeting.', messages: [user(`Greet ${args['who']}, ${style}.`)] };
}

const STYLES = ['formal', 'friendly', 'short'];
const ITEMS = Array.from({ length: 120 }, (_, index) => String(index));

/** Completes the prompt's `style` and the template's `id`. */
export function complete(params: Obj): Obj {
  // Parameters come from the test's client; anything else completes to nothing.
  const ref = (params['ref'] ?? {}) as Obj;
  const argument = (params['argument'] ?? {}) as Obj;
  const known =
    ref['type'] === 'ref/prompt' && argument['name'] === 'style'
      ? STYLES
      : ref['type'] === 'ref/resource' && argument['name'] === 'id'
        ? ITEMS
        : [];
  const values = known.filter((value) => value.startsWith(stringOf(argument['value'], '')));
  return { completion: { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 } };
}

function user(words: string): Obj {
  return { role: 'user', content: { type: 'text', text: words } };
}
