import { readFileSync } from 'node:fs';
import { proofs } from '../test/proofs.ts';

/** Prints which requirements a run of the tests proved, from vitest's JSON report; false where a proof fails. */
export function printProofs(report: string): boolean {
  const { proved, unproved, failing } = proofs(JSON.parse(readFileSync(report, 'utf8')));
  for (const [id, count] of proved)
    console.log(`proved    ${id.padEnd(4)} by ${count} ${count === 1 ? 'test' : 'tests'}`);
  for (const id of unproved) console.log(`unproved  ${id}`);
  for (const title of failing) console.log(`failing   ${title}`);
  console.log(`\n${proved.size} proved, ${unproved.length} unproved`);
  return failing.length === 0;
}
