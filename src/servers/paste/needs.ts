import { splitPair } from './entry.ts';
import { blanksInText, blanksInUrl, blanksInVariable, NAMED_IN_CAPITALS, type Blank } from './blanks.ts';
import type { Draft } from './view.ts';

export function needsOf(draft: Draft): readonly string[] {
  const names = new Set<string>(draft.asked ?? []);
  const add = (blanks: readonly Blank[]): void => blanks.forEach(({ name }) => names.add(name));
  if (draft.name !== null && /^<[^<>]+>$/.test(draft.name)) names.add(draft.name.slice(1, -1));
  if (draft.command !== undefined) add(blanksInText(draft.command));
  if (draft.cwd !== undefined) add(blanksInText(draft.cwd));
  const env = draft.env ?? {};
  const passed = passedVariables(draft);
  (draft.args ?? []).forEach((arg, index) => {
    const variable = passed.get(index);
    if (variable) add(blanksInPassed(variable, env));
    else
      add(blanksInArgument(arg).filter(({ name, kind }) => kind === 'literal' || !Object.hasOwn(env, name)));
  });
  if (draft.url !== undefined) add(blanksInUrl(draft.url));
  for (const [name, value] of Object.entries(env)) add(blanksInVariable(name, value));
  for (const value of Object.values(draft.headers ?? {})) add(blanksInHeader(value));
  return [...names];
}

/** An argument may be a URL. */
export function blanksInArgument(arg: string): readonly Blank[] {
  return /^https?:\/\//i.test(arg) ? blanksInUrl(arg) : blanksInText(arg);
}

/** After the scheme, a single word may name the value. */
export function blanksInHeader(value: string): readonly Blank[] {
  const blanks = blanksInText(value);
  if (blanks.length > 0) return blanks;
  const word = /^(?:Bearer|Basic|Token|Key)?\s*(\S+)$/i.exec(value.trim().slice(0, 200))?.[1] ?? '';
  const bare = NAMED_IN_CAPITALS.test(word) || KEY_WORD.test(word) ? word : undefined;
  if (bare !== undefined) {
    const from = value.lastIndexOf(bare);
    return [{ kind: 'literal', name: bare, from, to: from + bare.length }];
  }
  // A real key has only characters that a header can carry.
  const foreign = /^[\p{L}\p{N}_ -]+$/u.test(value) && /[^\p{Script=Latin}\p{N}\s_-]/u.test(value);
  return foreign ? [{ kind: 'literal', name: value, from: 0, to: value.length }] : [];
}

const KEY_WORD = /^(?:MY[-_])?(?:API[-_]?)?(?:ACCESS[-_]?)?(?:TOKEN|KEY|SECRET|PAT)$/i;

interface PassedVariable {
  readonly name: string;
  /** Absent in `-e NAME`: docker takes it from its own environment. */
  readonly value?: string;
}

/** The arguments of `docker run` that name variables, by index. */
export function passedVariables({
  command = '',
  args = [],
}: Pick<Draft, 'command' | 'args'>): ReadonlyMap<number, PassedVariable> {
  const found = new Map<number, PassedVariable>();
  const isContainer = (word: string): boolean =>
    /(?:^|[/\\])(?:docker|podman|nerdctl)(?:\.exe)?$/i.test(word);
  const start = [command, ...args].findIndex(isContainer);
  for (let index = start < 0 ? args.length : start; index < args.length; index += 1) {
    const flag = args[index] ?? '';
    const inline = /^--env=([^]+)$|^-e([A-Za-z_][^]*)$/.exec(flag);
    const at = inline ? index : index + 1;
    const text = inline ? (inline[1] ?? inline[2]) : flag === '-e' || flag === '--env' ? args[at] : undefined;
    if (text === undefined) continue;
    const [name, value] = splitPair(text, '=');
    found.set(at, text.includes('=') ? { name, value } : { name });
    index = at;
  }
  return found;
}

function blanksInPassed(
  { name, value }: PassedVariable,
  env: Readonly<Record<string, string>>,
): readonly Blank[] {
  if (value !== undefined) return blanksInVariable(name, value);
  return Object.hasOwn(env, name) ? [] : [{ kind: 'literal', name, from: 0, to: name.length }];
}
