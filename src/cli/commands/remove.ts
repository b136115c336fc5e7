import { PlugError } from '../../base/errors.ts';
import type { Hub } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { confirm, withServerName, type Session } from '../session.ts';

/** `plug remove`: the definition, its manifest and its process go. */
export async function remove(
  hub: Hub,
  { names, yes }: { readonly names: readonly string[]; readonly yes: boolean },
  session: Session,
): Promise<ExitCode> {
  for (const name of names) {
    const server = await withServerName(hub, name, () => hub.servers.get(name));
    if (!(await confirm(session, `Remove ${server.id} (${server.target})?`, yes))) {
      throw new PlugError('cancelled', `${name} was not removed.`, { owner: 'you' });
    }
    await withServerName(hub, name, () => hub.servers.remove(name));
    session.out.line({ style: 'good', text: '✔ ' }, `${name} is removed.`);
  }
  session.out.document({ removed: names });
  return exitCodes.ok;
}
