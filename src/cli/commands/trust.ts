import { PlugError } from '../../base/errors.ts';
import type { Hub, ServerView } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { confirm, withServerName, type Session } from '../session.ts';

/** `plug trust`: lists what waits for trust, or lets the named entries run as they read now. */
export async function trust(
  hub: Hub,
  { names, yes }: { readonly names: readonly string[]; readonly yes: boolean },
  session: Session,
): Promise<ExitCode> {
  if (names.length === 0) return await listWaiting(hub, session);
  const servers: ServerView[] = [];
  for (const name of names) {
    const server = await withServerName(hub, name, () => hub.servers.get(name));
    showEntry(server, session);
    if (server.untrusted && !(await confirm(session, `Let ${name} run?`, yes))) {
      throw new PlugError('cancelled', `${name} stays off.`, { owner: 'you' });
    }
    servers.push(
      server.untrusted
        ? await hub.servers.trust(name, { fingerprint: server.untrusted.fingerprint })
        : server,
    );
    session.out.line({ style: 'good', text: '✔ ' }, `${name} is trusted as it reads now.`);
  }
  session.out.document({ servers });
  return exitCodes.ok;
}

async function listWaiting(hub: Hub, session: Session): Promise<ExitCode> {
  const waiting = (await hub.servers.list()).servers.filter((server) => server.untrusted);
  session.out.document({ servers: waiting });
  if (waiting.length === 0) session.out.line('No entry of a project file waits for trust.');
  for (const server of waiting) showEntry(server, session);
  if (waiting[0]) session.out.line(`Next: plug trust ${waiting[0].id}`);
  return exitCodes.ok;
}

/** What would run, before anything is decided. */
function showEntry({ id, target, transport, untrusted }: ServerView, { out }: Session): void {
  out.line({ style: 'strong', text: id });
  out.line({ style: 'faint', text: transport === 'stdio' ? '  runs      ' : '  contacts  ' }, target);
  if (!untrusted) return;
  out.line({ style: 'faint', text: '  file      ' }, untrusted.file);
  // All of it is shown: environment, folder and headers decide as much as the command does.
  out.line({
    style: 'faint',
    text: untrusted.changed ? '  changed since you trusted it' : '  the whole entry',
  });
  for (const { field, before, after } of untrusted.diff) {
    if (before !== undefined) out.line({ style: 'bad', text: `  - ${field}: ` }, before);
    if (after !== undefined) out.line({ style: 'good', text: `  + ${field}: ` }, after);
  }
}
