import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * A long file that starts last leaves the other workers idle. vitest knows durations only from an
 * earlier run, and a clean clone has none: so those of more than about twenty seconds stand here.
 */
const LONGEST: readonly string[] = [
  'test/attacks/code-mode-time',
  'test/contracts/vault-crash',
  'test/contracts/hub',
  'test/contracts/storage-crash',
  'test/browser/add-paste',
  'test/scenarios/passphrase',
  'test/scenarios/cli',
  'test/scenarios/cli-grammar',
  'test/attacks/dns-rebinding',
  'test/scenarios/add-anything',
  'test/attacks/redirects-requests',
  'test/scenarios/lifecycle-content',
  'test/scenarios/lifecycle-calls',
  'test/browser/settings',
  'test/scenarios/page-try',
  'test/contracts/storage-migrations',
  'test/contracts/result-store',
  'test/scenarios/gateway-eras',
  'test/scenarios/gateway-faults',
  'test/scenarios/read-only',
  'test/attacks/12-host-token',
  'test/attacks/05-import-environment',
  'src/servers/paste/parse-paste.fuzz',
  'src/gateway/code/sandbox-attacks',
  'src/connections/processes/supervise',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return index === -1 ? LONGEST.length : index;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- it is the sequencer's method, not an array's
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => rank(a) - rank(b));
  }
}
