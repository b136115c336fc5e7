import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { defined } from '../../base/defined.ts';
import { systemIds } from '../../base/ids.ts';
import { connectClient, disconnectClient } from '../../editors/connect.ts';
import type { ConnectOptions, ConnectOutcome, GatewayAddress } from '../../editors/connect.ts';
import { exportServer } from '../../editors/export.ts';
import type { Hub } from '../../hub/hub.ts';
import { clientNamed } from '../../servers/clients/clients.ts';
import { takeKeys } from '../../servers/clients/plaintext-keys.ts';
import type { ExitCode } from '../exit-codes.ts';
import { usage } from '../failures.ts';
import { DONE, WARNING, faint, strong } from '../output.ts';
import { shortHome } from '../render/path.ts';
import { mustConfirm, withHub, withServerName } from '../session.ts';
import type { Flags, HubSession, Named, Session, Texts } from '../session.ts';

interface DisconnectArgs extends Flags<'yes' | 'dryRun'> {
  readonly client: string;
  readonly scope: 'user' | 'project';
}

interface ConnectArgs extends DisconnectArgs, Flags<'http' | 'readOnly'>, Texts<'profile'> {}

export async function connect(args: ConnectArgs, session: Session): Promise<ExitCode | void> {
  if (args.http) return await withHub(session, (onHub) => connectByAddress(args, onHub));
  const { profile, readOnly } = args;
  const flags = [
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(readOnly ? ['--read-only'] : []),
  ];
  const write = (options: ConnectOptions): Promise<ConnectOutcome> =>
    connectClient(args.client, { command: 'plug', args: ['gateway', ...flags] }, options);
  const notes = notesFor(session);
  return await change(args, session, { write, done: 'is connected', same: 'is connected already', notes });
}

/** The token is made when the file is written, and stands nowhere else: a preview has none. */
async function connectByAddress(args: ConnectArgs, session: HubSession): Promise<void> {
  const { hub } = session;
  const { client, profile, readOnly, scope } = args;
  if (scope === 'project') {
    const shared = 'A file of a project is shared, and the token is yours alone.';
    throw usage(shared, `plug connect ${client} --http`);
  }
  const { name } = clientNamed(client);
  const { url = '' } = await hub.status();
  const entry = (token: string): GatewayAddress => ({
    url: `${url}/mcp`,
    headers: { Authorization: `Bearer ${token}` },
  });
  const write = async (options: ConnectOptions): Promise<ConnectOutcome> => {
    if (options.dryRun) return await connectClient(client, entry('…'), options);
    // Connecting again makes a new token; the old one opens nothing.
    await revoke(hub, name);
    const { token } = await hub.hosts.add(defined({ name, profile, readOnly }));
    try {
      return await connectClient(client, entry(token), options);
    } catch (error) {
      await hub.hosts.revoke({ name });
      throw error;
    }
  };
  const notes = [
    `Its token is in that file and opens the gateway alone. To revoke it: plug host revoke ${name}`,
    'The address holds as long as the port of the hub does: PLUG_PORT keeps it the same.',
  ];
  return await change(args, session, { write, done: 'is connected', same: 'is connected already', notes });
}

export async function disconnect(args: DisconnectArgs, session: Session): Promise<void> {
  const { name } = clientNamed(args.client);
  const write = async (options: ConnectOptions): Promise<ConnectOutcome> => {
    const outcome = await disconnectClient(args.client, options);
    if (outcome.hadToken && !options.dryRun) await withHub(session, ({ hub }) => revoke(hub, name));
    return outcome;
  };
  const says = { done: 'is disconnected', same: 'was not connected', notes: [] };
  return await change(args, session, { write, ...says });
}

async function revoke(hub: Hub, name: string): Promise<void> {
  if ((await hub.hosts.list()).some((host) => host.name === name)) await hub.hosts.revoke({ name });
}

interface Change {
  readonly write: (options: ConnectOptions) => Promise<ConnectOutcome>;
  readonly done: string;
  readonly same: string;
  readonly notes: readonly string[];
}

async function change(args: DisconnectArgs, session: Session, work: Change): Promise<void> {
  const { out, env, cwd, clock } = session;
  const { title } = clientNamed(args.client);
  const machine = { home: homedir(), cwd, env, platform: process.platform };
  const options: ConnectOptions = { machine, clock, ids: systemIds, scope: args.scope };
  const { change: texts, ...planned } = await work.write({ ...options, dryRun: true });
  const file = shortHome(planned.file);
  const shown = texts && textChange(withoutTokens(texts.before), withoutTokens(texts.after));
  if (!planned.changed || !shown) {
    out.document({ ...planned, changed: false });
    out.line(`Nothing to change: ${title} ${work.same} (${file}).`);
    return;
  }
  out.line(strong(file));
  for (const line of shown.removed) out.line({ style: 'bad', text: `  - ${line}` });
  for (const line of shown.added) out.line({ style: 'good', text: `  + ${line}` });
  for (const warning of planned.warnings) if (!out.json) out.note(WARNING, warning);
  if (args.dryRun) {
    out.document({ ...planned, change: shown, dryRun: true });
    return;
  }
  const refused = `${file} was not changed.`;
  await mustConfirm(session, `Write this to ${file}?`, { yes: args.yes, refused });
  const { notes } = work;
  const outcome = await work.write(options);
  out.document({ ...outcome, change: shown, notes });
  out.line(DONE, `${title} ${work.done}.`);
  if (outcome.backup !== undefined) out.line(faint('  backup  '), shortHome(outcome.backup));
  for (const note of notes) if (!out.json) out.note(WARNING, note);
}

/** Shown text may end in a log; our token belongs only in the file. */
function withoutTokens(text: string): string {
  return text.replaceAll(/plughost_[\w-]+/g, 'plughost_…');
}

function notesFor({ env }: Session): readonly string[] {
  const found = (env['PATH'] ?? '').split(delimiter).some((folder) => isProgram(join(folder, 'plug')));
  return found ? [] : ['There is no “plug” on your PATH: the client will not find it there.'];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Only where two texts differ: the rest of a client's file may hold keys. */
function textChange(before: string, after: string) {
  if (before === after) return undefined;
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  // An entry starts at the beginning of its line, where only blanks stand before it.
  const indent = /[ \t]*$/.exec(after.slice(0, start))?.[0].length ?? 0;
  const from = start - indent;
  return {
    line: after.slice(0, start).split('\n').length,
    removed: linesOf(before.slice(from, before.length - end)),
    added: linesOf(after.slice(from, after.length - end)),
  };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
}

export async function exportTo(args: Named & { readonly to: string }, session: HubSession): Promise<void> {
  const { hub, out } = session;
  const { name, to } = args;
  const definition = await withServerName(hub, name, () => hub.servers.definition({ id: name }));
  const { text, warnings } = exportServer(definition, to);
  const keys = takeKeys(definition).keys.map(({ where }) => where);
  const all =
    keys.length === 0 ? warnings : [...warnings, `A readable key is part of it (${keys.join(', ')}).`];
  out.document({ server: definition.id, to, text, warnings: all });
  out.text(text.trimEnd());
  for (const warning of all) if (!out.json) out.note(WARNING, warning);
}
