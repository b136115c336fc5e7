import { defined } from '../../base/defined.ts';
import type { ServerView, ToolView, UntrustedView } from '../../hub/hub.ts';
import { DONE, faint, strong, type Piece } from '../output.ts';
import { mustConfirm, withServerName } from '../session.ts';
import type { Flags, HubSession, Names, Session } from '../session.ts';

type TrustArgs = Names & Flags<'session' | 'yes'>;

export async function trust(args: TrustArgs, session: HubSession): Promise<void> {
  if (args.names.length === 0) return await listTrust(session);
  const servers: ServerView[] = [];
  for (const name of args.names) servers.push(await trustOne(name, args, session));
  session.out.document({ servers });
}

export async function untrust({ names }: Names, { hub, out }: HubSession): Promise<void> {
  const servers: ServerView[] = [];
  for (const name of names) {
    servers.push(await withServerName(hub, name, () => hub.servers.untrust({ id: name })));
    out.line(DONE, `${name} is no longer trusted: every call asks first.`);
    const { length } = await hub.grants.list({ server: name });
    const held = length === 1 ? `One grant of ${name} still holds` : `${length} grants of ${name} still hold`;
    if (length > 0) out.note(`${held}. See: plug grants list ${name}`);
  }
  out.document({ servers });
}

async function trustOne(name: string, { session: forSession = false, yes }: TrustArgs, session: HubSession) {
  const { hub, out } = session;
  const server = await withServerName(hub, name, () => hub.servers.get({ id: name }));
  // An entry that waits for trust under this name is the one that would run.
  const { untrusted } = server.waiting ?? server;
  const enough = server.trust === 'kept' || (forSession && server.trust === 'session');
  if (!untrusted && enough) {
    // Trusting again would pin changed tools unseen; they have a command of their own.
    out.line(`${name} is trusted already. Changed tools wait for: plug tools approve ${name}/TOOL`);
    return server;
  }
  // An entry that must not run yet is not asked for its tools.
  const { tools } = untrusted ? { tools: [] } : await hub.tools.list({ server: name });
  const flagged = tools.filter(({ flags }) => flags.length > 0);
  showEntry(server, session);
  showWarnings(untrusted?.references, session);
  showMeaning({ server, tools: tools.length, flagged, forSession }, session);
  const place = server.waiting ? `Let this entry run in place of your ${name}` : `Let ${name} run`;
  const question = untrusted ? `${place}, and trust it?` : `Trust ${name}?`;
  const refused = `${name} ${untrusted ? 'stays off' : 'is not trusted'}.`;
  await mustConfirm(session, question, { yes, refused });
  const bound = defined({ fingerprint: untrusted?.fingerprint, session: forSession || undefined });
  const trusted = await hub.servers.trust({ id: name, ...bound });
  const how = forSession ? ' until the hub stops' : '';
  out.line(DONE, `${name} is trusted as it is now${how}.`);
  out.line(faint(`To undo: plug untrust ${name}`));
  return trusted;
}

interface Meaning {
  readonly server: ServerView;
  readonly tools: number;
  readonly flagged: readonly ToolView[];
  readonly forSession: boolean;
}

function showMeaning({ server, tools, flagged, forSession }: Meaning, { out }: Session): void {
  const pinned = tools === 0 ? 'as they are when it first connects' : `as they are now (${tools})`;
  out.line(faint('  means     '), 'read-only tools run without asking; tools that write still ask');
  out.line(
    faint('            '),
    `its tools are pinned ${pinned}; a tool that changes waits for your approval`,
  );
  if (forSession) out.line(faint('            '), 'until the hub stops');
  if (flagged.length === 0) return;
  out.line(WARNED, `${flagged.length} of ${server.id} are flagged and still ask:`);
  for (const tool of flagged) {
    for (const { field, detail } of tool.flags)
      out.line({ style: 'warn', text: `    ${tool.name} ` }, `${field}: ${detail}`);
  }
}

async function listTrust(session: HubSession): Promise<void> {
  const { hub, out } = session;
  const { servers } = await hub.servers.list();
  const waiting = servers.filter((server) => server.untrusted ?? server.waiting);
  out.document({
    servers: waiting,
    trust: Object.fromEntries(servers.map(({ id, trust: how }) => [id, how])),
  });
  if (waiting.length === 0) out.line('No servers from project files are waiting for trust.');
  for (const server of waiting) {
    showEntry(server, session);
    showWarnings((server.waiting ?? server).untrusted?.references, session);
  }
  const named = (how: ServerView['trust']): string =>
    servers
      .filter((server) => server.trust === how && !server.untrusted)
      .map(({ id }) => id)
      .join(', ');
  for (const [how, words] of TRUST_WORDS) {
    if (named(how) !== '') out.line(faint(`${words.padEnd(28)} `), named(how));
  }
  if (waiting[0]) out.line(`Next: plug trust ${waiting[0].id}`);
}

const WARNED: Piece = { style: 'warn', text: '  ⚠ ' };

const TRUST_WORDS = [
  ['kept', 'trusted'],
  ['session', 'trusted until the hub stops'],
  ['none', 'not trusted, every call asks'],
] as const;

function showWarnings(references: UntrustedView['references'] = [], { out }: Session): void {
  for (const { says } of references) out.line(WARNED, says);
}

function showEntry({ id, waiting, ...server }: ServerView, { out }: Session): void {
  const { target, transport, untrusted } = waiting ?? server;
  out.line(strong(id));
  if (waiting) out.line(WARNED, `It would take the place of your own ${id}.`);
  out.line(faint(transport === 'stdio' ? '  runs      ' : '  contacts  '), target);
  if (!untrusted) return;
  out.line(faint('  file      '), untrusted.file);
  // All of it is shown: environment, folder and headers decide as much as the command does.
  out.line(faint(untrusted.changed ? '  changed since you trusted it' : '  the whole entry'));
  for (const { field, before, after } of untrusted.diff) {
    if (before !== undefined) out.line({ style: 'bad', text: `  - ${field}: ` }, before);
    if (after !== undefined) out.line({ style: 'good', text: `  + ${field}: ` }, after);
  }
}
