import { isObject, type JsonObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { ApprovalPreview } from '../approval.ts';
import { shortestEdits } from '../../base/edit-path.ts';

interface PreviewOptions {
  readonly limits: Limits;
  /** Only for servers that write on this machine. */
  readonly read?: ((path: string) => Promise<string | undefined>) | undefined;
}

export function previewOf(
  args: JsonObject,
  { limits, read }: PreviewOptions,
): ApprovalPreview | Promise<ApprovalPreview> | undefined {
  const written = writtenText(args);
  if (!written) return undefined;
  if (written.kind === 'text' || !read || written.patch !== undefined)
    return draw(written, undefined, limits);
  return read(written.path).then((earlier) => draw(written, earlier, limits));
}

function draw(written: WrittenText, earlier: string | undefined, limits: Limits): ApprovalPreview {
  const { kind, path } = written;
  if (written.patch !== undefined) return { kind, path, isDiff: true, text: cut(written.patch, limits) };
  const diff = (before: string, after: string): string =>
    unifiedDiff(before, after, { path, editsMax: limits.previewLineEditsMax });
  if (written.replacements) {
    const whole = earlier === undefined ? undefined : replaced(earlier, written.replacements);
    const text =
      earlier !== undefined && whole !== undefined
        ? diff(earlier, whole)
        : written.replacements.map(({ before, after }) => diff(before, after)).join('\n');
    return { kind, path, isDiff: true, text: cut(text, limits), ...(whole === undefined ? {} : FROM_DISK) };
  }
  const text = written.text ?? '';
  if (earlier === undefined) return { kind, path, isDiff: false, text: cut(text, limits) };
  const changed = diff(earlier, written.appends ? earlier + text : text);
  return { kind, path, isDiff: true, text: cut(changed, limits), ...FROM_DISK };
}

const FROM_DISK = { fromDisk: true } as const;

/** Undefined when the file lacks the text to replace: then only the pairs are shown. */
function replaced(text: string, replacements: readonly Replacement[]): string | undefined {
  let now = text;
  for (const { before, after, all } of replacements) {
    if (before === '' || !now.includes(before)) return undefined;
    // A function, since “$&” in a text is special.
    now = all ? now.replaceAll(before, () => after) : now.replace(before, () => after);
  }
  return now;
}

function cut(text: string, { previewCharsMax }: Limits): string {
  const rest = text.length - previewCharsMax;
  return rest <= 0 ? text : `${text.slice(0, previewCharsMax)}\n… ${rest} more characters`;
}

interface Replacement {
  readonly before: string;
  readonly after: string;
  readonly all: boolean;
}

/** Text to be written, under the argument names that servers usually have. */
interface WrittenText {
  readonly kind: 'file' | 'text';
  readonly path: string;
  readonly text?: string;
  readonly appends?: boolean;
  readonly replacements?: readonly Replacement[];
  readonly patch?: string;
}

function writtenText(args: JsonObject): WrittenText | undefined {
  const file = firstText(args, PATHS);
  const replacements = replacementsIn(args);
  if (replacements) return { ...named(file, replacements.argument), replacements: replacements.pairs };
  const patch = firstText(args, PATCHES);
  if (patch && LOOKS_LIKE_DIFF.test(patch.text)) return { ...named(file, patch.argument), patch: patch.text };
  const content = firstText(args, CONTENTS);
  if (!content || (!file && content.text.length <= 80 && !content.text.includes('\n'))) return undefined;
  return { ...named(file, content.argument), text: content.text, appends: args['mode'] === 'append' };
}

const PATHS = words('path file_path filepath filename file_name file target_file target_path destination');
const CONTENTS = words(
  `content contents text body new_content new_contents file_text file_content new_text markdown html message
  description comment code data`,
);
const PATCHES = ['patch', 'diff', 'unified_diff'];
const LISTS = new Set(['edits', 'changes', 'replacements', 'operations']);
const PAIRS =
  'old_string:new_string old_str:new_str old_text:new_text old:new before:after search:replace find:replace'
    .split(' ')
    .map((pair) => pair.split(':'));

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

const LOOKS_LIKE_DIFF = /^(@@ |--- |diff --git |\*\*\* )/m;

interface NamedText {
  readonly argument: string;
  readonly text: string;
}

/** `filePath` and `file-path` count as `file_path`. */
function firstText(args: object, names: readonly string[]): NamedText | undefined {
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
  const texts = Object.entries(args).filter(isText);
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
  for (const [oldName = '', newName = ''] of PAIRS) {
    const before = firstText(item, [oldName]);
    const after = firstText(item, [newName]);
    if (!before || !after) continue;
    const all = Object.entries(item).some(([name, value]) => snake(name) === 'replace_all' && value === true);
    return { argument: after.argument, pair: { before: before.text, after: after.text, all } };
  }
  return undefined;
}

function named(file: NamedText | undefined, argument: string): Pick<WrittenText, 'kind' | 'path'> {
  return file ? { kind: 'file', path: file.text } : { kind: 'text', path: argument };
}

/** As `diff -u` writes it; empty when the texts are equal. */
export function unifiedDiff(
  before: string,
  after: string,
  { path, editsMax }: { readonly path: string; readonly editsMax: number },
): string {
  if (before === after) return '';
  const old = linesOf(before);
  const fresh = linesOf(after);
  const hunks = hunksOf(editsOf(old, fresh, editsMax));
  const name = path.replaceAll(/[\r\n]/g, ' ');
  return [`--- ${name}`, `+++ ${name}`, ...hunks].join('\n');
}

const CONTEXT = 3;
const NO_NEWLINE = '\n\\ No newline at end of file';

/** A last line without its newline differs from the same line with it. */
function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines.at(-1)}${NO_NEWLINE}`];
}

type Sign = ' ' | '-' | '+';
type Edit = readonly [sign: Sign, line: string];

function editsOf(old: readonly string[], fresh: readonly string[], editsMax: number): readonly Edit[] {
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1;
  let tail = 0;
  const most = Math.min(old.length, fresh.length) - head;
  while (tail < most && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const removed = old.slice(head, old.length - tail);
  const added = fresh.slice(head, fresh.length - tail);
  const middle = shortestEdits(removed, added, editsMax) ?? [
    ...removed.map((line): Edit => ['-', line]),
    ...added.map((line): Edit => ['+', line]),
  ];
  const same = (line: string): Edit => [' ', line];
  return [...old.slice(0, head).map(same), ...middle, ...old.slice(old.length - tail).map(same)];
}

function hunksOf(edits: readonly Edit[]): readonly string[] {
  const lines: string[] = [];
  let at = 0;
  let oldLine = 1;
  let freshLine = 1;
  while (at < edits.length) {
    const first = edits.findIndex(([sign], index) => index >= at && sign !== ' ');
    if (first === -1) break;
    const from = Math.max(at, first - CONTEXT);
    oldLine += from - at;
    freshLine += from - at;
    const to = endOfHunk(edits, first);
    const hunk = edits.slice(from, to);
    const olds = hunk.filter(([sign]) => sign !== '+').length;
    const freshs = hunk.filter(([sign]) => sign !== '-').length;
    lines.push(`@@ -${range(oldLine, olds)} +${range(freshLine, freshs)} @@`);
    for (const [sign, line] of hunk) lines.push(sign + line);
    oldLine += olds;
    freshLine += freshs;
    at = to;
  }
  return lines;
}

function endOfHunk(edits: readonly Edit[], first: number): number {
  let last = first;
  for (let index = first; index < edits.length && index <= last + 2 * CONTEXT; index += 1) {
    if (edits[index]?.[0] !== ' ') last = index;
  }
  return Math.min(edits.length, last + CONTEXT + 1);
}

/** An empty range names the line before it. */
function range(line: number, count: number): string {
  return count === 0 ? `${line - 1},0` : count === 1 ? `${line}` : `${line},${count}`;
}
