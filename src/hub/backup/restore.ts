import { Secret } from '../../base/secret.ts';
import { openBundle } from '../../vault/sealed-bundle.ts';
import type { Core } from '../core.ts';
import type { RestoreOutcome, RestoreRequest } from '../hub.ts';
import type { Workspace } from '../workspace.ts';
import { type CarriedFile, type Contents, emptyContents, type SealedContents } from './contents.ts';
import { grantSteps, pinSteps, toolSteps, trustSteps } from './policy-steps.ts';
import { readBackup, type ReadBackup, readSealed } from './document.ts';
import { Ledger } from './ledger.ts';
import { bindingOf, makeBackup } from './make.ts';
import type { Implementations } from '../operations/table.ts';
import { accountSteps, modelSteps, overrideSteps, profileSteps, serverSteps } from './server-steps.ts';
import { todoAfter } from './todo.ts';
import { messageOf, PlugError } from '../../base/errors.ts';
import { checkSecretName } from '../../vault/names.ts';
import type { Step } from './step.ts';
import { join } from 'node:path';
import { writePrivateFile } from '../../base/private-files.ts';
import { parseRules } from '../../policy/rules/parse.ts';
import { replaceFile } from '../../policy/rules/write-file.ts';
import { type ClientText, readClientText } from '../../servers/clients/client-text.ts';

/** Moving to another machine. */
export function backupsOf(core: Core, workspace: Workspace): Pick<Implementations, 'backups'> {
  return {
    backups: {
      make: (request) => makeBackup(core, workspace, request),
      check: (request) => restoreBackup(core, workspace, request, 'check'),
      restore: (request) => restoreBackup(core, workspace, request, 'restore'),
    },
  };
}

/**
 * Brings back what a backup holds, or says what that would come to. All of it is read and checked
 * first; then one thing that fails does not stop the others. No server is started.
 */
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
  const { rules, known } = core.decisions;
  await rules.reload();
  await known.settings.load();
  await workspace.changed();
}

/** Secrets, each under the name that it had. They are sealed anew, under the key of this vault. */
export async function secretSteps(
  { vault, owner }: Core,
  secrets: SealedContents['secrets'],
): Promise<readonly Step[]> {
  if (secrets.length === 0) return [];
  // Before anything is done: with a locked vault none of it could be.
  await vault.checkUnlocked();
  return Promise.all(
    secrets.map(async ({ name, value }): Promise<Step> => {
      const impossible = nameProblem(name);
      const known = impossible === undefined ? await vault.get(owner, name) : undefined;
      return {
        thing: { kind: 'secret', name },
        here: known === undefined ? 'absent' : known.reveal() === value ? 'same' : 'taken',
        ...(impossible === undefined ? {} : { impossible }),
        apply: () => vault.set(owner, name, new Secret(value)),
      };
    }),
  );
}

function nameProblem(name: string): string | undefined {
  try {
    checkSecretName(name);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * Files of the user's own config folder. One that is here stays, unless it is to be replaced; then
 * a copy of it is kept beside it.
 */
export async function fileSteps(core: Core, { files }: Contents): Promise<readonly Step[]> {
  return Promise.all(files.map((file) => fileStep(core, file)));
}

async function fileStep({ options: { paths }, ids }: Core, { name, text }: CarriedFile): Promise<Step> {
  const isRules = name === 'rules.json' || name === 'rules.jsonc';
  const { path, read } = await placeOf(paths.config, name);
  const problem = isRules ? await rulesProblem(text) : undefined;
  return {
    thing: { kind: isRules ? 'rules' : 'file', name },
    here: read.kind === 'missing' ? 'absent' : read.kind === 'ok' && read.text === text ? 'same' : 'taken',
    ...(problem === undefined ? {} : { impossible: problem }),
    apply: async () => {
      if (read.kind === 'unreadable') throw unreadable(path, read.reason);
      if (read.kind === 'ok') await writePrivateFile(`${path}.before-restore`, read.text, ids);
      await replaceFile(path, text, ids);
    },
  };
}

/** The rules have two names, of which one may be in use here. */
async function placeOf(
  folder: string,
  name: CarriedFile['name'],
): Promise<{ readonly path: string; readonly read: ClientText }> {
  const names = name === 'rules.json' || name === 'rules.jsonc' ? ['rules.json', 'rules.jsonc'] : [name];
  for (const one of names) {
    const path = join(folder, one);
    const read = await readClientText(path);
    if (read.kind !== 'missing') return { path, read };
  }
  return { path: join(folder, name), read: { kind: 'missing' } };
}

async function rulesProblem(text: string): Promise<string | undefined> {
  const parsed = await parseRules(text);
  if (parsed.kind !== 'broken') return undefined;
  const [problem] = parsed.problems;
  return `There is a mistake in line ${problem?.line ?? 1}: ${problem?.message ?? 'it cannot be read'}`;
}

function unreadable(path: string, reason: string): PlugError {
  return new PlugError('bad_config', `${path} is here and cannot be read: ${reason}.`, {
    owner: 'you',
    remedy: `Look at what it is: ls -l ${path}`,
  });
}
