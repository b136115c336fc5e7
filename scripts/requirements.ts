import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { printProofs } from './print-proofs.ts';

/**
 * `npm run requirements`: runs the tests that prove requirements, and prints which ones they prove.
 * `npm run requirements -- --last` prints it of the last `npm test` instead.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const last = `${root}node_modules/.vitest/last-run.json`;
if (process.argv.includes('--last')) {
  if (!existsSync(last)) {
    console.error('No run is known. Run the tests first: npm test');
    process.exit(1);
  }
  process.exitCode = printProofs(last) ? 0 : 1;
} else {
  const folder = mkdtempSync(`${tmpdir()}/plug-requirements-`);
  const file = `${folder}/results.json`;
  try {
    spawnSync(
      `${root}node_modules/.bin/vitest`,
      ['run', '--reporter=json', `--outputFile=${file}`, '--testNamePattern', '^.*\\[[A-Z]\\d+'],
      { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    process.exitCode = printProofs(file) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
