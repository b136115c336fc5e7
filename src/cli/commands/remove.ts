import type { Hub } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { mustConfirm, withServerName, type Session } from '../session.ts';
import { DONE } from '../output.ts';

/** `plug remove`: the definition, its manifest, its process, and every credential kept for it go. */
export async function remove(
  hub: Hub,
  { names, yes }: { readonly names: readonly string[]; readonly yes?: boolean },
  session: Session,
): Promise<ExitCode> {
  for (const name of names) {
    const server = await withServerName(hub, name, () => hub.servers.get({ id: name }));
    const kept = await credentialsOf(hub, server.id);
    const also = kept.length === 0 ? '' : ` and ${kept.join(', ')}`;
    await mustConfirm(session, `Remove ${server.id} (${server.target})${also}?`, {
      yes,
      refused: `${name} was not removed.`,
    });
    await withServerName(hub, name, () => hub.servers.remove({ id: name }));
    session.out.line(DONE, `${name} is removed${also === '' ? '' : `, with ${kept.join(', ')}`}.`);
  }
  session.out.document({ removed: names });
  return exitCodes.ok;
}

/** What goes with the server, by name. */
async function credentialsOf(hub: Hub, server: string): Promise<readonly string[]> {
  const [accounts, secrets] = await Promise.all([hub.accounts.list({ server }), hub.secrets.list()]);
  return [
    ...accounts.map(({ account, displayName }) => `the sign-in as ${displayName ?? account}`),
    ...secrets.filter((name) => name.startsWith(`${server}/`)).map((name) => `the secret ${name}`),
  ];
}
