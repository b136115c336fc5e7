import { lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { hasCode, messageOf, PlugError } from '../../base/errors.ts';
import { systemIds } from '../../base/ids.ts';
import { createPrivateFile, writePrivateFile } from '../../base/private-files.ts';
import type { Backup, Hub } from '../../hub/hub.ts';
import { newBackupPassphrase } from '../backup-passphrase.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { contentsInWords, leftOutInWords } from '../render/backup.ts';
import { safeJson } from '../sanitize.ts';
import type { Session } from '../session.ts';
import { DONE, WARNING, faint } from '../output.ts';

export interface BackupArgs {
  /** `-` is standard output. */
  readonly file: string;
  readonly secrets?: boolean;
  readonly force?: boolean;
}

/** `plug backup`: everything in one file, for its owner alone. */
export async function backup(hub: Hub, args: BackupArgs, session: Session): Promise<ExitCode> {
  const { file, secrets = false, force = false } = args;
  const { out, terminal } = session;
  const path = file === '-' ? undefined : resolve(session.cwd, file);
  // Nobody types a passphrase for nothing.
  if (path !== undefined && !force && (await isThere(path))) throw taken(file);
  const passphrase = secrets ? await newBackupPassphrase(session) : undefined;
  const request = passphrase === undefined ? {} : { passphrase };
  const made = await out.working('Gathering everything', () => hub.backups.make(request));
  const text = `${safeJson(made, 2)}\n`;
  if (path === undefined) {
    // The document is the answer, with --json and without.
    terminal.stdout.write(text);
    return exitCodes.ok;
  }
  await write(path, text, force);
  out.document({ file: path, ...summaryOf(made) });
  tell(made, file, session);
  return exitCodes.ok;
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
        ? '  Its secrets are sealed under your passphrase: without that nobody can read them, you included.'
        : '  No secret is in it. With --secrets they are, sealed under a passphrase.',
    ),
  );
  out.line(faint('  Sign-ins are never part of it, nor are logs and records of calls.'));
  if (out.json) return;
  for (const line of leftOutInWords(made)) out.note(WARNING, line);
  out.line(faint(`  On the other machine: plug restore ${file}`));
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false; // a folder that is not there is said when the file is written
  }
}

/** Whole or not at all, and only for its owner. */
async function write(path: string, text: string, force: boolean): Promise<void> {
  try {
    if (force) await writePrivateFile(path, text, systemIds);
    else await createPrivateFile(path, text);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw taken(path);
    throw new PlugError('usage', `${path} cannot be written: ${messageOf(error)}.`, {
      owner: 'you',
      remedy: 'Name a file in a folder that is there and yours.',
    });
  }
}

function taken(file: string): PlugError {
  return new PlugError('already_exists', `${file} is there already, and it may be your only backup.`, {
    owner: 'you',
    remedy: 'Give another name, or add --force.',
  });
}
