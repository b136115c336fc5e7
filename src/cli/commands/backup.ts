import { lstat, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { hasCode, messageOf, type PlugError } from '../../base/errors.ts';
import { systemIds } from '../../base/ids.ts';
import { findShapeProblem } from '../../base/json-shape.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { createPrivateFile, writePrivateFile } from '../../base/private-files.ts';
import type { Backup, RestoreRequest } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { cancelled, usage, userError } from '../failures.ts';
import { DONE, WARNING, faint } from '../output.ts';
import { contentsInWords, leftOutInWords, renderRestore } from '../render/backup.ts';
import { safeJson } from '../sanitize.ts';
import { askYesNo, type Flags, type HubSession, type Session } from '../session.ts';

interface InFile {
  /** `-` is standard output, or input. */
  readonly file: string;
}

export async function backup(args: InFile & Flags<'secrets' | 'force'>, session: HubSession): Promise<void> {
  const { file, secrets, force = false } = args;
  const { hub, out, terminal } = session;
  const path = file === '-' ? undefined : resolve(session.cwd, file);
  // A folder that is not there is reported when the file is written.
  const exists = path !== undefined && (await lstat(path).catch(() => undefined));
  if (exists && !force) throw taken(file);
  const passphrase = secrets ? await newBackupPassphrase(session) : undefined;
  const made = await out.working('Gathering everything', () => hub.backups.make(defined({ passphrase })));
  const text = `${safeJson(made, 2)}\n`;
  // The document is the answer, with --json and without.
  if (path === undefined) return terminal.stdout.write(text);
  await write(path, text, force);
  out.document({ file: path, ...summaryOf(made) });
  tell(made, file, session);
}

function summaryOf(made: Backup): object {
  const counts = Object.entries(made.contents).flatMap(([kind, items]) =>
    Array.isArray(items) && kind !== 'leftOut' ? [[kind, items.length] as const] : [],
  );
  return {
    contents: Object.fromEntries(counts),
    secrets: made.secrets !== undefined,
    leftOut: made.contents['leftOut'] ?? [],
  };
}

function tell(made: Backup, file: string, { out }: Session): void {
  out.line(DONE, `${file} holds ${contentsInWords(made.contents)}.`);
  out.line(
    faint(
      made.secrets
        ? SEALED
        : '  It contains no secrets. To include them, encrypted with a passphrase: --secrets',
    ),
  );
  out.line(faint('  Sign-ins, logs and the audit log are never included.'));
  if (out.json) return;
  for (const line of leftOutInWords(made)) out.note(WARNING, line);
  out.line(faint(`  On the other machine: plug restore ${file}`));
}

async function write(path: string, text: string, force: boolean): Promise<void> {
  try {
    if (force) await writePrivateFile(path, text, systemIds);
    else await createPrivateFile(path, text);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw taken(path);
    throw userError('usage', `${path} cannot be written: ${messageOf(error)}.`, {
      remedy: 'Choose a folder that exists and is yours.',
    });
  }
}

function taken(file: string): PlugError {
  return userError('already_exists', `${file} already exists, and may be your only backup.`, {
    remedy: 'Choose another name, or add --force.',
  });
}

export async function restore(
  { file, replace = false, yes }: InFile & Flags<'replace' | 'yes'>,
  session: HubSession,
): Promise<ExitCode | void> {
  const { hub, out, terminal } = session;
  const document = await readDocument(file, session);
  if (!yes && !terminal.interactive) {
    const message = 'Nothing was restored: the plan needs a terminal to review it in.';
    throw usage(message, `plug restore ${file} --yes`);
  }
  const sealed = document['secrets'] !== undefined;
  const passphrase = sealed ? await givenBackupPassphrase(session, file === '-') : undefined;
  const request: RestoreRequest = { backup: document, replace, ...defined({ passphrase }) };
  if (!yes) {
    const plan = await out.working('Reading the backup', () => hub.backups.check(request));
    renderRestore(plan, { done: false, out });
    if (!(await askYesNo(session, 'Restore this?', 'no'))) throw cancelled('Nothing was restored.');
  }
  const outcome = await out.working('Restoring', () => hub.backups.restore(request));
  out.document(outcome);
  renderRestore(outcome, { done: true, out });
  if (outcome.kept.length > 0 && !replace)
    out.line(faint('What is already here can be replaced too: add --replace.'));
  return outcome.failed.length > 0 ? exitCodes.failed : undefined;
}

async function readDocument(file: string, session: Session): Promise<JsonObject> {
  const text = file === '-' ? await session.terminal.readInput() : await readText(resolve(session.cwd, file));
  const { apiJsonDepthMax: depthMax, apiJsonItemsMax: itemsMax } = limits;
  const problem = findShapeProblem(text, { depthMax, itemsMax });
  if (problem !== undefined) throw noBackup(file, problem);
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && value['plugboard'] === 'backup') return value as JsonObject; // it came as JSON
  } catch (error) {
    throw noBackup(file, `It isn’t JSON: ${messageOf(error).slice(0, 100)}.`);
  }
  throw noBackup(file, 'It’s JSON of another kind.');
}

/** Never waits on a pipe, never reads more than a backup may have. */
async function readText(path: string): Promise<string> {
  try {
    await using handle = await open(path, 'r');
    const found = await handle.stat();
    if (!found.isFile()) throw new Error('it is not a regular file');
    if (found.size > limits.apiBodyBytesMax) throw new Error('it is too large for a backup');
    return await handle.readFile('utf8');
  } catch (error) {
    throw usage(`${path} cannot be read: ${messageOf(error)}.`, 'Name the file that plug backup wrote.');
  }
}

function noBackup(file: string, why: string): PlugError {
  return userError('bad_config', `${file} isn’t a Plugboard backup. ${why}`, {
    remedy: { do: 'type', line: 'Name the file that plug backup wrote.' },
  });
}

const SEALED =
  "  Its secrets are sealed under your passphrase: without it they can't be read, not even by you.";

const BACKUP_PASSPHRASE = 'PLUG_BACKUP_PASSPHRASE';

/** Typed twice: a typo can't be seen or undone. */
async function newBackupPassphrase(session: Session): Promise<string> {
  const { terminal, env, signal } = session;
  const given =
    env[BACKUP_PASSPHRASE] ?? (terminal.interactive ? undefined : await terminal.readLine(signal));
  if (given) return given;
  if (!terminal.interactive) throw noPassphrase();
  const typed = await terminal.askHidden(`Passphrase for the secrets ${UNSEEN}: `, signal);
  if (typed === '') throw noPassphrase();
  const again = await terminal.askHidden('Repeat it: ', signal);
  if (again === typed) return typed;
  throw usage('The passphrases differ: no backup was made.', 'plug backup FILE --secrets');
}

async function givenBackupPassphrase(session: Session, inputIsTaken: boolean): Promise<string | undefined> {
  const { terminal, env, signal } = session;
  if (env[BACKUP_PASSPHRASE]) return env[BACKUP_PASSPHRASE];
  if (!terminal.interactive) return inputIsTaken ? undefined : (await terminal.readLine(signal)) || undefined;
  const question = `Passphrase of the backup ${UNSEEN}; Enter alone leaves its secrets out: `;
  return (await terminal.askHidden(question, signal)) || undefined;
}

const UNSEEN = '(hidden as you type)';

function noPassphrase(): PlugError {
  return userError('usage', 'No passphrase was given: no backup was made.', {
    remedy: `Type it when you are asked, set ${BACKUP_PASSPHRASE}, or leave out --secrets.`,
  });
}
