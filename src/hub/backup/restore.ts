import { Secret } from '../../base/secret.ts';
import { openBundle } from '../../vault/sealed-bundle.ts';
import type { Core } from '../core.ts';
import type { RestoreOutcome, RestoreRequest } from '../upkeep.ts';
import type { Workspace } from '../workspace.ts';
import { emptyContents, type Contents, type SealedContents } from './contents.ts';
import { grantSteps, pinSteps, toolSteps, trustSteps } from './deciding-steps.ts';
import { readBackup, readSealed, type ReadBackup } from './document.ts';
import { fileSteps } from './file-steps.ts';
import { Ledger } from './ledger.ts';
import { bindingOf } from './make.ts';
import { secretSteps } from './secret-steps.ts';
import { accountSteps, modelSteps, overrideSteps, profileSteps, serverSteps } from './server-steps.ts';
import { todoAfter } from './todo.ts';

/**
 * Brings back what a backup holds, or says what that would come to. All of it is read and checked
 * first; then one thing that fails does not stop the others. No server is started.
 */
export async function restoreBackup(
  core: Core,
  workspace: Workspace,
  request: RestoreRequest,
  mode: 'check' | 'restore',
): Promise<RestoreOutcome> {
  const { replace = false, passphrase } = request;
  const backup = readBackup(request.backup);
  const sealed = await openSealed(core, backup, passphrase);
  const contents = joined(backup.contents, sealed);
  const secrets = sealed?.secrets ?? [];
  const ledger = new Ledger(replace, mode);

  await ledger.run(await secretSteps(core, secrets));
  await ledger.run(await fileSteps(core, contents));
  await ledger.run(await serverSteps(core, workspace, contents));
  const others = [
    await overrideSteps(core, contents),
    await accountSteps(core, contents),
    await trustSteps(core, contents),
    await grantSteps(core, contents),
    await pinSteps(core, contents, replace),
    await toolSteps(core, contents),
    await profileSteps(core, contents),
    await modelSteps(core, contents),
  ];
  for (const steps of others) await ledger.run(steps);
  if (mode === 'restore') await settle(core, workspace);
  const todo = await todoAfter(core, { backup, contents, secrets, opened: sealed !== undefined, ledger });
  return { ...ledger.outcome, todo };
}

async function openSealed(
  core: Core,
  backup: ReadBackup,
  passphrase: string | undefined,
): Promise<SealedContents | undefined> {
  if (!backup.bundle || passphrase === undefined) return undefined;
  core.redactor.learn(passphrase);
  const about = bindingOf({ ...backup, contents: backup.written });
  const given = { passphrase: new Secret(passphrase), about, limits: core.limits };
  const sealed = readSealed(await openBundle(backup.bundle, given));
  for (const { value } of sealed.secrets) core.redactor.learn(value);
  return sealed;
}

function joined(open: Contents, sealed: Contents | undefined): Contents {
  if (!sealed) return open;
  const kinds = Object.keys(emptyContents) as readonly (keyof Contents)[]; // its own keys
  const both = kinds.map((kind) => [kind, [...open[kind], ...sealed[kind]]]);
  return Object.fromEntries(both) as Contents; // every kind, with items of its own
}

/** What is kept in memory is read again, and everybody is told. */
async function settle(core: Core, workspace: Workspace): Promise<void> {
  const { rules, known } = core.deciding;
  await rules.reload();
  await known.settings.load();
  await workspace.changed();
}
