import { isObject, type JsonObject } from '../../base/json.ts';

export interface Replacement {
  readonly before: string;
  readonly after: string;
  readonly all: boolean;
}

/** The text that arguments carry to be written, as servers usually name such arguments. */
export interface WrittenText {
  readonly kind: 'file' | 'text';
  /** Of the file; without one, the name of the argument. */
  readonly path: string;
  /** The new text. */
  readonly text?: string;
  /** It comes after what is there. */
  readonly appends?: boolean;
  /** Parts of the text that give way to others. */
  readonly replacements?: readonly Replacement[];
  /** The change is given as a diff already. */
  readonly patch?: string;
}

/** Undefined when the arguments carry no text of that kind. */
export function writtenText(args: JsonObject): WrittenText | undefined {
  const file = firstText(args, PATHS);
  const replacements = replacementsIn(args);
  if (replacements) return { ...named(file, replacements.argument), replacements: replacements.pairs };
  const patch = firstText(args, PATCHES);
  if (patch && LOOKS_LIKE_DIFF.test(patch.text)) return { ...named(file, patch.argument), patch: patch.text };
  const content = firstText(args, CONTENTS);
  if (!content || (!file && !isLong(content.text))) return undefined;
  return { ...named(file, content.argument), text: content.text, appends: args['mode'] === 'append' };
}

const PATHS = 'path file_path filepath filename file_name file target_file target_path destination'.split(
  ' ',
);
const CONTENTS =
  'content contents text body new_content new_contents file_text file_content new_text markdown html message description comment code data'.split(
    ' ',
  );
const PATCHES = ['patch', 'diff', 'unified_diff'];
const LISTS = new Set(['edits', 'changes', 'replacements', 'operations']);
const PAIRS = [
  ['old_string', 'new_string'],
  ['old_str', 'new_str'],
  ['old_text', 'new_text'],
  ['old', 'new'],
  ['before', 'after'],
  ['search', 'replace'],
  ['find', 'replace'],
] as const;

const LOOKS_LIKE_DIFF = /^(@@ |--- |diff --git |\*\*\* )/m;

interface Found {
  readonly argument: string;
  readonly text: string;
}

/** The first of these names that holds a text; `filePath` and `file-path` are `file_path`. */
function firstText(args: object, names: readonly string[]): Found | undefined {
  const texts = Object.entries(args).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  for (const name of names) {
    const found = texts.find(([argument]) => snake(argument) === name);
    if (found) return { argument: found[0], text: found[1] };
  }
  return undefined;
}

function snake(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

function replacementsIn(args: JsonObject): { argument: string; pairs: readonly Replacement[] } | undefined {
  const own = pairIn(args);
  if (own) return { argument: own.argument, pairs: [own.pair] };
  for (const [argument, list] of Object.entries(args)) {
    if (!LISTS.has(snake(argument)) || !Array.isArray(list) || list.length === 0) continue;
    const pairs = list.map((item) => (isObject(item) ? pairIn(item)?.pair : undefined));
    const whole = pairs.filter((pair) => pair !== undefined);
    if (whole.length === list.length) return { argument, pairs: whole };
  }
  return undefined;
}

function pairIn(item: object): { argument: string; pair: Replacement } | undefined {
  for (const [oldName, newName] of PAIRS) {
    const before = firstText(item, [oldName]);
    const after = firstText(item, [newName]);
    if (!before || !after) continue;
    const all = Object.entries(item).some(([name, value]) => snake(name) === 'replace_all' && value === true);
    return { argument: after.argument, pair: { before: before.text, after: after.text, all } };
  }
  return undefined;
}

function named(file: Found | undefined, argument: string): Pick<WrittenText, 'kind' | 'path'> {
  return file ? { kind: 'file', path: file.text } : { kind: 'text', path: argument };
}

/** A short word is readable among the arguments; a preview is for what is not. */
function isLong(text: string): boolean {
  return text.includes('\n') || text.length > 80;
}
