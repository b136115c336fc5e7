import { defined } from '../../base/defined.ts';
import { exportServer } from '../../editors/export.ts';
import type { ClientEdit } from '../../hub/hub.ts';
import { connectableNamed } from '../../servers/clients/clients.ts';
import { takeKeys } from '../../servers/clients/plaintext-keys.ts';
import { usage } from '../failures.ts';
import { DONE, WARNING, faint } from '../output.ts';
import { renderDifference } from '../render/difference.ts';
import { shortHome } from '../render/path.ts';
import { mustConfirm, withServerName } from '../session.ts';
import type { Flags, HubSession, Named, Texts } from '../session.ts';

interface DisconnectArgs extends Flags<'yes' | 'dryRun'> {
  readonly client: string;
  readonly scope: 'user' | 'project';
}

interface ConnectArgs extends DisconnectArgs, Flags<'http' | 'readOnly'>, Texts<'profile'> {}

export async function connect(args: ConnectArgs, session: HubSession): Promise<void> {
  const { client, scope, profile, readOnly, http } = args;
  const { hub } = session;
  if (http && scope === 'project') {
    const shared = 'A file of a project is shared, and the token is yours alone.';
    throw usage(shared, `plug connect ${client} --http`);
  }
  const url = http ? `${(await hub.status()).url ?? ''}/mcp` : undefined;
  const request = { client, scope, ...defined({ profile, readOnly, url }) };
  const { name } = connectableNamed(client);
  const notes = http
    ? [
        `Its token is in that file and opens only the gateway. To revoke it: plug host revoke ${name}`,
        'The address contains the hub’s port: set PLUG_PORT to keep it the same.',
      ]
    : [];
  const write = (dryRun: boolean): Promise<ClientEdit> => hub.clients.connect({ ...request, dryRun });
  await change(args, session, { write, done: 'is connected', same: 'is connected already', notes });
}

export async function disconnect(args: DisconnectArgs, session: HubSession): Promise<void> {
  const { client, scope } = args;
  const write = (dryRun: boolean): Promise<ClientEdit> =>
    session.hub.clients.disconnect({ client, scope, dryRun });
  const says = { done: 'is disconnected', same: 'was not connected', notes: [] };
  await change(args, session, { write, ...says });
}

interface Change {
  readonly write: (dryRun: boolean) => Promise<ClientEdit>;
  readonly done: string;
  readonly same: string;
  readonly notes: readonly string[];
}

async function change(args: DisconnectArgs, session: HubSession, work: Change): Promise<void> {
  const { out } = session;
  const { title } = connectableNamed(args.client);
  const planned = await work.write(true);
  const file = shortHome(planned.file);
  if (!planned.changed || !planned.change) {
    out.document({ ...planned, changed: false });
    out.line(`Nothing to change: ${title} ${work.same} (${file}).`);
    return;
  }
  renderDifference(file, planned.change, out);
  for (const warning of planned.warnings) if (!out.json) out.note(WARNING, warning);
  if (args.dryRun) {
    out.document({ ...planned, dryRun: true });
    return;
  }
  const refused = `${file} was not changed.`;
  await mustConfirm(session, `Write this to ${file}?`, { yes: args.yes, refused });
  const { notes } = work;
  const outcome = await work.write(false);
  out.document({ ...outcome, change: planned.change, notes });
  out.line(DONE, `${title} ${work.done}.`);
  if (outcome.backup !== undefined) out.line(faint('  backup  '), shortHome(outcome.backup));
  out.line(faint('  undo    '), 'plug undo');
  for (const note of notes) if (!out.json) out.note(WARNING, note);
}

export async function exportTo(args: Named & { readonly to: string }, session: HubSession): Promise<void> {
  const { hub, out } = session;
  const { name, to } = args;
  const definition = await withServerName(hub, name, () => hub.servers.definition({ id: name }));
  const { text, warnings } = exportServer(definition, to);
  const keys = takeKeys(definition).keys.map(({ where }) => where);
  const all =
    keys.length === 0 ? warnings : [...warnings, `It contains a plaintext key (${keys.join(', ')}).`];
  out.document({ server: definition.id, to, text, warnings: all });
  out.text(text.trimEnd());
  for (const warning of all) if (!out.json) out.note(WARNING, warning);
}
