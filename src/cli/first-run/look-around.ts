import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ownPaths } from '../config/own-files.ts';
import type { Session } from '../session.ts';

/** What other clients on this machine have, for somebody who has no servers here yet. */
export interface Found {
  readonly finds: readonly Find[];
  /** As people call them: “Claude Code”. */
  readonly clients: readonly string[];
  readonly servers: number;
  readonly duplicates: number;
  readonly keys: number;
}

export interface Find {
  readonly ref: string;
  readonly fingerprint: string;
  readonly id: string;
  readonly client: string;
  readonly target: string;
}

/**
 * Reads the files of other clients in this process: no hub is started for it, and nothing is
 * written. Undefined where this is no first run: there are servers already, or it was answered.
 */
export async function lookAround(session: Session): Promise<Found | undefined> {
  if (!(await isFirstRun(session))) return undefined;
  const { env, cwd } = session;
  const [{ readClients }, { clients }, { configPaths }, { describeEndpoint }] = await Promise.all([
    import('../../servers/clients/scan.ts'),
    import('../../servers/clients/clients.ts'),
    import('../../servers/config-paths.ts'),
    import('../../servers/definition.ts'),
  ]);
  const scan = await readClients({ home: homedir(), cwd, env, platform: process.platform });
  const own = configPaths({ envPath: env['PLUG_MCP_CONFIG'], cwd, config: ownPaths(session).config });
  const found = scan.found.filter(({ file }) => !own.some(({ path }) => path === file));
  const firsts = [...Map.groupBy(found, ({ fingerprint }) => fingerprint).values()].flatMap(([first]) =>
    first ? [first] : [],
  );
  const titleOf = (name: string): string => clients.find((client) => client.name === name)?.title ?? name;
  return {
    finds: firsts.map(({ ref, fingerprint, definition, client }) => ({
      ref,
      fingerprint,
      id: definition.id,
      client: titleOf(client),
      target: describeEndpoint(definition.endpoint),
    })),
    clients: [...new Set(found.map(({ client }) => titleOf(client)))],
    servers: found.length,
    duplicates: found.length - firsts.length,
    keys: firsts.reduce((sum, { keys }) => sum + keys.length, 0),
  };
}

/** “Found 9 servers in Claude Code, Cursor, VS Code; 2 duplicates, 3 plaintext keys.” */
export function sentenceOf({ servers, clients, duplicates, keys }: Found): string {
  const extras = [
    ...(duplicates > 0 ? [counted(duplicates, 'duplicate')] : []),
    ...(keys > 0 ? [counted(keys, 'plaintext key')] : []),
  ];
  const more = extras.length > 0 ? `; ${extras.join(', ')}` : '';
  return `Found ${counted(servers, 'server')} in ${clients.join(', ')}${more}.`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** A running hub knows; without one, the files that only a hub or the user makes tell. */
async function isFirstRun(session: Session): Promise<boolean> {
  const { hubs, env } = session;
  const { data, files } = ownPaths(session);
  if (existsSync(answerFile(session))) return false;
  const hub = await hubs.running();
  if (hub) {
    await using running = hub;
    return (await running.servers.list()).servers.length === 0;
  }
  return !env['PLUG_DATABASE_URL'] && !existsSync(join(data, 'plugboard.db')) && !existsSync(files.mcp);
}

/** Here stands that somebody said “not now”. */
export function answerFile(session: Pick<Session, 'env'>): string {
  return join(ownPaths(session).state, 'first-run.json');
}
