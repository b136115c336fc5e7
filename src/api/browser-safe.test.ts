import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Everything that loading this file loads; type imports are erased and do not count. */
function loadedBy(file: URL, seen = new Set<string>()): Set<string> {
  const source = readFileSync(file, 'utf8');
  for (const [, clause = '', from = ''] of source.matchAll(/^(?:import|export) ([^;]*?)from '([^']+)';/gm)) {
    if (clause.startsWith('type ')) continue;
    const found = from.startsWith('.') ? new URL(from, file).href : from;
    if (seen.has(found)) continue;
    seen.add(found);
    if (from.startsWith('.')) loadedBy(new URL(found), seen);
  }
  return seen;
}

const packagesOf = (name: string): string[] =>
  [...loadedBy(new URL(name, import.meta.url))].filter((each) => !each.startsWith('file:'));

test('the client loads nothing but our own files, so that it runs in a page and starts fast', () => {
  expect(loadedBy(new URL('client.ts', import.meta.url)).size).toBeGreaterThan(5);
  expect(packagesOf('client.ts')).toEqual([]);
  expect(packagesOf('fetch-send.ts')).toEqual([]);
});

test('the table of operations needs no package, and who parses with it gives it zod', () => {
  expect(packagesOf('../hub/operations/table.ts')).toEqual([]);
  expect(packagesOf('../hub/operations/parse-input.ts')).toEqual(['zod']);
});
