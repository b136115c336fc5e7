import { cliLimits } from '../limits.ts';
import { sanitizeLine } from '../sanitize.ts';

/** Something that could come next on a command line. */
export interface Candidate {
  readonly value: string;
  readonly description?: string | undefined;
}

/** What completes the word at the cursor. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Names of files, too; the shell knows them best. */
  readonly files: boolean;
}

/**
 * The names of tools and prompts are strangers' texts. One that holds a control character, a line
 * break or something unseen is not offered at all; everything else is quoted by the shell.
 */
export function safeCandidates(candidates: readonly Candidate[], typed: string): readonly Candidate[] {
  const seen = new Set<string>();
  return candidates
    .filter(({ value }) => value.startsWith(typed) && isSafe(value) && !seen.has(value) && seen.add(value))
    .slice(0, cliLimits.completionsMax)
    .map(({ value, description = '' }) => ({ value, description: shorten(sanitizeLine(description)) }));
}

function isSafe(value: string): boolean {
  return value !== '' && value.length <= cliLimits.completionCharsMax && !/[\p{C}\p{Zl}\p{Zp}]/u.test(value);
}

const DESCRIPTION_CHARS = 70;

function shorten(text: string): string {
  return text.length > DESCRIPTION_CHARS ? `${text.slice(0, DESCRIPTION_CHARS - 1)}…` : text;
}
