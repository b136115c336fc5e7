import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allHeld, attacksNamed, attackTable, filesByAttack, outcomes, type Outcome } from './attack-table.ts';
import { attacks } from './attacks.ts';
import { root } from './pages.ts';

/** What `npm run attacks` prints must be earned: planted tests show what does not count. */
const PLANTED = `
import { expect } from 'vitest';
import { verifies } from '../../requirements.ts';

verifies(['P1', 'attack:1'], 'a wall that holds', () => expect(1 + 1).toBe(2));
verifies(['attack:16', 'attack:A3'], 'a wall that holds too', () => expect(1 + 1).toBe(2));
verifies(['attack:A3'], 'a wall that falls', () => expect(1 + 1).toBe(3));
verifies(['attack:A4'], 'a wall that nobody has tried', () => {});
`;

let folder: string;
let rows: readonly Outcome[];

beforeAll(() => {
  mkdirSync(join(root, 'test/out'), { recursive: true });
  folder = mkdtempSync(join(root, 'test/out/attacks-'));
  // Another ending than .test.ts, so that no other run takes it for a test of ours.
  writeFileSync(join(folder, 'walls.planted.ts'), PLANTED);
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `export default { test: { include: ['*.planted.ts'], root: import.meta.dirname } };\n`,
  );
  const file = join(folder, 'results.json');
  spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', `--outputFile=${file}`],
    { cwd: folder, stdio: 'ignore' },
  );
  rows = outcomes(attacksNamed(['1', '6', '16', 'a3', 'A4', 'C14']), JSON.parse(readFileSync(file, 'utf8')));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('an attack held when every test of it passed, and fell when one did not or asserted nothing', () => {
  expect(rows.map(({ id, verdict, tests }) => [id, verdict, tests])).toEqual([
    ['attack:1', 'held', 1],
    ['attack:6', 'no test', 0],
    ['attack:16', 'held', 1],
    ['attack:A3', 'FELL', 2],
    ['attack:A4', 'FELL', 1],
    ['attack:C14', 'not applicable', 0],
  ]);
});

test('a run is good only when nothing fell and nothing was left untried', () => {
  const only = (...names: readonly string[]): readonly Outcome[] =>
    rows.filter(({ id }) => names.includes(id));
  expect(allHeld(only('attack:1', 'attack:C14'))).toBe(true);
  expect(allHeld(only('attack:1', 'attack:6'))).toBe(false);
  expect(allHeld(only('attack:1', 'attack:A3'))).toBe(false);
});

test('the table says what was tried, what came of it and, where it cannot be tried, why', () => {
  const lines = attackTable(rows).split('\n');
  expect(lines[0]).toBe(
    '1    held             1  another local user reads the link of the page and becomes you',
  );
  expect(lines[1]).toBe('6    no test             calls run although no record can be written');
  expect(lines[3]).toBe('A3   FELL             2  a route answers without the token, or with a wrong one');
  expect(lines[5]).toMatch(/^C14 {2}not applicable {6}a user without the right .*: a hub has one user/);
  expect(lines.at(-1)).toBe('2 held, 2 fell, 1 not applicable, 1 without a test');
});

test('an attack that does not exist is not taken for one that held', () => {
  expect(() => attacksNamed(['A99'])).toThrow('There is no attack A99.');
});

test('every attack has a test that tries it, or a reason why none can', () => {
  const files = filesByAttack();
  const untried = attacks.filter(({ id, cannotApply }) => cannotApply === undefined && !files.has(id));
  expect(untried.map(({ id }) => id)).toEqual([]);
  expect([...files.keys()].filter((id) => !attacks.some((attack) => attack.id === id))).toEqual([]);
});

/** How many cases each area has. A change here is a change of what is tried. */
const CASES = { A: 13, B: 8, C: 14, D: 11, E: 18, F: 20, G: 14, H: 8 };

test('the cases are those that were written down, all 106 of them', () => {
  const counted = Object.entries(CASES).flatMap(([area, count]) =>
    Array.from({ length: count }, (_, index) => `attack:${area}${index + 1}`),
  );
  const cases = attacks.map(({ id }) => id).filter((id) => /^attack:[A-H]\d+$/.test(id));
  expect(cases).toEqual(counted);
  expect(cases).toHaveLength(106);
  // The document itself lies beside the checkout where the product is developed, not in a clone.
  const document = join(root, '../shared/facts/security.md');
  const written = existsSync(document)
    ? [...readFileSync(document, 'utf8').matchAll(/^\| ([A-H]\d+) \|/gm)].map(([, id]) => `attack:${id}`)
    : counted;
  expect(cases).toEqual(written);
});
