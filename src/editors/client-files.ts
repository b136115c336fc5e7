import { dirname, sep } from 'node:path';
import { defined } from '../base/defined.ts';
import type { ClientEditOptions, ClientFiles, GatewayCommand } from '../hub/client-files.ts';
import type { ClientEdit, UsedClient } from '../hub/hub.ts';
import type { Client, Machine } from '../servers/clients/client.ts';
import { clients } from '../servers/clients/clients.ts';
import { connectClient, disconnectClient, exists, placeOf, type ConnectOptions } from './connect.ts';
import type { ConnectOutcome } from './connect.ts';
import { restoreFile } from './restore-file.ts';
import { textDifference } from './text-difference.ts';

/** The way to other clients' files for a hub; `gateway` is what they are told to start. */
export function openClientFiles(gateway: GatewayCommand): ClientFiles {
  return {
    gateway,
    used: usedClients,
    connect: async (client, to, options) => editOf(await connectClient(client, to, optionsOf(options))),
    disconnect: async (client, options) => editOf(await disconnectClient(client, optionsOf(options))),
    restore: restoreFile,
  };
}

function optionsOf({ journal, ...options }: ClientEditOptions): ConnectOptions {
  const nothing = { note: () => Promise.resolve(), foldersMadeFor: () => Promise.resolve([]) };
  return { ...options, dryRun: !journal, journal: journal ?? nothing };
}

function editOf({ change: texts, ...outcome }: ConnectOutcome): ClientEdit {
  return { ...outcome, ...defined({ change: texts && textDifference(texts.before, texts.after) }) };
}

async function usedClients(machine: Machine): Promise<readonly UsedClient[]> {
  const found = await Promise.all(
    clients.map(async (client): Promise<UsedClient | undefined> => {
      if (client.name === 'mcp-json') return undefined; // the plain file is ours to read, not a client's
      const path = await fileOf(client, machine);
      const used = path !== undefined && ((await exists(path)) || (await hasFolder(path, machine)));
      return used ? { client: client.name, title: client.title, file: path } : undefined;
    }),
  );
  return found.flatMap((client) => client ?? []);
}

async function fileOf(client: Client, machine: Machine): Promise<string | undefined> {
  const hasUserFile = client.places(machine).some(({ scope, endings }) => scope === 'user' && !endings);
  return hasUserFile ? (await placeOf(client, { machine, scope: 'user' })).path : undefined;
}

/** A folder of its own tells that a client was used, also before it had a server. */
async function hasFolder(path: string, { home }: Machine): Promise<boolean> {
  const folder = dirname(path);
  const isShared = home === folder || home.startsWith(folder + sep) || SHARED.test(folder);
  return !isShared && (await exists(folder));
}

const SHARED = /[/\\](?:\.config|Application Support|AppData[/\\](?:Roaming|Local))$/;
