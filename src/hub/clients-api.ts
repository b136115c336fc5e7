import { homedir } from 'node:os';
import { defined } from '../base/defined.ts';
import { messageOf, PlugError } from '../base/errors.ts';
import { connectableNamed } from '../servers/clients/clients.ts';
import type { Machine } from '../servers/clients/client.ts';
import type { OpenChange } from './changes/journal.ts';
import type {
  ClientEdit,
  ClientEditOptions,
  ClientFiles,
  ClientList,
  ClientView,
  GatewayCommand,
} from './client-files.ts';
import { LIBRARY } from './client.ts';
import type { Core } from './core.ts';
import type { ConnectRequest, DisconnectRequest } from './hub.ts';
import type { Implementations } from './operations/table.ts';
import type { Workspace } from './workspace.ts';

/** Other clients' files, as this hub may write them. */
export async function clientFilesOf({ options }: Pick<Core, 'options'>): Promise<ClientFiles> {
  const files = await options.openClientFiles?.();
  if (files) return files;
  throw new PlugError('unsupported', 'This hub doesn’t write other clients’ files.', { owner: 'plugboard' });
}

export function machineOf(
  { options }: Pick<Core, 'options'>,
  { folder }: Pick<Workspace, 'folder'>,
): Machine {
  const { env, platform = process.platform } = options;
  return { home: homedir(), cwd: folder, env, platform };
}

export function clientsOf(core: Core, workspace: Workspace): Implementations['clients'] {
  return {
    list: () => list(core, workspace),
    connect: (request) => connect(core, workspace, request),
    disconnect: (request) => disconnect(core, workspace, request),
  };
}

async function list(core: Core, workspace: Workspace): Promise<ClientList> {
  const files = await clientFilesOf(core);
  const used = await files.used(machineOf(core, workspace));
  const clients = used.map(async (each): Promise<ClientView> => {
    try {
      // What would be taken out again is what is there.
      const { changed } = await files.disconnect(each.client, optionsOf(core, workspace, {}));
      return { ...each, connected: changed };
    } catch (error) {
      return { ...each, connected: false, problem: messageOf(error) };
    }
  });
  return { gateway: files.gateway, clients: await Promise.all(clients) };
}

async function connect(core: Core, workspace: Workspace, request: ConnectRequest): Promise<ClientEdit> {
  const { client, scope = 'user', url, dryRun = false } = request;
  const { name } = connectableNamed(client);
  if (url !== undefined && scope === 'project') {
    const why = 'A file of a project is shared, and the token is yours alone.';
    throw new PlugError('usage', why, { owner: 'you', remedy: 'Connect it for your user instead.' });
  }
  const planned = await editClient(core, workspace, { ...request, token: '…' });
  if (dryRun || !planned.changed) return planned;
  return await core.changes.during({ kind: 'connect', names: [name] }, (change) =>
    connectIn(core, workspace, change, request),
  );
}

/** Connects as a part of a change, which another operation may have begun. */
export async function connectIn(
  core: Core,
  workspace: Workspace,
  change: OpenChange,
  request: ConnectRequest,
): Promise<ClientEdit> {
  const { url, profile, readOnly } = request;
  const { name } = connectableNamed(request.client);
  if (url === undefined) return await editClient(core, workspace, { ...request, change });
  const { hostTokens } = core.decisions;
  await change.addHost(name);
  // Connecting again makes a new token; the old one opens nothing.
  await hostTokens.revoke(name);
  const { add } = (await import('./hosts-api.ts')).hostsOf(core, LIBRARY);
  const { token } = await add({ name, ...defined({ profile, readOnly }) }, {});
  try {
    return await editClient(core, workspace, { ...request, change, token });
  } catch (error) {
    await hostTokens.revoke(name);
    throw error;
  }
}

interface Edit extends ConnectRequest {
  readonly token?: string;
  /** Absent: nothing is written. */
  readonly change?: OpenChange;
}

/** The token is made when the file is written, and stands nowhere else: a preview has none. */
async function editClient(core: Core, workspace: Workspace, edit: Edit): Promise<ClientEdit> {
  const { client, url, token } = edit;
  const files = await clientFilesOf(core);
  const gateway =
    url === undefined
      ? commandFor(files.gateway, edit)
      : { url, headers: { Authorization: `Bearer ${token ?? '…'}` } };
  const done = await files.connect(client, gateway, optionsOf(core, workspace, edit));
  const isShared = edit.scope === 'project' && 'command' in gateway && gateway.command !== 'plug';
  return isShared && done.changed ? { ...done, warnings: [...done.warnings, OWN_PATH] } : done;
}

const OWN_PATH = 'That file is shared, and the path in it is of this machine alone.';

function commandFor(
  { command, args }: GatewayCommand,
  { profile, readOnly }: ConnectRequest,
): GatewayCommand {
  const flags = [
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(readOnly ? ['--read-only'] : []),
  ];
  return { command, args: [...args, ...flags] };
}

function optionsOf(
  core: Core,
  workspace: Workspace,
  { scope, change }: { readonly scope?: 'user' | 'project'; readonly change?: OpenChange },
): ClientEditOptions {
  const { clock, ids } = core;
  return { machine: machineOf(core, workspace), clock, ids, ...defined({ scope, journal: change }) };
}

async function disconnect(core: Core, workspace: Workspace, request: DisconnectRequest): Promise<ClientEdit> {
  const { client, scope, dryRun = false } = request;
  const { name } = connectableNamed(client);
  const files = await clientFilesOf(core);
  const edit = (change?: OpenChange): Promise<ClientEdit> =>
    files.disconnect(client, optionsOf(core, workspace, defined({ scope, change })));
  const planned = await edit();
  if (dryRun || !planned.changed) return planned;
  return await core.changes.during({ kind: 'disconnect', names: [name] }, async (change) => {
    await change.addHost(name);
    const done = await edit(change);
    if (done.hadToken) await core.decisions.hostTokens.revoke(name);
    return done;
  });
}
