import { type JsonObject, isObject } from '../base/json.ts';
import { wordSet } from './word-set.ts';
import { limits } from '../base/limits.ts';
import { findCarrier, findInstructions } from './flags-instructions.ts';
import type { Flag, FlagKind } from './tool.ts';
import { findHidden, showHidden } from './hidden-text.ts';
import { type KnownNames, disguise } from './look-alike.ts';

type AnyTool = JsonObject & { readonly name: string };

export interface FlagContext {
  readonly server: string;
  readonly tools: ReadonlySet<string>;
  readonly others: KnownNames;
}

export function flagsOf(tool: AnyTool, context?: FlagContext): readonly Flag[] {
  const own = ownFlags(tool);
  return context === undefined ? own : [...own, ...relativeFlags(tool, context)];
}

function ownFlags(tool: AnyTool): readonly Flag[] {
  const flags: Flag[] = [];
  const meant = disguise(tool.name);
  if (meant !== undefined) {
    const detail = `The name has letters of another alphabet; it looks like “${meant}”: ${spell(tool.name)}.`;
    flags.push({ kind: 'look_alike', field: 'name', detail });
  }
  const reading: Reading = { flags, path: [], strings: 0 };
  for (const field of FIELDS) readInto(reading, tool[field], field);
  return flags;
}

export function relativeFlags(tool: AnyTool, context: FlagContext): readonly Flag[] {
  const flags: Flag[] = [];
  const like = context.others.toolLike(tool.name, context.server);
  if (like !== undefined) {
    const detail = `“${showHidden(tool.name)}” can be mistaken for ${showHidden(like)}.`;
    flags.push({ kind: 'look_alike', field: 'name', detail });
  }
  const borrowed = findBorrowedName(tool.name, context.server, context.others);
  if (borrowed !== undefined) flags.push({ kind: 'shadowing', field: 'name', detail: borrowed });
  const { description } = tool;
  const order =
    typeof description === 'string' ? findShadowing(description, context, context.others) : undefined;
  if (order !== undefined) flags.push({ kind: 'shadowing', field: 'description', detail: order });
  return flags;
}

export function serverFlag(id: string, others: KnownNames): Flag | undefined {
  const like = others.serverLike(id);
  if (like === undefined) return undefined;
  return { kind: 'look_alike', field: 'server', detail: `The server “${id}” can be mistaken for “${like}”.` };
}

interface Reading {
  readonly flags: Flag[];
  readonly path: string[];
  strings: number;
}

/** All texts reach the model, including property names. */
function readInto(reading: Reading, value: unknown, key?: string): void {
  if (key !== undefined) reading.path.push(key);
  if (typeof value === 'string') {
    readText(reading, value);
  } else if (typeof value === 'object' && value !== null) {
    if (reading.path.length > limits.flaggedDepthMax || reading.strings > limits.flaggedStringsMax) {
      add(reading, 'instructions', 'There is too much of it to be read through.');
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) readInto(reading, item, String(index));
    } else if (isObject(value)) {
      readObject(reading, value);
    }
  }
  if (key !== undefined) reading.path.pop();
}

function readObject(reading: Reading, value: Record<string, unknown>): void {
  const isProperties = reading.path.at(-1) === 'properties';
  for (const key in value) {
    readText(reading, key);
    const carrier = isProperties ? findCarrier(key) : undefined;
    if (carrier !== undefined) add(reading, 'instructions', carrier);
    readInto(reading, value[key], key);
  }
}

function readText(reading: Reading, text: string): void {
  reading.strings += 1;
  if (SCHEMA_WORDS.has(text)) return;
  const hidden = findHidden(text);
  if (hidden !== undefined) {
    const { count, codes } = hidden;
    const detail = `It has ${count} hidden ${count === 1 ? 'character' : 'characters'}: ${codes.join(', ')}.`;
    add(reading, 'hidden_characters', detail);
  }
  const instruction = findInstructions(text);
  if (instruction !== undefined) add(reading, 'instructions', instruction);
}

/** The same flag a hundred times would be unreadable. */
function add(reading: Reading, kind: FlagKind, detail: string): void {
  if (reading.flags.length >= limits.flagsPerToolMax) return;
  const field = showHidden(reading.path.join('.')).slice(0, FIELD_CHARS_MAX);
  reading.flags.push({ kind, field, detail: showHidden(detail) });
}

function spell(name: string): string {
  return Array.from(name.slice(0, FIELD_CHARS_MAX), (letter) =>
    /[!-~]/.test(letter)
      ? letter
      : `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  ).join(' ');
}

const SCHEMA_WORDS: ReadonlySet<string> = wordSet(
  'type properties required description title default items enum object string number integer boolean array null additionalProperties $schema anyOf minimum maximum name id query path url limit',
);
const FIELDS = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;
const FIELD_CHARS_MAX = 200;

/** As if it belonged to another server: `github__create_issue`. */
function findBorrowedName(name: string, server: string, others: KnownNames): string | undefined {
  const found = BORROWED.exec(name);
  const owner = found?.[1]?.toLowerCase();
  if (found === null || owner === undefined || owner === server || !others.hasServer(owner)) return undefined;
  // In issues.list the dot parts a thing from a verb: only an existing tool is borrowed.
  const isSure = found[2] !== '.' || others.ownersOf(name.slice(found[0].length)).includes(owner);
  return isSure ? `It is called as if it were a tool of the server ${owner}.` : undefined;
}

/** Equal tool names on two servers are fine. */
function findShadowing(
  text: string,
  own: { readonly server: string; readonly tools: ReadonlySet<string> },
  others: KnownNames,
): string | undefined {
  for (const { word, index } of identifiersIn(text)) {
    if (own.tools.has(word)) continue;
    const owner = others.ownersOf(word).find((id) => id !== own.server);
    if (owner === undefined) continue;
    const around = text.slice(Math.max(0, index - NEAR_CHARS), index + word.length + NEAR_CHARS);
    if (ORDERS.test(around)) return `It gives orders about ${owner}/${word}, a tool of another server.`;
  }
  return undefined;
}

/** With a dash, an underscore or an inner capital. */
function* identifiersIn(text: string): Iterable<{ readonly word: string; readonly index: number }> {
  let start = 0;
  let isName = false;
  for (let index = 0; index <= text.length; index += 1) {
    const code = text.charCodeAt(index);
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) continue;
    const isCapital = code >= 65 && code <= 90;
    if (isCapital || code === 95 || code === 45) {
      isName ||= index > start;
      continue;
    }
    if (isName && index - start <= NAME_CHARS_MAX) yield { word: text.slice(start, index), index: start };
    start = index + 1;
    isName = false;
  }
}

const BORROWED = /^(?:mcp(?:__|:))?([a-zA-Z0-9][a-zA-Z0-9-]{1,63}?(?:[._][a-zA-Z0-9-]{1,63}?)??)(__|[.:/])/;
const ORDERS =
  /\b(?:must|always|never|instead|before|after|when|whenever|do not|don['’]t|first|rather than|redirect|bcc|ignore|replace[sd]?)\b/i;
const NEAR_CHARS = 100;
const NAME_CHARS_MAX = 128;
