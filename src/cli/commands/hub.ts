import type { PageLink } from '../../api/listener-operations.ts';
import { PlugError } from '../../base/errors.ts';
import type { VaultStatus } from '../../vault/sealed-vault.ts';
import { WARNING, faint, type Output, type Piece } from '../output.ts';
import { firstSteps, ownCommand, terminalSteps } from '../own-command.ts';
import type { Flags, RunningHub, Session, TeamRun } from '../session.ts';

export async function startHub(
  flags: Flags<'foreground' | 'team' | 'behindProxy'> & {
    readonly port?: number;
    readonly database?: string;
    readonly url?: string;
  },
  session: Session,
): Promise<void> {
  const { foreground, port } = flags;
  if (flags.team) return await runTeam(flags, session);
  if (flags.database !== undefined || flags.url !== undefined || flags.behindProxy) throw onlyWithTeam();
  if (foreground) return await runHub(port, session);
  const { out, hubs, signal } = session;
  const { started, ...hub } = await out.working('Starting the hub', () => hubs.start(signal));
  out.document({ ...hub, running: true, started });
  out.line(RUNS, `Hub ${started ? 'started' : 'already running'}: ${hub.url} (pid ${hub.pid}).`);
  out.line(faint('To stop it: plug hub stop'));
  if (hub.vault?.locked === true && !out.json) out.note(WARNING, LOCKED);
}

const RUNS: Piece = { style: 'good', text: '● ' };
const LOCKED = 'The vault is locked: plug secrets unlock';

async function runHub(port: number | undefined, session: Session): Promise<void> {
  const { out, hubs, signal } = session;
  const plug = ownCommand(session);
  await hubs.run({
    signal,
    port,
    onReady: async (hub, running, pageLink) => {
      out.record({ ...running, running: true });
      out.line(RUNS, `Hub listening on ${running.url} (pid ${running.pid}).`);
      // Output that isn't a terminal may be a log, where the link doesn't belong.
      const atTerminal = session.terminal.stdout.isTerminal && !out.json;
      if (pageLink && atTerminal) renderLink(pageLink(), plug, out);
      const { servers } = await hub.servers.list();
      if (servers.length === 0) {
        out.line('No servers are configured yet. In another terminal:');
        for (const line of atTerminal ? terminalSteps(plug) : firstSteps(plug)) out.line(`  ${line}`);
      } else out.line(`${servers.length} ${servers.length === 1 ? 'server' : 'servers'}; see ${plug} list.`);
      out.line(faint(`Stop it with Ctrl-C or ${plug} hub stop.`));
    },
  });
  out.line('Hub stopped.');
}

async function runTeam(
  { port, database, url, behindProxy = false }: Parameters<typeof startHub>[0],
  session: Session,
): Promise<void> {
  const { out, hubs, signal } = session;
  const onReady: TeamRun['onReady'] = (team) => {
    out.record({ url: team.url, setUpLink: team.setUpLink ?? null, running: true });
    out.line(RUNS, `Team hub listening on ${team.url}.`);
    // Shown in a log, too: there is no other way in, it is good once, and only for an hour.
    if (team.setUpLink !== undefined) {
      out.line('Open this link to set up the team. It works once, within an hour:');
      out.line(`  ${team.setUpLink}`);
    }
    out.line(faint('Stop it with Ctrl-C.'));
  };
  await hubs.runTeam({ signal, port, database, url, behindProxy, onReady });
  out.line('Hub stopped.');
}

function onlyWithTeam(): PlugError {
  const message = '--database, --url and --behind-proxy go with --team.';
  const remedy = 'For a hub of your own, set PLUG_DATABASE_URL.';
  return new PlugError('usage', message, { owner: 'you', remedy });
}

export async function restartHub(session: Session): Promise<void> {
  await session.out.working('Stopping the hub', () => session.hubs.stop());
  return await startHub({}, session);
}

export async function stopHub({ out, hubs }: Session): Promise<void> {
  const stopped = await out.working('Stopping the hub', () => hubs.stop());
  out.document(stopped ? { ...stopped, running: false, stopped: true } : { running: false, stopped: false });
  out.line(stopped ? `Hub stopped (pid ${stopped.pid}).` : 'No hub was running.');
}

export async function hubStatus({ out, hubs }: Session): Promise<void> {
  const hub: RunningHub | undefined = await hubs.find();
  const none = { running: false, pid: null, url: null, socket: null };
  out.document(hub ? { ...hub, gateway: `${hub.url}/mcp`, running: true } : none);
  if (hub) {
    out.line(RUNS, `Hub running: ${hub.url} (pid ${hub.pid}).`);
    out.line(faint('  socket  '), hub.socket);
    if (hub.readOnly) out.line({ style: 'warn', text: '  read-only mode is on' }, ': plug read-only off');
    if (hub.vault && !out.json) renderVault(hub.vault, out);
  } else out.line('○ No hub is running. Any command that needs one starts it, or: plug hub start');
}

function renderVault({ source, locked, warning, keys }: VaultStatus, out: Output): void {
  const where = source === undefined ? 'empty' : locked === false ? UNLOCKED : VAULT_KEYS[source];
  const rotating = keys > 1 ? ', re-encryption in progress' : '';
  out.line(faint('  vault   '), `${where}${rotating}`);
  if (locked === true) out.note(WARNING, LOCKED);
  if (warning !== undefined) out.note(WARNING, warning);
}

const UNLOCKED = 'unlocked until the hub stops';

const VAULT_KEYS: Readonly<Record<NonNullable<VaultStatus['source']>, string>> = {
  keyring: 'key in the keyring of this system',
  passphrase: 'locked with a passphrase',
  environment: 'key in PLUG_MASTER_KEY',
  file: 'key file (only you can read it)',
};

export async function openPage({ print }: { readonly print?: boolean }, session: Session): Promise<void> {
  const { out, hubs, signal } = session;
  const plug = ownCommand(session);
  const link = await out.working('Asking the hub for a link', async () =>
    print ? { ...(await hubs.pageLink(signal)), opened: false } : await hubs.openPage(signal),
  );
  const { url, expiresAt, opened } = link;
  out.document({ url, expiresAt, opened });
  if (opened) {
    out.line(RUNS, 'Opening the page in your browser.');
    out.line(faint(`If it doesn’t open: ${plug} open --print`));
  } else renderLink(link, plug, out);
}

/** Only for the person: the link lets its holder in. */
function renderLink({ url }: PageLink, plug: string, out: Output): void {
  out.line('Open the page in a browser on this machine:');
  out.line(`  ${url}`);
  out.line(faint(`The link works once, within two minutes. For another: ${plug} open`));
}
