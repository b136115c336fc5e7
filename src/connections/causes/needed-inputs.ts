import { isSecretValue, type NeededInput, type NeededValue } from '../../servers/plans/needs.ts';

/**
 * What a server that ended at once asks for in its last output. Servers say it in sentences of their
 * own, so it is found by the shape of the names beside a word that asks, and never by a list of servers.
 */
export function neededInputs(
  output: readonly string[],
  given: readonly string[] = [],
): readonly NeededInput[] {
  const lines = output
    .slice(-LINES_MAX)
    .map((line) => line.slice(0, LINE_CHARS_MAX))
    .filter((line) => !NOT_ITS_WORDS.test(line));
  const found = lines.flatMap((line, index) => inLine(line, lines.slice(index + 1, index + 1 + LISTED_MAX)));
  const needs = [...found, ...(found.length === 0 ? inUsage(lines) : [])];
  return distinct(needs).filter(({ oneOf }) => !oneOf.some(({ name }) => given.includes(name)));
}

const LINES_MAX = 200;
const LINE_CHARS_MAX = 1_000;
const LISTED_MAX = 8;

/** Frames of a stack, quoted source, and what the runner says about itself. */
const NOT_ITS_WORDS = /^\s+at |^\s*throw |^npm (?:warn|notice|error|ERR!)|^\s*\^+\s*$/;

const ASKS =
  /\b(?:required|requires?|missing|must|needs?|provide|pass|expected|undefined|empty|not (?:set|provided|found|defined|configured|specified)|no \w[\w ]{0,40} (?:provided|found|set|specified)|(?:please|then|and|or) set|set (?:it|the|your))\b|KeyError:|^\s*set\b/i;

/** Some say that they can do without. */
const CAN_DO_WITHOUT = /\b(?:optional|keyless|warning|warn|defaults? to|deprecated)\b/i;

function inLine(line: string, next: readonly string[]): readonly NeededInput[] {
  if (!ASKS.test(line) || CAN_DO_WITHOUT.test(line)) return [];
  const named = valuesIn(line);
  if (named.length > 0) return CHOICE.test(line) ? [choice(named)] : named.map((each) => choice([each]));
  const [, what] = AS_ARGUMENT.exec(line) ?? [];
  if (what !== undefined) return [choice([{ where: 'argument', name: what }])];
  // “Missing required variables:”, and then one on each line.
  if (!/[:[{]\s*$/.test(line)) return [];
  return next.flatMap((each) => (LISTED.test(each) ? valuesIn(each) : [])).map((each) => choice([each]));
}

const AS_ARGUMENT =
  /\b(?:provide|specify|pass) (?:an? |the |your )?([a-z][\w -]{1,40}?) as (?:an? |the )?(?:command[- ]line |first )?argument/i;
const CHOICE = /\bor\b|\beither\b|\bone of\b|\s\/\s/i;
const LISTED = /^\s*(?:[-*•\d"'[]|[A-Z][A-Z0-9_]+\b)/;

function valuesIn(line: string): readonly NeededValue[] {
  const env = [...line.matchAll(VARIABLE)].map(([, name = '']): NeededValue => ({ where: 'env', name }));
  const flags = [...line.matchAll(FLAG)].map(([, name = '']): NeededValue => ({ where: 'argument', name }));
  return [...env.filter(({ name }) => !OF_THE_RUNTIME.test(name)), ...flags.filter(isSecretValue)];
}

const VARIABLE = /(?<![\w$.-])\$?\{?([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])\b(?!\()/g;
const FLAG = /(?<![\w-])(--[a-z][a-z0-9-]*[a-z0-9])\b/g;
const OF_THE_RUNTIME = /^(?:ERR|UNABLE|CERT|ECONN|SELF|DEPTH|NODE|NPM|SIG|HTTP|JSON|INVALID|MODULE|NOT|MCP)_/;

/** A key in a variable is read by the server alone; arguments are seen by every program of the machine. */
function choice(values: readonly NeededValue[]): NeededInput {
  const all = [...values].filter(({ name }) => !isFileOf(name, values));
  const variables = all.filter(({ where }) => where === 'env');
  return { oneOf: variables.length > 0 ? variables : all };
}

/** `API_KEY_FILE` beside `API_KEY`: a file is another way to give the same value. */
function isFileOf(name: string, values: readonly NeededValue[]): boolean {
  const [, of] = /^(.+?)[_-](?:file|path)$/i.exec(name) ?? [];
  return of !== undefined && values.some((each) => each.name === of);
}

/** `Usage: server --access-token=TOKEN`, `Usage: server <allowed-directory>`. */
function inUsage(lines: readonly string[]): readonly NeededInput[] {
  const first = lines.find((line) => USAGE.test(line));
  if (first === undefined) return [];
  const flags = lines.flatMap((line) => [...line.matchAll(FLAG_WITH_VALUE)].map(([, name = '']) => name));
  const flag = flags.map((name): NeededValue => ({ where: 'argument', name })).find(isSecretValue);
  if (flag) {
    const suffix = flag.name.replace(/^-+/, '').replaceAll('-', '_').toUpperCase();
    const variable = lines
      .flatMap(valuesIn)
      .find(({ where, name }) => where === 'env' && name.endsWith(suffix));
    return [choice(variable ? [variable, flag] : [flag])];
  }
  const words = first.replace(USAGE, '').replaceAll(/\[[^\]]*\]/g, ' ');
  return [...words.matchAll(/(?<![=\w-])<([a-z][\w -]{1,40})>(?!\s*=)/gi)]
    .filter(({ index }) => !/(?:^|\s)--?[\w-]+\s*$/.test(words.slice(0, index)))
    .map(([, name = '']) => choice([{ where: 'argument', name }]));
}

const USAGE = /^\s*usage:\s*/i;
const FLAG_WITH_VALUE = /(?<![\w-])(--[a-z][a-z0-9-]*[a-z0-9])(?:=|\s+)[<$]?[A-Za-z]/g;

function distinct(needs: readonly NeededInput[]): readonly NeededInput[] {
  const seen = new Set<string>();
  return needs
    .toSorted((a, b) => b.oneOf.length - a.oneOf.length)
    .filter(({ oneOf }) => {
      const isNew = oneOf.every(({ name }) => !seen.has(name));
      for (const { name } of oneOf) seen.add(name);
      return isNew;
    })
    .slice(0, NEEDS_MAX);
}

const NEEDS_MAX = 8;
