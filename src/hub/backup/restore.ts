import { Secret } from '../../base/secret.ts';
import { openBundle } from '../../vault/sealed-bundle.ts';
import type { Core } from '../core.ts';
import type { RestoreOutcome, RestoreRequest } from '../hub.ts';
import type { Workspace } from '../workspace.ts';
import { type Contents, KINDS, type SealedContents } from './contents.ts';
import { readBackup, type ReadBackup, readSealed } from './document.ts';
import { fileSteps, secretSteps } from './file-steps.ts';
import { Ledger } from './ledger.ts';
import { bindingOf, makeBackup } from './make.ts';
import type { Implementations } from '../operations/table.ts';
import { ROW_STEPS, serverSteps } from './row-steps.ts';
import { todoAfter } from './todo.ts';

export function backupsOf(core: Core, workspace: Workspace): Pick<Implementations, 'backups'> {
  return {
    backups: {
      make: (request) => makeBackup(core, workspace, request),
      check: (request) => restoreBackup(core, workspace, request, 'check'),
      restore: (request) => restoreBackup(core, workspace, request, 'restore'),
    },
  };
}

/** All of the backup is read and checked first; then a failure does not stop the rest. Starts no server. */
async function restoreBackup(
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
  const others = await Promise.all(ROW_STEPS.map((stepsOf) => stepsOf(core, contents, replace)));
  await ledger.run(others.flat());
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
  const both = KINDS.map((kind) => [kind, [...open[kind], ...sealed[kind]]]);
  return Object.fromEntries(both) as Contents; // every kind, with items of its own
}

async function settle({ decisions: { rules, known } }: Core, workspace: Workspace): Promise<void> {
  await rules.reload();
  await known.settings.load();
  await workspace.changed();
}
