import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { readPage, root, userPages } from './pages.ts';

/** A text that people read, as it stands in its file; what is filled in is `…`. */
export interface Sentence {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export const faces = ['terminal', 'page', 'errors', 'docs'] as const;
export type Face = (typeof faces)[number];

/** What each face says. Everything outside the terminal and the page may become part of an error or an answer. */
export function sentencesOf(face: Face): readonly Sentence[] {
  if (face === 'docs') return userPages.flatMap(linesOf);
  return FILES[face]().flatMap((file) => textsIn(file));
}

const FILES: Readonly<Record<Exclude<Face, 'docs'>, () => readonly string[]>> = {
  terminal: () => sources('src/cli/**/*.ts').concat(TERMINAL),
  page: () => sources('web/{src,app-frame}/**/*.{ts,tsx}').concat(sources('src/api/approval-page/*.ts')),
  errors: () => sources('src/**/*.ts').filter((file) => !NO_ANSWERS.test(file) && !TERMINAL.includes(file)),
};
/** The terminal has a face of its own; storage says nothing, and phrases are what people type. */
const NO_ANSWERS = /^src\/(?:cli|storage)\/|\/phrases\.ts$/;
const TERMINAL = ['src/bin.ts', 'src/base/remedy-command.ts'];

function sources(pattern: string): string[] {
  return globSync(pattern, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.(?:test|d)\.tsx?$/.test(file))
    .toSorted();
}

function linesOf(file: string): readonly Sentence[] {
  const lines = readPage(file).split('\n');
  return lines.flatMap((text, at) => (text.trim() === '' ? [] : [{ file, line: at + 1, text: text.trim() }]));
}

function textsIn(file: string): readonly Sentence[] {
  const source = readFileSync(`${root}${file}`, 'utf8');
  const found: Sentence[] = [];
  const add = (text: string, at: number): void => {
    const shown = text.replaceAll(/\s+/g, ' ').trim();
    if (!READS_LIKE_WORDS.test(shown) || NO_SENTENCE.test(shown)) return;
    found.push({ file, line: source.slice(0, at).split('\n').length, text: shown });
  };
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), add);
  return found;
}

const READS_LIKE_WORDS = /\p{L}{2,}[\s…,.:;!?’'“”()–-]+\p{L}|^\p{Lu}\p{Ll}{2,}[.…?]?$/u;
/** Directives, types of content, SQL, and lists of words. */
const NO_SENTENCE =
  /^(?:use strict|[a-z-]+\/[a-z-]+)$|\b(?:SELECT|INSERT INTO|CREATE TABLE|PRAGMA)\b|^(?:[\p{Ll}\d]+ ){12,}[\p{Ll}\d]+$/u;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [name: string]: unknown;
}

/** Words for engineers alone: why a promise is ignored, a broken invariant, a line of the log. */
const NOT_FOR_PEOPLE = /^(?:ignore|assert|warn|info|debug|Error|TypeError|RegExp|Set|Map)$/;

function visit(node: unknown, add: (text: string, at: number) => void): void {
  if (Array.isArray(node)) return node.forEach((each) => visit(each, add));
  if (!isNode(node)) return;
  const { type, start } = node;
  if (type.startsWith('Import') || type.startsWith('TS') || isForEngineers(node)) return;
  if (type === 'Literal' || type === 'JSXText') {
    if (typeof node['value'] === 'string') add(node['value'], start);
    return;
  }
  if (type === 'TemplateLiteral') {
    const parts = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[]; // its shape in ESTree
    add(parts.map(({ value }) => value.cooked).join('…'), start);
    return visit(node['expressions'], add);
  }
  for (const [name, part] of Object.entries(node)) {
    if (typeof part === 'object' && !(name === 'key' && type === 'Property') && name !== 'source')
      visit(part, add);
  }
}

function isForEngineers({ type, callee }: Node): boolean {
  if ((type !== 'CallExpression' && type !== 'NewExpression') || !isNode(callee)) return false;
  const named = isNode(callee['property']) ? callee['property'] : callee;
  return NOT_FOR_PEOPLE.test(String(named['name']));
}

function isNode(given: unknown): given is Node {
  return typeof given === 'object' && given !== null && 'type' in given && 'start' in given;
}
