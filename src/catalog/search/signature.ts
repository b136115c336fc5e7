import { isObject } from '../../base/json.ts';
import { withoutHidden } from '../hidden-text.ts';
import { renderName, type NameForm } from '../names.ts';
import { firstSentence, type ToolDocument } from './document.ts';
import { searchLimits } from './limits.ts';

type Described = Pick<ToolDocument, 'server' | 'name' | 'title' | 'description' | 'inputSchema'>;

/** `server__tool(param: type, optional?: type) — first sentence`, bounded in length. */
export function signature(tool: Described, form: NameForm = 'server__tool'): string {
  const name = renderName({ server: tool.server, tool: tool.name }, form);
  const sentence = sentenceOf(tool.description ?? tool.title ?? '');
  const room = searchLimits.signatureCharsMax - name.length - sentence.length - '() — '.length;
  const call = `${name}(${parametersOf(tool.inputSchema, room)})`;
  return sentence === '' ? call : `${call} — ${sentence}`;
}

/** The server's text must not start a line of its own or hide. */
function sentenceOf(text: string): string {
  const line = oneLine(text.slice(0, searchLimits.fieldCharsMax));
  return cut(firstSentence(line), searchLimits.signatureSentenceCharsMax);
}

/** Required first; those that don't fit are counted. */
function parametersOf(schema: unknown, room: number): string {
  if (!isObject(schema) || !isObject(schema['properties'])) return '';
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const all = Object.entries(schema['properties']).slice(0, searchLimits.parametersMax);
  const { needed = [], optional = [] } = Object.groupBy(all, ([name]) =>
    required.has(name) ? 'needed' : 'optional',
  );
  const ordered = [...needed, ...optional];
  const shown: string[] = [];
  let left = room;
  for (const [name, type] of ordered) {
    const text = `${cut(oneLine(name), searchLimits.signatureTypeCharsMax)}${required.has(name) ? '' : '?'}: ${typeOf(type, 0)}`;
    left -= text.length + 2;
    if (left < ELLIPSIS_ROOM) return [...shown, `… ${ordered.length - shown.length} more`].join(', ');
    shown.push(text);
  }
  return shown.join(', ');
}

function typeOf(schema: unknown, depth: number): string {
  if (!isObject(schema) || depth > searchLimits.schemaDepthMax) return 'any';
  const { type, enum: values, items, anyOf, oneOf } = schema;
  if (Array.isArray(values)) {
    const choices = values.map((value) => JSON.stringify(value)).join('|');
    return cut(oneLine(choices), searchLimits.signatureTypeCharsMax);
  }
  const either = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined;
  if (either) {
    const types = new Set(either.map((one) => typeOf(one, depth + 1)).filter((one) => one !== 'null'));
    return cut([...types].join('|'), searchLimits.signatureTypeCharsMax);
  }
  if (type === 'array') return `${typeOf(items, depth + 1)}[]`;
  const names = (Array.isArray(type) ? type : [type]).filter((one) => TYPES.has(one));
  return names.join('|') || 'any';
}

function oneLine(text: string): string {
  return withoutHidden(text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')).trim();
}

function cut(text: string, most: number): string {
  return text.length <= most
    ? text
    : `${text
        .slice(0, most - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'null']);
const ELLIPSIS_ROOM = 12;
