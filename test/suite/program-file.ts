import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Programs that tests start by the hundred, by their path below `test` without the ending. */
export const PROGRAMS = [
  'contracts/audit-writer',
  'contracts/result-store-writer',
  'contracts/storage-writer',
  'contracts/vault-writer',
  'scenarios/asking-server',
  'scenarios/calls-server',
  'servers/stdio',
  'servers/http',
  'attacks/06-counting-server',
  'conformance/server/main',
  'sign-in/authorization-server',
  'sign-in/calling-process',
  'sign-in/protected-server',
] as const;

/**
 * The file of such a program: joined with all that it imports (bundle-programs.ts), which starts in less
 * than half the time, or its source where no run of the tests has joined it.
 */
export function programFile(name: (typeof PROGRAMS)[number]): string {
  const folder = process.env['PLUG_TEST_PROGRAMS'];
  if (folder !== undefined) return join(folder, `${name}.js`);
  return fileURLToPath(new URL(`../${name}.ts`, import.meta.url));
}
