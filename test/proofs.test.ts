import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesUnder } from './files.ts';
import { root } from './pages.ts';
import { proofs, type Proofs } from './proofs.ts';
import { requirementIds } from './requirements.ts';

/** What `npm run requirements` counts must be earned: planted tests show what does not count. */
const PLANTED = `
import { expect } from 'vitest';
import { verifies } from '../../requirements.ts';

verifies(['S1'], 'an honest proof', () => expect(1 + 1).toBe(2));
verifies(['S2'], 'a proof that asserts nothing', () => {});
verifies(['S3'], 'a proof that waits and asserts nothing', async () => { await Promise.resolve(); });
verifies(['S4', 'S5'], 'a proof of two that fails', () => expect(1 + 1).toBe(3));
verifies(['S5', 'S6'], 'a proof of two that holds', () => expect(1 + 1).toBe(2));
`;

const UNKNOWN_ID = `
import { expect } from 'vitest';
import { verifies } from '../../requirements.ts';

verifies(['S99'], 'a proof of nothing that exists', () => expect(1).toBe(1));
`;

let folder: string;
let planted: Proofs;
let report: string;

beforeAll(() => {
  mkdirSync(join(root, 'test/out'), { recursive: true });
  folder = mkdtempSync(join(root, 'test/out/proofs-'));
  // Another ending than .test.ts, so that no other run takes them for tests of ours.
  writeFileSync(join(folder, 'counted.planted.ts'), PLANTED);
  writeFileSync(join(folder, 'unknown.planted.ts'), UNKNOWN_ID);
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
  report = readFileSync(file, 'utf8');
  planted = proofs(JSON.parse(report));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a test that asserts something proves its requirement', () => {
  expect([...planted.proved]).toEqual([
    ['S1', 1],
    ['S6', 1],
  ]);
});

test('a test that asserts nothing fails and proves nothing', () => {
  expect(planted.failing).toContain('[S2] a proof that asserts nothing');
  expect(planted.failing).toContain('[S3] a proof that waits and asserts nothing');
  expect(planted.unproved).toEqual(expect.arrayContaining(['S2', 'S3']));
});

test('a requirement with one failing proof is not proved by another', () => {
  expect(planted.failing).toContain('[S4 S5] a proof of two that fails');
  expect(planted.unproved).toEqual(expect.arrayContaining(['S4', 'S5']));
});

test('a proof of a requirement that does not exist fails its whole file', () => {
  expect(report).toContain('There is no requirement S99.');
  expect(JSON.parse(report)).toMatchObject({
    testResults: expect.arrayContaining([
      expect.objectContaining({ name: expect.stringContaining('unknown.planted.ts'), status: 'failed' }),
    ]),
  });
});

test('only verifies puts requirements into a title', () => {
  const files = [...filesUnder('src'), ...filesUnder('test')].filter((file) => /\.tsx?$/.test(file));
  // By hand a title could claim a requirement without asserting anything.
  const byHand = files.filter((file) =>
    /\b(test|it)(\.\w+)*(\([^)]*\))?\(\s*['"`]\[[A-Z]\d/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(byHand).toEqual([]);
});

/** How many requirements each area has. A change here is a change of what the product promises. */
const COUNTS = {
  S: 21,
  V: 8,
  O: 7,
  C: 18,
  T: 10,
  P: 11,
  L: 9,
  G: 7,
  A: 5,
  U: 7,
  W: 5,
  H: 5,
  M: 6,
  E: 5,
  B: 1,
  N: 4,
  R: 3,
};

test('the requirements that tests can prove are exactly those of the product', () => {
  const counted = Object.entries(COUNTS).flatMap(([area, count]) =>
    Array.from({ length: count }, (_, index) => `${area}${index + 1}`),
  );
  expect(requirementIds).toEqual(counted);
  expect(requirementIds).toHaveLength(132);
  // The document itself lies beside the checkout where the product is developed, not in a clone.
  const document = join(root, '../shared/REQUIREMENTS.md');
  const written = existsSync(document)
    ? [...readFileSync(document, 'utf8').matchAll(/^- ([A-Z]\d+) /gm)].map(([, id]) => id)
    : counted;
  expect(requirementIds).toEqual(written);
});
