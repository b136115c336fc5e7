import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { proofs } from '../test/proofs.ts';

/** `npm run requirements`: runs the tests and prints which requirements they prove. */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(`${tmpdir()}/plug-requirements-`);
const file = `${folder}/results.json`;
try {
  spawnSync(
    `${root}node_modules/.bin/vitest`,
    ['run', '--reporter=json', `--outputFile=${file}`, '--testNamePattern', '^.*\\[[A-Z]\\d+'],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const { proved, unproved, failing } = proofs(JSON.parse(readFileSync(file, 'utf8')));
  for (const [id, count] of proved)
    console.log(`proved    ${id.padEnd(4)} by ${count} ${count === 1 ? 'test' : 'tests'}`);
  for (const id of unproved) console.log(`unproved  ${id}`);
  for (const title of failing) console.log(`failing   ${title}`);
  console.log(`\n${proved.size} proved, ${unproved.length} unproved`);
  process.exitCode = failing.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
