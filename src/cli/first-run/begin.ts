import { counted } from '../render/text.ts';
import type { ExitCode } from '../exit-codes.ts';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { ownPaths } from '../config/own-files.ts';
import { firstSteps, ownCommand } from '../own-command.ts';
import { withHub, type Session } from '../session.ts';

/** Plain `plug`. On a first run it offers to import; before the answer nothing is written or started. */
export async function begin(session: Session): Promise<ExitCode | void> {
  const { out, terminal } = session;
  const plug = ownCommand(session);
  const found = await out.working('Looking at the other clients', () => lookAround(session));
  const offered = found && found.finds.length > 0 ? found : undefined;
  const remedy = { do: 'type', line: 'plug import' };
  if (out.document({ firstSteps: firstSteps(plug), ...(offered ? { found: offered, remedy } : {}) })) return;
  if (!offered || !terminal.interactive || !terminal.stdout.isTerminal) {
    for (const line of shortHelp(plug)) out.line(line);
    if (offered) out.line(`${sentenceOf(offered)} To import them: ${plug} import`);
    return;
  }
  return await offer(offered, plug, session);
}

function shortHelp(plug: string): readonly string[] {
  return [
    'Plugboard connects any agent to any MCP server.',
    '',
    ...firstSteps(plug),
    '',
    `${plug} list shows your servers, ${plug} status their states, ${plug} help all commands.`,
  ];
}

async function offer(found: OtherClients, plug: string, session: Session): Promise<ExitCode | void> {
  const { out } = session;
  out.line('Plugboard connects any agent to any MCP server.');
  out.line('');
  out.line(sentenceOf(found));
  const picked = await ask(found, session);
  if (picked.length === 0) {
    await rememberNo(session);
    out.line(`Nothing was imported. At any time: ${plug} import`);
    out.line('');
    for (const line of firstSteps(plug)) out.line(line);
    return;
  }
  const { takeOver } = await import('./take-over.ts');
  return await withHub(session, (onHub) => takeOver(picked, plug, onHub));
}

async function ask(found: OtherClients, session: Session): Promise<readonly Find[]> {
  const question = found.finds.length === 1 ? 'Import it?' : 'Import them?';
  for (;;) {
    const typed = await session.terminal.ask(`${question} [Y/pick/n] `, session.signal);
    const answer = typed.trim().toLowerCase();
    if (['', 'y', 'yes', 'a', 'all'].includes(answer)) return found.finds;
    if (['n', 'no', 'not now', 'q'].includes(answer)) return [];
    if (['p', 'pick'].includes(answer)) {
      const { tick } = await import('../choose.ts');
      const label = ({ id, client, target }: Find): string => `${id}  ${client}  ${target}`;
      return await tick(session, { items: found.finds, label, ticked: () => true });
    }
    session.out.note('Answer y for all of them, pick to choose, or n for not now.');
  }
}

/** Remembers not to ask again; `plug import` always works. */
async function rememberNo(session: Session): Promise<void> {
  const [{ makePrivateFolder, writePrivateFile }, { systemIds }] = await Promise.all([
    import('../../base/private-files.ts'),
    import('../../base/ids.ts'),
  ]);
  const file = answerFile(session);
  const at = new Date(session.clock.now()).toISOString();
  await makePrivateFolder(dirname(file));
  await writePrivateFile(file, `${JSON.stringify({ import: 'not now', at })}\n`, systemIds);
}

interface OtherClients {
  readonly finds: readonly Find[];
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

/** Reads other clients' files without a hub. Undefined if this is no first run. */
async function lookAround(session: Session): Promise<OtherClients | undefined> {
  if (!(await isFirstRun(session))) return undefined;
  const { env, cwd } = session;
  const [{ readClients }, { firstsOf }, { clients }, { configPaths }, { describeEndpoint }] =
    await Promise.all([
      import('../../servers/clients/scan.ts'),
      import('../../servers/clients/import.ts'),
      import('../../servers/clients/clients.ts'),
      import('../../servers/config-paths.ts'),
      import('../../servers/definition.ts'),
    ]);
  const scan = await readClients({ home: homedir(), cwd, env, platform: process.platform });
  const own = configPaths({ envPath: env['PLUG_MCP_CONFIG'], cwd, config: ownPaths(session).config });
  const found = scan.found.filter(({ file }) => !own.some(({ path }) => path === file));
  const firsts = [...firstsOf(found).values()];
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

function sentenceOf({ servers, clients, duplicates, keys }: OtherClients): string {
  const extras = [
    ...(duplicates > 0 ? [counted(duplicates, 'duplicate')] : []),
    ...(keys > 0 ? [counted(keys, 'plaintext key')] : []),
  ];
  const more = extras.length > 0 ? `; ${extras.join(', ')}` : '';
  return `Found ${counted(servers, 'server')} in ${clients.join(', ')}${more}.`;
}

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

function answerFile(session: Pick<Session, 'env'>): string {
  return join(ownPaths(session).state, 'first-run.json');
}
