import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attacks, type Attack } from './attacks.ts';
import { filesUnder } from './files.ts';
import { root } from './pages.ts';

interface Results {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

export interface Outcome extends Attack {
  readonly verdict: 'held' | 'FELL' | 'not applicable' | 'no test';
  /** How many tests tried it. */
  readonly tests: number;
}

/** The attacks with these names, `6` or `A3`; all of them when none is named. */
export function attacksNamed(names: readonly string[]): readonly Attack[] {
  if (names.length === 0) return attacks;
  return names.map((name) => {
    const found = attacks.find(({ id }) => id.toLowerCase() === `attack:${name.toLowerCase()}`);
    if (!found) throw new Error(`There is no attack ${name}.`);
    return found;
  });
}

/** Which test files name which attacks, read from their text: nothing is run for it. */
export function filesByAttack(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of [...filesUnder('src'), ...filesUnder('web'), ...filesUnder('test')]) {
    // What is planted for the test of this table tries nothing.
    if (!file.endsWith('.test.ts') || file === 'test/attacks.test.ts') continue;
    const named = readFileSync(join(root, file), 'utf8').matchAll(/'(attack:[A-Za-z0-9-]+)'/g);
    for (const [, id = ''] of named) found.set(id, [...(found.get(id) ?? []), file]);
  }
  return found;
}

/** What came of each attack in a run of the tests. One test that did not pass is a way in. */
export function outcomes(tried: readonly Attack[], run: unknown): readonly Outcome[] {
  // The shape is vitest's JSON report.
  const ran = (run as Results).testResults
    .flatMap((file) => file.assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed');
  return tried.map((attack) => {
    const tests = ran.filter(({ title }) => idsOf(title).includes(attack.id));
    if (tests.length === 0) {
      const verdict = attack.cannotApply === undefined ? 'no test' : 'not applicable';
      return { ...attack, verdict, tests: 0 };
    }
    const verdict = tests.every(({ status }) => status === 'passed') ? 'held' : 'FELL';
    return { ...attack, verdict, tests: tests.length };
  });
}

export function attackTable(rows: readonly Outcome[]): string {
  const width = Math.max(...rows.map(({ id }) => nameOf(id).length));
  const lines = rows.map(({ id, tries, verdict, tests, cannotApply }) => {
    const counted = verdict === 'held' || verdict === 'FELL' ? String(tests).padStart(3) : '   ';
    const why = verdict === 'not applicable' ? `: ${cannotApply}` : '';
    return `${nameOf(id).padEnd(width)}  ${verdict.padEnd(14)} ${counted}  ${tries}${why}`;
  });
  const count = (verdict: Outcome['verdict']): number => rows.filter((row) => row.verdict === verdict).length;
  const sum = `${count('held')} held, ${count('FELL')} fell, ${count('not applicable')} not applicable, ${count('no test')} without a test`;
  return [...lines, '', sum].join('\n');
}

/** Whether a run may be called good: every attack was tried or cannot be, and none came through. */
export function allHeld(rows: readonly Outcome[]): boolean {
  return rows.every(({ verdict }) => verdict === 'held' || verdict === 'not applicable');
}

function nameOf(id: string): string {
  return id.slice('attack:'.length);
}

function idsOf(title: string): readonly string[] {
  return /^\[([A-Za-z0-9: -]+)\] /.exec(title)?.[1]?.split(' ') ?? [];
}
