import type { Hub, ServerView } from '../../hub/hub.ts';
import { exitCodeOfServers, type ExitCode } from '../exit-codes.ts';
import { usage } from '../failures.ts';
import { DONE, faint } from '../output.ts';
import { statePieces } from '../render/state.ts';
import { mustConfirm, withHub, withServerName } from '../session.ts';
import type { Flags, HubSession, Names, Session, Texts } from '../session.ts';

export async function restart(args: Names & Flags<'failed'>, session: HubSession): Promise<ExitCode | void> {
  const { names, failed = false } = args;
  const { hub, out, signal } = session;
  if (failed === names.length > 0) {
    throw usage(
      'Name the servers to restart, or use --failed.',
      'plug restart SERVER, or plug restart --failed',
    );
  }
  const restarted = failed
    ? await out.working('Restarting failed servers', () => hub.servers.restartFailed())
    : names;
  const servers = await forEach(restarted, session, (id) =>
    failed
      ? hub.servers.get({ id })
      : out.working(`Restarting ${id}`, () => hub.servers.restart({ id }, { signal })),
  );
  if (restarted.length === 0) out.line('No failed servers.');
  out.document({ restarted, servers });
  return exitCodeOfServers(servers);
}

export async function stop({ names, all = false }: Names & Flags<'all'>, session: HubSession): Promise<void> {
  const { hub, out } = session;
  if (all === names.length > 0)
    throw usage('Name the servers to stop, or use --all.', 'plug stop SERVER, or plug stop --all');
  const stopped = all ? await out.working('Stopping all servers', () => hub.servers.stopAll()) : names;
  const servers = await forEach(stopped, session, (id) =>
    all ? hub.servers.get({ id }) : out.working(`Stopping ${id}`, () => hub.servers.stop({ id })),
  );
  if (stopped.length === 0) out.line('No servers are running.');
  out.document({ stopped, servers });
}

type Switch = 'enable' | 'disable' | 'read-only on' | 'read-only off';

const SWITCHES: Readonly<Record<Switch, (hub: Hub, id: string) => Promise<ServerView>>> = {
  enable: (hub, id) => hub.servers.enable({ id }),
  disable: (hub, id) => hub.servers.disable({ id }),
  'read-only on': (hub, id) => hub.servers.setReadOnly({ id, readOnly: true }),
  'read-only off': (hub, id) => hub.servers.setReadOnly({ id, readOnly: false }),
};

/** `plug enable`, `plug disable` and `plug read-only SERVER`: no file is edited. */
export async function switchServers(
  { names, to }: Names & { readonly to: Switch },
  session: HubSession,
): Promise<void> {
  const work = (id: string): Promise<ServerView> => SWITCHES[to](session.hub, id);
  const servers = await forEach(names, session, work, ({ readOnly }) => (readOnly ? ', read-only' : ''));
  session.out.document({ servers });
}

async function forEach(
  names: readonly string[],
  { hub, out, clock }: HubSession,
  work: (id: string) => Promise<ServerView>,
  tail: (server: ServerView) => string = () => '',
): Promise<readonly ServerView[]> {
  const servers: ServerView[] = [];
  for (const name of names) {
    const server = await withServerName(hub, name, () => work(name));
    const [symbol, words] = statePieces(server, clock.now());
    out.line(symbol, words + tail(server));
    servers.push(server);
  }
  return servers;
}

export async function readOnly(args: Texts<'first' | 'second'>, session: Session): Promise<ExitCode | void> {
  const { first, second } = args;
  // Checked before a hub is started for it.
  const { server, position } = readOnlyWords(first, second);
  return await withHub(session, (onHub) =>
    server === undefined
      ? switchAll(position, onHub)
      : switchServers({ names: [server], to: `read-only ${position ?? 'on'}` }, onHub),
  );
}

async function switchAll(position: 'on' | 'off' | undefined, { hub, out }: HubSession): Promise<void> {
  const settings =
    position === undefined
      ? await hub.settings.get()
      : await hub.settings.change({ readOnly: position === 'on' });
  const { withheld } = await hub.tools.list();
  const barred = withheld.filter(({ cause }) => cause === 'read_only').length;
  out.document({ readOnly: settings.readOnly, withheld: barred });
  if (!settings.readOnly) {
    out.line('Read-only mode is off.');
    return;
  }
  const tools = barred === 1 ? '1 tool is' : `${barred} tools are`;
  out.line(
    { style: 'warn', text: '◐ ' },
    `Read-only mode is on: ${tools} withheld, and refused when called.`,
  );
  out.line(faint('  next  '), 'plug read-only off');
}

function readOnlyWords(first?: string, second?: string) {
  if (first === undefined) return {};
  if (second === undefined && isPosition(first)) return { position: first };
  if (second !== undefined && isPosition(second)) return { server: first, position: second };
  throw usage(
    `“${(second ?? first).slice(0, 80)}” is neither on nor off.`,
    `plug read-only ${second === undefined ? `${first.slice(0, 80)} ` : ''}on`,
  );
}

function isPosition(word: string): word is 'on' | 'off' {
  return word === 'on' || word === 'off';
}

export async function remove({ names, yes }: Names & Flags<'yes'>, session: HubSession): Promise<void> {
  const { hub, out } = session;
  for (const name of names) {
    const { id, target } = await withServerName(hub, name, () => hub.servers.get({ id: name }));
    const kept = (await credentialsOf(hub, id)).join(', ');
    const question = `Remove ${id} (${target})${kept === '' ? '' : ` and ${kept}`}?`;
    await mustConfirm(session, question, { yes, refused: `${name} was not removed.` });
    await withServerName(hub, name, () => hub.servers.remove({ id: name }));
    out.line(DONE, `${name} is removed${kept === '' ? '' : `, with ${kept}`}.`);
  }
  out.document({ removed: names });
}

async function credentialsOf(hub: Hub, server: string): Promise<readonly string[]> {
  const [accounts, secrets] = await Promise.all([hub.accounts.list({ server }), hub.secrets.list()]);
  return [
    ...accounts.map(({ account, displayName }) => `the sign-in as ${displayName ?? account}`),
    ...secrets.filter((name) => name.startsWith(`${server}/`)).map((name) => `the secret ${name}`),
  ];
}
