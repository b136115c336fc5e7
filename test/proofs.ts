import { requirementIds } from './requirements.ts';

interface Results {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

export interface Proofs {
  /** By id: how many passing tests prove it. */
  readonly proved: ReadonlyMap<string, number>;
  readonly unproved: readonly string[];
  readonly failing: readonly string[];
}

/**
 * Reads which requirements a test run proved. Only tests written with `verifies` carry ids, and
 * those fail without an assertion; a requirement with one failing proof is not proved.
 */
export function proofs(run: unknown): Proofs {
  // The shape is vitest's JSON report.
  const tests = (run as Results).testResults.flatMap((file) => file.assertionResults);
  const counts = new Map<string, number>();
  const broken = new Set<string>();
  const failing: string[] = [];
  for (const { title, status } of tests) {
    const ids = /^\[([A-Za-z0-9: -]+)\] /.exec(title)?.[1]?.split(' ') ?? [];
    if (ids.length === 0 || status === 'skipped' || status === 'pending') continue;
    if (status !== 'passed') failing.push(title);
    for (const id of ids) {
      if (status === 'passed') counts.set(id, (counts.get(id) ?? 0) + 1);
      else broken.add(id);
    }
  }
  const isProved = (id: string): boolean => counts.has(id) && !broken.has(id);
  return {
    proved: new Map(requirementIds.filter(isProved).map((id) => [id, counts.get(id) ?? 0])),
    unproved: requirementIds.filter((id) => !isProved(id)),
    failing,
  };
}
