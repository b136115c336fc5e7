import { createHash } from 'node:crypto';
import type { ToolRef } from './tool.ts';

export type NameForm = 'mcp__server__tool' | 'mcp:server:tool' | 'server.tool' | 'server__tool';

export const nameForms: readonly NameForm[] = [
  'mcp__server__tool',
  'mcp:server:tool',
  'server.tool',
  'server__tool',
];

/**
 * Depends on the tool alone. A name is *clean* when splitting it gives back the tool; otherwise it ends in
 * a hash. Invariant: two tools never share a name, in the same form or in different ones.
 */
export function renderName(ref: ToolRef, form: NameForm): string {
  return cleanName(ref, form) ?? hashedName(ref, form);
}

export function cleanName(ref: ToolRef, form: NameForm): string | undefined {
  const { prefix, separator, permitted } = STYLES[form];
  const text = prefix + ref.server + separator + ref.tool;
  if (text.length > NAME_CHARS_MAX || !permitted.test(text) || RESERVED.test(text)) return undefined;
  // Three underscores could be split in two ways.
  if (separator === '__' && (ref.server.endsWith('_') || ref.tool.startsWith('_'))) return undefined;
  const back = splitName(text);
  return back?.server === ref.server && back.tool === ref.tool ? text : undefined;
}

/** Not for canonical `server/tool`. */
export function splitName(text: string): ToolRef | undefined {
  if (text.length > NAME_CHARS_MAX || hashOfName(text) !== undefined) return undefined;
  if (UNDERSCORED.test(text)) {
    const rest = text.startsWith('mcp__') ? text.slice(5) : text;
    return splitAt(rest, '__') ?? splitAt(text, '__');
  }
  if (!DOTTED.test(text)) return undefined;
  return text.startsWith('mcp:') ? splitAt(text.slice(4), ':') : splitAt(text, '.');
}

export function hashOfName(text: string): string | undefined {
  return text.length <= NAME_CHARS_MAX ? HASH_AT_END.exec(text)?.[1] : undefined;
}

/** Over JSON: UTF-8 can't represent half a surrogate pair. */
export function hashOfRef(ref: ToolRef): string {
  const canonical = JSON.stringify(`${ref.server}/${ref.tool}`);
  return createHash('sha256').update(canonical).digest('hex').slice(0, HASH_CHARS);
}

function hashedName(ref: ToolRef, form: NameForm): string {
  const { prefix, separator } = STYLES[form];
  const server = readable(ref.server, 'server');
  const tool = readable(ref.tool, 'tool');
  // “plug_” is reserved for our own tools.
  const start = prefix === '' && server.startsWith('plug') ? 'x_' : prefix;
  const room = NAME_CHARS_MAX - HASH_CHARS - 1 - start.length - separator.length;
  const serverRoom = Math.max(room - tool.length, Math.floor(room / 2));
  const head = server.slice(0, serverRoom);
  return `${start}${head}${separator}${tool.slice(0, room - head.length)}_${hashOfRef(ref)}`;
}

function readable(text: string, otherwise: string): string {
  const plain = text
    .slice(0, NAME_CHARS_MAX)
    .replaceAll(/[^a-zA-Z0-9-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return plain === '' ? otherwise : plain;
}

function splitAt(text: string, separator: string): ToolRef | undefined {
  const at = text.indexOf(separator);
  if (at <= 0 || at + separator.length >= text.length) return undefined;
  const server = text.slice(0, at);
  return SERVER_ID.test(server) ? { server, tool: text.slice(at + separator.length) } : undefined;
}

/** The strictest provider's limit. */
const NAME_CHARS_MAX = 64;
const HASH_CHARS = 10;
const HASH_AT_END = /_([0-9a-f]{10})$/;
const SERVER_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const RESERVED = /^plug_/;

const UNDERSCORED = /^[a-zA-Z0-9_-]+$/;
/** Without dot or colon it is read as underscored. */
const DOTTED = /^[a-zA-Z0-9_.:-]+$/;

const STYLES: Readonly<
  Record<NameForm, { readonly prefix: string; readonly separator: string; readonly permitted: RegExp }>
> = {
  mcp__server__tool: { prefix: 'mcp__', separator: '__', permitted: UNDERSCORED },
  'mcp:server:tool': { prefix: 'mcp:', separator: ':', permitted: DOTTED },
  'server.tool': { prefix: '', separator: '.', permitted: DOTTED },
  server__tool: { prefix: '', separator: '__', permitted: UNDERSCORED },
};
