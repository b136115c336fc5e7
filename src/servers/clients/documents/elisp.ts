import { defined } from '../../../base/defined.ts';
import type { JsonObject } from '../../../base/json.ts';
import { positionsIn, valueAt, type ParsedDocument } from './document.ts';

/** A marked block of ours in an Emacs init file, markers included, without the line's end. */
export interface ElispBlock {
  readonly start: number;
  readonly end: number;
  readonly entry: JsonObject;
}

export const ELISP_BEGIN =
  ';; >>> plugboard: added by “plug connect emacs”, removed by “plug disconnect emacs”';
export const ELISP_END = ';; <<< plugboard';

/** The map of servers, as other clients have it; the user's own code is only text to us. */
export const ELISP_CONTAINER: readonly string[] = ['blocks'];

export function parseElisp(text: string): ParsedDocument {
  const block = findElispBlock(text);
  const rest = block ? text.slice(0, block.start) + text.slice(block.end) : text;
  const root = {
    ...(block ? { blocks: { plugboard: block.entry } } : {}),
    // Empty lines around the block come and go with it.
    ...(rest.trim() === '' ? {} : { rest: rest.trimEnd().replaceAll(/(?:\r?\n){3,}/g, '\n\n') }),
  };
  const positionOf = positionsIn(text);
  return {
    kind: 'ok',
    document: { value: (path) => valueAt(root, path), position: () => positionOf(block?.start ?? 0) },
  };
}

export function findElispBlock(text: string): ElispBlock | undefined {
  const start = lineWith(text, ';; >>> plugboard', 0);
  const last = start === undefined ? undefined : lineWith(text, ELISP_END, start);
  if (start === undefined || last === undefined) return undefined;
  const end = last + ELISP_END.length;
  return { start, end, entry: entryOf(text.slice(start, end)) };
}

function lineWith(text: string, words: string, from: number): number | undefined {
  if (from === 0 && text.startsWith(words)) return 0;
  const found = text.indexOf(`\n${words}`, from);
  return found === -1 ? undefined : found + 1;
}

function entryOf(block: string): JsonObject {
  const [command = '', ...args] = stringsIn(/\(setq plugboard-command '\(([^]*?)\)\)\r?\n/.exec(block)?.[1]);
  const [loadPath] = stringsIn(/\(add-to-list 'load-path ([^]*?)\)\r?\n/.exec(block)?.[1]);
  const [home] = stringsIn(/\(setq plugboard-home ([^]*?)\)\r?\n/.exec(block)?.[1]);
  const [profile] = stringsIn(/\(setq plugboard-profile ([^]*?)\)\r?\n/.exec(block)?.[1]);
  const flags = [
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(block.includes('(setq plugboard-read-only t)') ? ['--read-only'] : []),
  ];
  return { command, args: [...args, 'gateway', ...flags], ...defined({ loadPath, home }) };
}

function stringsIn(text = ''): readonly string[] {
  return Array.from(text.matchAll(/"((?:[^"\\]|\\[^])*)"/g), ([, inner = '']) =>
    inner.replaceAll(/\\([^])/g, '$1'),
  );
}
