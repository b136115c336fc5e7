import { expect, test } from 'vitest';
import type { Remedy } from '../../../src/base/remedy.ts';
import { EVERY_REMEDY } from '../../../test/every-remedy.ts';
import { placeOf } from './remedy-place.ts';

test('every remedy that the page can carry out is a button that leads to its place', () => {
  const buttons = Object.values(EVERY_REMEDY)
    .flatMap((remedies): readonly Remedy[] => remedies.slice(0, 1))
    .map((remedy) => [remedy.do, placeOf(remedy)] as const);
  const shown = buttons.map(
    ([what, place]) => `${what}: ${place ? `${place.label} → ${place.to}` : 'words'}`,
  );
  expect(shown).toMatchInlineSnapshot(`
    [
      "sign-in: Sign in → /servers/github/accounts",
      "open-address: Sign in → /servers/github/accounts",
      "give-client-id: Sign in → /servers/github/accounts",
      "sign-out: See the accounts → /servers/github/accounts",
      "choose-account: See the accounts → /servers/github/accounts",
      "restart: Open server → /servers/github/tools",
      "enable: Open server → /servers/github/tools",
      "disable: Open server → /servers/github/tools",
      "trust: Open server → /servers/github/tools",
      "remove: Open server → /servers/github/tools",
      "add-server: Add server → /add?text=github",
      "install-package: Open server → /servers/github/tools",
      "show-server: Open server → /servers/github/tools",
      "show-logs: See the log → /servers/github/logs",
      "check: Run the doctor → /settings/doctor",
      "find-server: Search registries → /add?from=registries&q=o'reilly%20notes",
      "import: Import servers → /add?from=clients",
      "import-again: Open server → /servers/github/tools",
      "edit-server: Edit → /servers/github/config",
      "choose-port: Choose another port → /servers/github/tools",
      "choose-path: Choose folder → /servers/github/tools",
      "list-tools: See the servers → /servers",
      "list-resources: See the tools → /servers/github/tools",
      "review-tools: Review tools → /servers/github/tools",
      "approve-tools: Review changes → /servers/github/tools",
      "enable-tool: See the tools → /servers/github/tools",
      "call: See the tools → /servers/github/tools",
      "grant: Add a grant → /grants",
      "revoke-grant: See the grants → /grants",
      "approve: See the approvals → /approvals",
      "allow-writes: Read-only mode → /settings/read-only",
      "show-profile: See the profiles → /settings/profiles",
      "check-rules: Run the doctor → /settings/doctor",
      "add-host: See the hosts → /settings/apps",
      "replace-host: See the hosts → /settings/apps",
      "set-secret: Open the vault → /settings/vault",
      "unlock-vault: Unlock the vault → /settings/vault",
      "move-vault-key: Open the vault → /settings/vault",
      "add-model: See the models → /settings/models",
      "test-model: See the models → /settings/models",
      "start-hub: words",
      "restart-hub: words",
      "open-page: words",
      "undo: See changes → /activity",
      "update: See the servers → /servers",
      "show: See the servers → /servers",
      "help: words",
      "install: words",
      "skip-test: words",
      "retry: words",
      "wait: words",
      "run: words",
      "type: words",
      "say: words",
    ]
  `);
});

test('no button says a command', () => {
  for (const remedy of Object.values(EVERY_REMEDY).flat()) {
    expect(placeOf(remedy)?.label ?? '').not.toMatch(/\bplug\b/);
  }
});
