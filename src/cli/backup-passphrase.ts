import { PlugError } from '../base/errors.ts';
import type { Session } from './session.ts';
import { usage } from './failures.ts';

/** For programs: a person types it. */
const BACKUP_PASSPHRASE = 'PLUG_BACKUP_PASSPHRASE';

/** A new passphrase, typed twice: nobody sees a mistake, and nobody could undo it. */
export async function newBackupPassphrase(session: Session): Promise<string> {
  const { terminal, env, signal } = session;
  const given =
    env[BACKUP_PASSPHRASE] ?? (terminal.interactive ? undefined : await terminal.readLine(signal));
  if (given) return given;
  if (!terminal.interactive) throw noPassphrase();
  const typed = await terminal.askHidden(`Passphrase for the secrets ${UNSEEN}: `, signal);
  if (typed === '') throw noPassphrase();
  const again = await terminal.askHidden('The same again: ', signal);
  if (again === typed) return typed;
  throw usage('The two passphrases differ: no backup was made.', 'plug backup FILE --secrets');
}

/** The passphrase of a backup; undefined when whoever restores it does without its secrets. */
export async function givenBackupPassphrase(
  session: Session,
  { inputIsTaken }: { readonly inputIsTaken: boolean },
): Promise<string | undefined> {
  const { terminal, env, signal } = session;
  const given = env[BACKUP_PASSPHRASE];
  if (given) return given;
  if (terminal.interactive) {
    const question = `Passphrase of the backup ${UNSEEN}; Enter alone leaves its secrets out: `;
    return (await terminal.askHidden(question, signal)) || undefined;
  }
  return inputIsTaken ? undefined : (await terminal.readLine(signal)) || undefined;
}

const UNSEEN = '(it does not show while you type)';

function noPassphrase(): PlugError {
  return new PlugError('usage', 'No passphrase was given: no backup was made.', {
    owner: 'you',
    remedy: `Type it when you are asked, set ${BACKUP_PASSPHRASE}, or leave out --secrets.`,
  });
}
