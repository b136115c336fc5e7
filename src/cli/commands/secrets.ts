import { PlugError } from '../../base/errors.ts';
import type { Hub } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { mustConfirm, type Session } from '../session.ts';
import { unlockIfLocked } from './secrets-key.ts';
import { usage } from '../failures.ts';
import { DONE, faint } from '../output.ts';

/** `plug secrets set`: the value is typed unseen, or comes on standard input; never as an argument. */
export async function setSecret(
  hub: Hub,
  { name, extra }: { readonly name: string; readonly extra: readonly string[] },
  session: Session,
): Promise<ExitCode> {
  if (extra.length > 0) throw notAnArgument(name);
  await unlockIfLocked(hub, session);
  const value = await readSecret(name, session);
  await hub.secrets.set({ name, value });
  const { out } = session;
  const server = await serverOf(hub, name);
  out.document({ secret: name, saved: true, ...(server === undefined ? {} : { server }) });
  out.line(DONE, `${name} is sealed in the vault.`);
  out.line(faint(server === undefined ? `Use it as \${vault:${name}}.` : `Next: plug restart ${server}`));
  return exitCodes.ok;
}

/** `plug secrets list`: names, never values. */
export async function listSecrets(hub: Hub, { out }: Session): Promise<ExitCode> {
  const secrets = await hub.secrets.list();
  out.document({ secrets });
  if (secrets.length === 0) out.line('The vault holds no secrets. Put one in: plug secrets set NAME');
  for (const name of secrets) out.line(name);
  return exitCodes.ok;
}

/** `plug secrets rm`. */
export async function removeSecrets(
  hub: Hub,
  { names, yes }: { readonly names: readonly string[]; readonly yes?: boolean },
  session: Session,
): Promise<ExitCode> {
  const { out } = session;
  for (const name of names) {
    await mustConfirm(session, `Delete the secret ${name} for good?`, {
      yes,
      refused: `${name} was not deleted.`,
    });
    await hub.secrets.remove({ name });
    out.line(DONE, `${name} is deleted.`);
  }
  out.document({ removed: names });
  return exitCodes.ok;
}

async function readSecret(name: string, { terminal, signal }: Session): Promise<string> {
  const value = terminal.interactive
    ? await terminal.askHidden(`${name} (it does not show while you type): `, signal)
    : (await terminal.readInput()).replace(/\r?\n$/, '');
  if (value !== '') return value;
  throw usage(
    'The secret is empty: nothing was saved.',
    `plug secrets set ${name} < FILE, or type it when you are asked.`,
  );
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
  return new PlugError(
    'usage',
    'A secret is not taken from the command line, where the process list and the history of the shell show it. Nothing was saved; choose a new secret if this one was real.',
    { owner: 'you', remedy: { do: 'set-secret', name } },
  );
}
