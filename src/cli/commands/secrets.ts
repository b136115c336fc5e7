import { defined } from '../../base/defined.ts';
import type { PlugError } from '../../base/errors.ts';
import type { Hub, RotateRequest } from '../../hub/hub.ts';
import type { MasterKeyKind } from '../../vault/master-key.ts';
import { usage, userError } from '../failures.ts';
import { DONE, faint } from '../output.ts';
import { mustConfirm } from '../session.ts';
import type { Flags, HubSession, Named, Names, Session } from '../session.ts';

export async function setSecret(
  { name, extra }: Named & { readonly extra: readonly string[] },
  session: HubSession,
): Promise<void> {
  const { hub, out } = session;
  if (extra.length > 0) throw notAnArgument(name);
  await unlockIfLocked(session);
  const value = await readSecret(name, session);
  await hub.secrets.set({ name, value });
  const server = await serverOf(hub, name);
  out.document({ secret: name, saved: true, ...(server === undefined ? {} : { server }) });
  out.line(DONE, `${name} is saved in the vault.`);
  out.line(faint(server === undefined ? `Use it as \${vault:${name}}.` : `Next: plug restart ${server}`));
}

export async function listSecrets({ hub, out }: HubSession): Promise<void> {
  const secrets = await hub.secrets.list();
  out.document({ secrets });
  if (secrets.length === 0) out.line('The vault is empty. Add a secret: plug secrets set NAME');
  for (const name of secrets) out.line(name);
}

export async function removeSecrets(args: Names & Flags<'yes'>, session: HubSession): Promise<void> {
  const { names, yes } = args;
  const { hub, out } = session;
  for (const name of names) {
    const refused = `${name} was not deleted.`;
    await mustConfirm(session, `Permanently delete the secret ${name}?`, { yes, refused });
    await hub.secrets.remove({ name });
    out.line(DONE, `${name} is deleted.`);
  }
  out.document({ removed: names });
}

async function readSecret(name: string, { terminal, signal }: Session): Promise<string> {
  const value = terminal.interactive
    ? await terminal.askHidden(`${name} (hidden as you type): `, signal)
    : (await terminal.readInput()).replace(/\r?\n$/, '');
  if (value !== '') return value;
  const line = `plug secrets set ${name} < FILE, or type it when you are asked.`;
  throw usage('The secret is empty: nothing was saved.', line);
}

/** A name of the form `server/field` belongs to that server. */
async function serverOf(hub: Hub, name: string): Promise<string | undefined> {
  const [first = '', second] = name.split('/');
  if (second === undefined) return undefined;
  const { servers } = await hub.servers.list();
  return servers.find(({ id }) => id === first)?.id;
}

/** What was typed is not repeated. */
function notAnArgument(name: string): PlugError {
  return userError(
    'usage',
    'A secret is not taken from the command line, where the process list and the history of the shell show it. Nothing was saved; choose a new secret if this one was real.',
    { remedy: { do: 'set-secret', name } },
  );
}

export async function rotateSecrets(args: Pick<RotateRequest, 'to'>, session: HubSession): Promise<void> {
  const { to } = args;
  const { hub, out } = session;
  await unlockIfLocked(session);
  const passphrase = to === 'passphrase' ? await newPassphrase(session) : undefined;
  const request: RotateRequest = defined({ to, passphrase });
  out.progress('Re-encrypting every secret …');
  const rotated = await hub.secrets.rotate(request);
  out.document(rotated);
  const sealed = `${rotated.resealed} ${rotated.resealed === 1 ? 'record was' : 'records were'}`;
  out.line(DONE, `The vault has a new key; ${sealed} re-encrypted.`);
  if (to !== undefined) out.line(faint(MOVED[to]));
}

export async function unlockVault(session: HubSession): Promise<void> {
  const { hub, out } = session;
  const { vault } = await hub.status();
  // Don't ask for a passphrase that opens nothing.
  if (vault?.source !== 'passphrase') {
    throw userError('usage', 'The vault is not locked with a passphrase.', {
      remedy: { do: 'show', what: 'hub' },
    });
  }
  await hub.secrets.unlock({ passphrase: await askPassphrase(session, CURRENT, UNLOCK) });
  out.document({ unlocked: true });
  out.line(DONE, 'The vault is unlocked until the hub stops.');
}

export async function unlockIfLocked(session: HubSession): Promise<void> {
  const { hub } = session;
  if (!session.terminal.interactive) return; // the operation itself says what to do
  const { vault } = await hub.status();
  if (vault?.locked === true)
    await hub.secrets.unlock({ passphrase: await askPassphrase(session, CURRENT, UNLOCK) });
}

/** Typed twice: a typo can't be seen or undone. */
async function newPassphrase(session: Session): Promise<string> {
  const passphrase = await askPassphrase(session, 'New passphrase of the vault', MOVE);
  if (!session.terminal.interactive) return passphrase;
  const again = await session.terminal.askHidden('Repeat it: ', session.signal);
  if (again === passphrase) return passphrase;
  throw userError('usage', 'The passphrases differ: nothing was changed.', {
    remedy: { do: 'move-vault-key' },
  });
}

/** Hidden at a terminal, else the first line of stdin; never from the command line. */
async function askPassphrase({ terminal, signal }: Session, question: string, command: string) {
  const given = terminal.interactive
    ? await terminal.askHidden(`${question} (hidden as you type): `, signal)
    : await terminal.readLine(signal);
  if (given) return given;
  const line = `${command} < FILE, or type it when you are asked.`;
  throw usage('No passphrase was given: nothing was changed.', line);
}

const CURRENT = 'Passphrase of the vault';
const UNLOCK = 'plug secrets unlock';
const MOVE = 'plug secrets rotate --to passphrase';

const MOVED: Readonly<Record<MasterKeyKind, string>> = {
  keyring: 'Its key is now in the system keyring.',
  passphrase: 'It’s locked each time the hub starts. To unlock: plug secrets unlock',
  environment: 'Its key is now in PLUG_MASTER_KEY: without that variable the vault can’t be opened.',
  file: 'Its key is now in a file beside it: anyone who can copy your files can read your secrets.',
};
