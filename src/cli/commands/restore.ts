import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf, PlugError } from '../../base/errors.ts';
import { findShapeProblem } from '../../base/json-shape.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { Hub, RestoreRequest } from '../../hub/hub.ts';
import { givenBackupPassphrase } from '../backup-passphrase.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { renderRestore } from '../render/backup.ts';
import { askYesNo, type Session } from '../session.ts';
import { cancelled, usage } from '../failures.ts';
import { faint } from '../output.ts';

export interface RestoreArgs {
  /** `-` is standard input. */
  readonly file: string;
  readonly replace?: boolean;
  readonly yes?: boolean;
}

/** `plug restore`: first what would happen, then, after a yes, the same. */
export async function restore(hub: Hub, args: RestoreArgs, session: Session): Promise<ExitCode> {
  const { file, replace = false, yes = false } = args;
  const { out, terminal } = session;
  const document = await readDocument(file, session);
  // Without a person to ask, and without their word, there is nothing to begin.
  if (!yes && !terminal.interactive) throw needsYes(file);
  const sealed = document['secrets'] !== undefined;
  const passphrase = sealed
    ? await givenBackupPassphrase(session, { inputIsTaken: file === '-' })
    : undefined;
  const request: RestoreRequest = {
    backup: document,
    replace,
    ...(passphrase === undefined ? {} : { passphrase }),
  };
  if (!yes) {
    const plan = await out.working('Reading the backup', () => hub.backups.check(request));
    renderRestore(plan, { done: false, out });
    if (!(await askYesNo(session, 'Restore this?', 'no'))) {
      throw cancelled('Nothing was restored.');
    }
  }
  const outcome = await out.working('Restoring', () => hub.backups.restore(request));
  out.document(outcome);
  renderRestore(outcome, { done: true, out });
  if (outcome.kept.length > 0 && !replace) {
    out.line(faint('What is here already can be replaced too: add --replace.'));
  }
  return outcome.failed.length > 0 ? exitCodes.failed : exitCodes.ok;
}

async function readDocument(file: string, session: Session): Promise<JsonObject> {
  const text = file === '-' ? await session.terminal.readInput() : await readText(resolve(session.cwd, file));
  const problem = findShapeProblem(text, {
    depthMax: limits.apiJsonDepthMax,
    itemsMax: limits.apiJsonItemsMax,
  });
  if (problem !== undefined) throw noBackup(file, problem);
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && value['plugboard'] === 'backup') return value as JsonObject; // it came as JSON
  } catch (error) {
    throw noBackup(file, `It is no JSON: ${messageOf(error).slice(0, 100)}.`);
  }
  throw noBackup(file, 'It is some other JSON.');
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
  return new PlugError('bad_config', `${file} is no backup of Plugboard. ${why}`, {
    owner: 'you',
    remedy: { do: 'type', line: 'Name the file that plug backup wrote.' },
  });
}

function needsYes(file: string): PlugError {
  return usage('Nobody is here to look at the plan, so nothing was restored.', `plug restore ${file} --yes`);
}
