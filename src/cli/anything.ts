import { usage } from './failures.ts';
import { PlugError } from '../base/errors.ts';
import { featuredLookup } from '../servers/featured.ts';
import { isServerId } from '../servers/definition.ts';
import { parsePaste } from '../servers/paste/parse-paste.ts';
import { isPasteFile, readPasteFile, type PasteInput } from './paste-input.ts';
import { shellWords } from '../base/shell-words.ts';
import type { Session } from './session.ts';

export interface AddWords {
  readonly first?: string;
  readonly more: readonly string[];
  readonly name?: string;
  /** As typed, to see where `--` stood. */
  readonly argv: readonly string[];
}

export interface Anything {
  readonly input: PasteInput;
  readonly name: string | undefined;
  /** `NEED=value`, each. */
  readonly pairs: readonly string[];
}

/**
 * Tells `plug add ANYTHING` from `plug add NAME -- COMMAND` and `plug add NAME URL`, for which the
 * answer is undefined.
 */
export async function wantsAnything(words: AddWords, session: Session): Promise<Anything | undefined> {
  const { first, more, name, argv } = words;
  if (first === undefined)
    throw usage('Say what to connect to.', 'plug add ANYTHING, or plug add NAME -- COMMAND');
  const dashes = argv.indexOf('--');
  if (dashes >= 0) {
    const named = name === undefined && argv.slice(argv.indexOf('add') + 1, dashes).includes(first);
    if (named) return undefined;
    return { input: { from: 'words', text: shellWords([first, ...more]) }, name, pairs: [] };
  }
  const values = more.filter((word) => PAIR.test(word));
  const rest = more.filter((word) => !PAIR.test(word));
  const [second] = rest;
  if (second === undefined) {
    if (first === '-' || (await isPasteFile(first, session.cwd)))
      return { input: await readPasteFile(first, session), name, pairs: values };
    checkPath(first);
    return { input: { from: 'words', text: first }, name, pairs: values };
  }
  if (rest.length === 1 && isServerId(first) && name === undefined) {
    if (/^(https?|wss?):\/\//i.test(second)) return undefined;
    if (/^\s*[{[]/.test(second))
      return { input: { from: 'words', text: second }, name: first, pairs: values };
    if (second === '-' || (await isPasteFile(second, session.cwd)))
      return { input: await readPasteFile(second, session), name: first, pairs: values };
  }
  // Several words are a wish, unless they are a command: its options would have been taken for ours.
  const text = [first, ...rest].join(' ');
  const { servers } = parsePaste(text, { featured: featuredLookup });
  const wish =
    servers.length > 0
      ? servers.every(({ ref, command }) => ref || !command)
      : rest.length > 0 && !PROGRAM.test(text);
  return wish ? { input: { from: 'words', text }, name, pairs: values } : undefined;
}

const PAIR = /^[A-Za-z_][\w.:-]*=/;

/** A word of a wish is no program. */
const PROGRAM =
  /(^|\s)(npx|npm|pnpm|bunx?|uvx?|pipx|python3?|node|deno|docker|podman|dnx|[^\s]*\/[^\s]*)(\s|$)/;

/** What looks like a path is not searched for in registries when there is no such file. */
function checkPath(word: string): void {
  if (!/^(\.{1,2}|~)?[/\\]|\.(jsonc?|toml|ya?ml|png|jpe?g|txt|md)$/i.test(word) || /\s/.test(word)) return;
  if (/^[a-z][a-z0-9+.-]*:/i.test(word)) return;
  throw new PlugError('not_found', `There is no file ${word}.`, { owner: 'you' });
}
