import type { JsonObject } from '../base/json.ts';
import { ELISP_BEGIN, ELISP_END, findElispBlock } from '../servers/clients/documents/elisp.ts';
import { applyChanges, eolOf, type EntryEdit } from './layout.ts';

/** A block between two marks at the end of the init file; the rest is the user's, and stays. */
export function editElisp(text: string, { entry }: EntryEdit): string | undefined {
  const eol = eolOf(text);
  const found = findElispBlock(text);
  const block = entry === null ? undefined : renderBlock(entry, eol);
  if (!found) {
    if (block === undefined) return text;
    if (text === '') return block + eol;
    return text.endsWith('\n') ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}`;
  }
  const { start, end } = found;
  if (block !== undefined) return applyChanges(text, [{ start, end, text: block }]);
  // A file that did not end with a line end gets that state back.
  const unfinished = end === text.length;
  const blank = (unfinished ? /(\r?\n){1,2}$/ : /(?<=\n)\r?\n$/).exec(text.slice(0, start))?.[0] ?? '';
  const after = unfinished ? '' : (/^\r?\n/.exec(text.slice(end))?.[0] ?? '');
  return applyChanges(text, [{ start: start - blank.length, end: end + after.length, text: '' }]);
}

function renderBlock(entry: JsonObject, eol: string): string {
  const words = [entry['command'], ...(Array.isArray(entry['args']) ? entry['args'] : [])].map(String);
  const gateway = words.indexOf('gateway');
  const flags = words.slice(gateway + 1);
  const profile = flags[flags.indexOf('--profile') + 1];
  const { loadPath, home } = entry;
  return [
    ELISP_BEGIN,
    ...(typeof home === 'string' ? [`(setq plugboard-home ${quoted(home)})`] : []),
    ...(typeof loadPath === 'string' ? [`(add-to-list 'load-path ${quoted(loadPath)})`] : []),
    `(setq plugboard-command '(${words.slice(0, gateway).map(quoted).join(' ')}))`,
    ...(flags.includes('--profile') && profile !== undefined
      ? [`(setq plugboard-profile ${quoted(profile)})`]
      : []),
    ...(flags.includes('--read-only') ? ['(setq plugboard-read-only t)'] : []),
    // Emacs starts all the same when the package has been uninstalled.
    "(when (require 'plugboard nil t) (plugboard-mode 1))",
    ELISP_END,
  ].join(eol);
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
