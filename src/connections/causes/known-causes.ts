import { basename, dirname } from 'node:path';
import { defined } from '../../base/defined.ts';
import type { ErrorCode, Owner } from '../../base/errors.ts';
import type { Remedy } from '../../base/remedy.ts';
import { namesSecret } from '../../base/secret-names.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import { SAYINGS } from './sayings.ts';

export interface KnownCause {
  readonly says: string;
  readonly cause: ErrorCode;
  readonly owner: Owner;
  readonly remedy: Remedy;
}

/** The facts about a server that remedies depend on. */
export interface CauseContext {
  readonly server: string;
  /** Whether the server is reached over the network; else it runs here. */
  readonly remote: boolean;
  readonly file?: string;
  /** A package that is fetched to run. */
  readonly packaged?: boolean;
  /** Of the script that it runs. */
  readonly folder?: string;
  /** Names of the variables that its definition gives. */
  readonly given?: readonly string[];
  /** The secret in the vault that its key comes from, else the one that its definition names first. */
  readonly secret?: string;
  readonly keyHeader?: string;
  /** Where it is reached; absent where the address itself may hold a key. */
  readonly address?: string;
  /** Its address is from a list, not typed by hand. */
  readonly listed?: true;
}

export function causeContext({ id, endpoint, source, auth }: ServerDefinition): CauseContext {
  const local = endpoint.kind === 'stdio';
  const values = local ? endpoint.env : endpoint.headers;
  const keyHeader = local || auth === 'oauth' ? undefined : headerWithKey(values);
  const key = keyHeader === undefined ? [] : [values[keyHeader]];
  const address = local ? [] : [endpoint.url];
  const [, secret] = VAULT.exec([...key, ...Object.values(values), ...address].join('\n')) ?? [];
  const given = local ? Object.keys(values) : [];
  const script = local ? endpoint.args.find((word) => /^\/.*\.[cm]?[jt]s$/.test(word)) : undefined;
  return {
    server: id,
    remote: !local,
    given,
    ...(LISTS.has(source.kind) ? { listed: true as const } : {}),
    ...(local && RUNNERS.test(basename(endpoint.command)) ? { packaged: true } : {}),
    ...defined({ file: source.file, secret, keyHeader, folder: script && dirname(script) }),
    ...defined({ address: local ? undefined : plainAddress(endpoint.url) }),
  };
}

/** An address that can be shown and typed as it is: no key stands in it. */
export function plainAddress(url: string): string | undefined {
  return /[?#@]|\$\{/.test(url) ? undefined : url;
}

const LISTS: ReadonlySet<string> = new Set(['official', 'smithery', 'featured']);

const RUNNERS = /^(?:npx|bunx|pnpx|pnpm|yarn|uvx)(?:\.cmd|\.exe)?$/;

/** By its name, or because its value comes from where keys are kept. */
function headerWithKey(headers: Readonly<Record<string, string>>): string | undefined {
  const named = (header: string): boolean => header.toLowerCase() === 'authorization' || namesSecret(header);
  const names = Object.keys(headers);
  return names.find(named) ?? names.find((name) => KEPT_ELSEWHERE.test(headers[name] ?? ''));
}

const KEPT_ELSEWHERE = /\$\{(?:vault|file|command|input):/;

const VAULT = /\$\{vault:([^}]+)\}/;

/** Guesses a cause from other people's texts; our own errors are told apart by their code. */
export function knownCause(lines: readonly string[], where: CauseContext): KnownCause | undefined {
  const newest = lines.toReversed().map((line) => line.slice(0, LINE_CHARS_MAX));
  for (const { pattern, means } of SAYINGS) {
    const matches = newest.map((line) => pattern.exec(line)).filter((match) => match !== null);
    // Of several lines about the same thing, the one with most names in it says most.
    const [told] = matches.toSorted((a, b) => groupsIn(b) - groupsIn(a));
    if (told) return means(told, where);
  }
  return lastOfTraceback(lines);
}

function groupsIn(match: RegExpExecArray): number {
  return match.filter((part: string | undefined) => part !== undefined).length;
}

const LINE_CHARS_MAX = 2_000;

/** Python puts the error in the last line that is not indented. */
function lastOfTraceback(lines: readonly string[]): KnownCause | undefined {
  if (!lines.some((line) => line.startsWith('Traceback (most recent call last)'))) return undefined;
  const last = lines.findLast((line) => /^[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit)\b/.test(line));
  if (last === undefined) return undefined;
  return {
    says: `Its Python program failed: ${last}`,
    cause: 'start_failed',
    owner: 'server',
    remedy: { do: 'say', text: 'Report it to the author of the server.' },
  };
}
