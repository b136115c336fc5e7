import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * A long file that starts last leaves the other workers idle. vitest knows durations only from an
 * earlier run, and a clean clone has none: so those of more than about forty seconds (five at once, on two cores) stand here.
 */
const LONGEST: readonly string[] = [
  'test/docs',
  'test/contracts/vault-crash',
  'test/contracts/hub',
  'test/attacks/code-mode-time',
  'test/attacks/06-killed-hub',
  'test/scenarios/tool-names-cli',
  'test/sign-in/refresh',
  'test/browser/accessible',
  'test/attacks/07-approval-account',
  'test/scenarios/add-anything',
  'test/conformance/server/server-side',
  'test/scenarios/chat-turns',
  'test/attacks/09-equivalent-arguments',
  'test/contracts/parity',
  'test/attacks/10-other-users-files',
  'test/scenarios/completion',
  'test/scenarios/interrupt-terminal',
  'test/scenarios/seen-matrix-servers',
  'test/scenarios/cli-grammar',
  'test/scenarios/cli',
  'test/attacks/13-forged-lines',
  'test/scenarios/read-only',
  'test/browser/app-escapes',
  'test/browser/add-paste',
  'test/scenarios/gateway-bridge',
  'test/scenarios/gateway-hosts',
  'src/servers/paste/parse-paste.fuzz',
  'test/attacks/01-another-local-user',
  'test/scenarios/catalog-cli',
  'test/real/terminal',
  'test/attacks/12-host-token',
  'test/scenarios/chat-sends',
  'test/browser/add-screenshot',
  'test/attacks/dns-rebinding',
  'test/scenarios/import',
  'test/scenarios/passphrase',
  'test/attacks/redirects',
  'src/gateway/code/sandbox-attacks',
  'test/attacks/pictures',
  'test/attacks/unended-requests',
  'test/attacks/05-import-environment',
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
