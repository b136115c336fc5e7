import { existsSync, readFileSync } from 'node:fs';
import { openStorage } from '../src/storage/open.ts';
import { isExpected, openFinding, readRegistryCopy, readRequests } from '../test/finding.ts';

/**
 * `node scripts/eval-finding.ts [FILE] [--requests NAME] [--all]`: for how many plain requests the expected server is
 * found first. FILE is a JSON list of `{ server, _meta }` of the official registry, searched beside our own.
 */
const args = process.argv.slice(2);
const requests = args.includes('--requests')
  ? (args[args.indexOf('--requests') + 1] ?? '')
  : 'plain-requests.json';
const file = args.find((arg) => arg.endsWith('.json') && arg !== requests);
if (file !== undefined && !existsSync(file)) {
  console.error('Usage: node scripts/eval-finding.ts [FILE] [--requests NAME] [--all]');
  process.exit(2);
}
const more = file === undefined ? [] : (JSON.parse(readFileSync(file, 'utf8')) as readonly unknown[]); // see above
await using storage = await openStorage({ kind: 'memory' });
const find = await openFinding(storage, [...readRegistryCopy(), ...more]);
let right = 0;
let near = 0;
const asked = readRequests(requests);
for (const request of asked) {
  const { results, corrected } = await find(request.say);
  const isRight = isExpected(request, results[0]);
  right += Number(isRight);
  near += Number(results.slice(0, 3).some((found) => isExpected(request, found)));
  if (isRight && !args.includes('--all')) continue;
  const names = results.slice(0, 4).map(({ name }) => name);
  const meant = corrected === undefined ? '' : ` (as “${corrected}”)`;
  console.log(`${isRight ? ' ' : '✗'} “${request.say}”${meant}: ${names.join(', ') || 'nothing'}`);
}
const share = (part: number): string =>
  `${part} of ${asked.length} (${((100 * part) / asked.length).toFixed(1)} %)`;
console.log(`First: ${share(right)}. Among the first three: ${share(near)}.`);
