import type { VaultStatus } from '../../vault/sealed-vault.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { firstSteps, terminalSteps } from '../first-steps.ts';
import { WARNING, faint, type Output } from '../output.ts';
import { renderLink } from './open.ts';
import { ownCommand } from '../own-command.ts';
import type { RunningHub, Session } from '../session.ts';

interface StartArgs {
  readonly foreground?: boolean;
  readonly port?: number;
}

/** `plug hub start`: in the background, and back at once with the address. */
export async function startHub({ foreground, port }: StartArgs, session: Session): Promise<ExitCode> {
  if (foreground) return await runHub(port, session);
  const { out, hubs, signal } = session;
  const { started, ...hub } = await out.working('Starting the hub', () => hubs.start(signal));
  out.document({ ...hub, running: true, started });
  out.line(
    { style: 'good', text: '● ' },
    `The hub ${started ? 'has started' : 'runs already'}: ${hub.url} (pid ${hub.pid}).`,
  );
  out.line(faint('Stop it with plug hub stop.'));
  if (hub.vault?.locked === true && !out.json) out.note(WARNING, LOCKED);
  return exitCodes.ok;
}

const LOCKED = 'The vault is locked: plug secrets unlock';

/** `plug hub start --foreground`: here, until Ctrl-C or `plug hub stop`. */
async function runHub(port: number | undefined, session: Session): Promise<ExitCode> {
  const { out, hubs, signal } = session;
  const plug = ownCommand(session);
  await hubs.run({
    signal,
    port,
    onReady: async (hub, running, pageLink) => {
      out.record({ ...running, running: true });
      out.line({ style: 'good', text: '● ' }, `The hub listens on ${running.url} (pid ${running.pid}).`);
      // What is not a terminal may be a file, and a link does not belong into a log.
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
  out.line('The hub has stopped.');
  return exitCodes.ok;
}

/** `plug hub restart`: for a hub of another version, or one that is stuck. */
export async function restartHub(session: Session): Promise<ExitCode> {
  await session.out.working('Stopping the hub', () => session.hubs.stop());
  return await startHub({}, session);
}

/** `plug hub stop`: returns when the process is gone. */
export async function stopHub({ out, hubs }: Session): Promise<ExitCode> {
  const stopped = await out.working('Stopping the hub', () => hubs.stop());
  out.document(stopped ? { ...stopped, running: false, stopped: true } : { running: false, stopped: false });
  out.line(stopped ? `The hub (pid ${stopped.pid}) and its servers have stopped.` : 'No hub was running.');
  return exitCodes.ok;
}

/** `plug hub status`: never starts one. */
export async function hubStatus({ out, hubs }: Session): Promise<ExitCode> {
  const hub: RunningHub | undefined = await hubs.find();
  out.document(
    hub
      ? { ...hub, gateway: `${hub.url}/mcp`, running: true }
      : { running: false, pid: null, url: null, socket: null },
  );
  if (hub) {
    out.line({ style: 'good', text: '● ' }, `The hub runs: ${hub.url} (pid ${hub.pid}).`);
    out.line(faint('  socket  '), hub.socket);
    if (hub.readOnly) out.line({ style: 'warn', text: '  read-only mode is on' }, ': plug read-only off');
    if (hub.vault && !out.json) renderVault(hub.vault, out);
  } else out.line('○ No hub is running. Any command that needs one starts it, or: plug hub start');
  return exitCodes.ok;
}

function renderVault({ source, locked, warning, keys }: VaultStatus, out: Output): void {
  const where = source === undefined ? 'empty' : locked === false ? UNLOCKED : VAULT_KEYS[source];
  const rotating = keys > 1 ? ', being sealed anew' : '';
  out.line(faint('  vault   '), `${where}${rotating}`);
  if (locked === true) out.note(WARNING, LOCKED);
  if (warning !== undefined) out.note(WARNING, warning);
}

const UNLOCKED = 'unlocked with its passphrase until the hub stops';

const VAULT_KEYS: Readonly<Record<NonNullable<VaultStatus['source']>, string>> = {
  keyring: 'key in the keyring of this system',
  passphrase: 'locked with a passphrase',
  environment: 'key in PLUG_MASTER_KEY',
  file: 'key file (readable by you alone)',
};
