import type { ErrorCode, Owner } from '../../base/errors.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import { NETWORK_CAUSES } from './known-network-causes.ts';
import { PROGRAM_CAUSES } from './known-program-causes.ts';

/** What a server's last words mean. */
export interface KnownCause {
  readonly says: string;
  readonly cause: ErrorCode;
  readonly owner: Owner;
  readonly next: string;
}

export interface Saying {
  readonly pattern: RegExp;
  /** Found, with what the pattern caught. */
  readonly means: (found: readonly string[], definition: ServerDefinition) => KnownCause;
}

/** The cause behind the last lines of a server, where its words are known. */
export function knownCause(lines: readonly string[], definition: ServerDefinition): KnownCause | undefined {
  const newest = lines.toReversed().map((line) => line.slice(0, LINE_CHARS_MAX));
  for (const { pattern, means } of [...NETWORK_CAUSES, ...PROGRAM_CAUSES]) {
    const matches = newest.map((line) => pattern.exec(line)).filter((match) => match !== null);
    // Of several lines about the same thing the one that names it says most.
    const [told] = matches.toSorted((a, b) => named(b) - named(a));
    if (told) return means(told, definition);
  }
  return lastOfTraceback(lines);
}

function named(match: RegExpExecArray): number {
  return match.filter((part: string | undefined) => part !== undefined).length;
}

const LINE_CHARS_MAX = 2_000;

/** Python tells the error in the last line that is not indented. */
function lastOfTraceback(lines: readonly string[]): KnownCause | undefined {
  if (!lines.some((line) => line.startsWith('Traceback (most recent call last)'))) return undefined;
  const last = lines.findLast((line) => /^[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit)\b/.test(line));
  if (last === undefined) return undefined;
  return {
    says: `Its Python program failed: ${last}`,
    cause: 'start_failed',
    owner: 'server',
    next: 'Report it to who wrote the server.',
  };
}
