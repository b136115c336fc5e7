import type { JsonObject } from '../base/json.ts';
import type { KeyPath } from '../servers/clients/documents/document.ts';

export interface EntryEdit {
  readonly container: KeyPath;
  /** Entries of a list carry their name themselves. */
  readonly list: boolean;
  readonly key: string;
  readonly entry: JsonObject | null;
  /** Looks at what stands there now, and throws when it must stay. */
  readonly check?: (found: unknown) => void;
}

export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function applyChanges(text: string, changes: readonly TextChange[]): string {
  let result = text;
  for (const { start, end, text: inserted } of changes.toSorted((a, b) => b.start - a.start)) {
    result = result.slice(0, start) + inserted + result.slice(end);
  }
  return result;
}

export function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

export function indentUnitOf(text: string): string {
  return /^(\t| {1,8})(?=\S)/m.exec(text)?.[1] ?? '  ';
}

export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

export function indented(text: string, indent: string, eol: string): string {
  return text.split('\n').join(eol + indent);
}

/** Comments of JSON become spaces, so that offsets stay. Only for text outside of strings. */
export function withoutComments(text: string): string {
  return text.replaceAll(/\/\/[^\n]*|\/\*[^]*?\*\//g, (comment) => ' '.repeat(comment.length));
}
