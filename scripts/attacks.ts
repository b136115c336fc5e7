import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { allHeld, attacksNamed, attackTable, filesByAttack, outcomes } from '../test/attack-table.ts';

/**
 * `npm run attacks`: runs the tests that try attacks and prints what came of each. With names, as in
 * `npm run attacks -- 6 A3`, it tries those alone.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const tried = attacksNamed(process.argv.slice(2));
const known = filesByAttack();
const files = new Set(tried.flatMap(({ id }) => known.get(id) ?? []));
const folder = mkdtempSync(`${tmpdir()}/plug-attacks-`);
const report = `${folder}/results.json`;
try {
  const names = tried.map(({ id }) => id.slice('attack:'.length)).join('|');
  // Without a file vitest would run them all.
  if (files.size > 0) {
    spawnSync(
      `${root}node_modules/.bin/vitest`,
      [
        'run',
        '--reporter=json',
        `--outputFile=${report}`,
        '--testNamePattern',
        `attack:(?:${names})[ \\]]`,
        ...files,
      ],
      { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
    );
  }
  const run: unknown = files.size > 0 ? JSON.parse(readFileSync(report, 'utf8')) : { testResults: [] };
  const rows = outcomes(tried, run);
  console.log(attackTable(rows));
  process.exitCode = allHeld(rows) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
