import { PlugError } from '../../base/errors.ts';
import type { Hub, RotateRequest } from '../../hub/hub.ts';
import type { MasterKeyKind } from '../../vault/master-key.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import type { Session } from '../session.ts';
import { usage } from '../failures.ts';
import { DONE, faint } from '../output.ts';

/** `plug secrets rotate`: a new key for everything, while everything goes on; `--to` moves the vault's own key, too. */
export async function rotateSecrets(
  hub: Hub,
  { to }: { readonly to?: MasterKeyKind },
  session: Session,
): Promise<ExitCode> {
  const { out } = session;
  await unlockIfLocked(hub, session);
  const request: RotateRequest = {
    ...(to === undefined ? {} : { to }),
    ...(to === 'passphrase' ? { passphrase: await newPassphrase(session) } : {}),
  };
  out.progress('Sealing every secret anew …');
  const rotated = await hub.secrets.rotate(request);
  out.document(rotated);
  const { resealed } = rotated;
  out.line(
    DONE,
    `The vault has a new key; ${resealed} ${resealed === 1 ? 'record was' : 'records were'} sealed anew.`,
  );
  if (to !== undefined) out.line(faint(MOVED[to]));
  return exitCodes.ok;
}

/** `plug secrets unlock`: the passphrase goes to the hub, which forgets it when it stops. */
export async function unlockVault(hub: Hub, session: Session): Promise<ExitCode> {
  const { out } = session;
  const { vault } = await hub.status();
  // Nobody is asked for a passphrase that opens nothing.
  if (vault?.source !== 'passphrase') {
    throw new PlugError('usage', 'The vault is not locked with a passphrase.', {
      owner: 'you',
      remedy: { do: 'show', what: 'hub' },
    });
  }
  await hub.secrets.unlock({ passphrase: await askPassphrase(session, CURRENT, UNLOCK) });
  out.document({ unlocked: true });
  out.line(DONE, 'The vault is unlocked until the hub stops.');
  return exitCodes.ok;
}

/** For commands that cannot do without the vault: whoever sits at a terminal is asked right there. */
export async function unlockIfLocked(hub: Hub, session: Session): Promise<void> {
  if (!session.terminal.interactive) return; // the operation itself says what to do
  const { vault } = await hub.status();
  if (vault?.locked === true)
    await hub.secrets.unlock({ passphrase: await askPassphrase(session, CURRENT, UNLOCK) });
}

/** Typed twice: nobody sees a mistake, and nobody could undo it. */
async function newPassphrase(session: Session): Promise<string> {
  const passphrase = await askPassphrase(session, 'New passphrase of the vault', MOVE);
  if (!session.terminal.interactive) return passphrase;
  const again = await session.terminal.askHidden('The same again: ', session.signal);
  if (again === passphrase) return passphrase;
  throw new PlugError('usage', 'The two passphrases differ: nothing was changed.', {
    owner: 'you',
    remedy: { do: 'move-vault-key' },
  });
}

/** Unseen at a terminal, else the first line of standard input; never from the command line. */
async function askPassphrase(
  { terminal, signal }: Session,
  question: string,
  command: string,
): Promise<string> {
  const given = terminal.interactive
    ? await terminal.askHidden(`${question} (it does not show while you type): `, signal)
    : await terminal.readLine(signal);
  if (given) return given;
  throw usage(
    'No passphrase was given: nothing was changed.',
    `${command} < FILE, or type it when you are asked.`,
  );
}

const CURRENT = 'Passphrase of the vault';
const UNLOCK = 'plug secrets unlock';
const MOVE = 'plug secrets rotate --to passphrase';

const MOVED: Readonly<Record<MasterKeyKind, string>> = {
  keyring: 'Its key is in the keyring of this system now.',
  passphrase: 'It is locked whenever the hub starts, until you type: plug secrets unlock',
  environment: 'Its key is the one in PLUG_MASTER_KEY now: without that variable nothing opens.',
  file: 'Its key is in a file beside it now: whoever can copy your files can read your secrets.',
};
