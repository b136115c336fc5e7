import { InvalidArgumentError, Option } from 'commander';
import { limits } from '../../base/limits.ts';
import { collectList, groups, type Grammar } from './words.ts';

/** search, parse, import, connect, disconnect, export. */
export function addAddingCommands(grammar: Grammar): void {
  const { program, act, actOnHub } = grammar;
  program.commandsGroup(groups.adding);
  program
    .command('search')
    .description('Find servers in the registries.')
    .argument('[words...]', 'what you look for')
    .option('--registry <names>', 'official, smithery, both, or one of your own', collectList)
    .option('--offline', 'answer from what is known here')
    .option('--sync', 'first copy the registries that can be copied into the local index')
    .option('-n, --limit <count>', 'how many results', resultCount, limits.searchResultsShown)
    .action(async (words: readonly string[], flags: SearchFlags) => {
      await actOnHub(async (hub, session) => {
        const { search } = await import('../commands/search.ts');
        const { registry = [], offline = false, sync = false, limit } = flags;
        return await search(
          hub,
          { query: words.join(' '), registries: registry, offline, sync, limit },
          session,
        );
      });
    });
  program
    .command('parse')
    .description('Say what is in a config, command, link or screenshot. Saves and contacts nothing.')
    .argument('[file]', 'a file, or - for standard input', '-')
    .option('--remote-only', 'decline servers that would run on this machine')
    .action(async (file: string, { remoteOnly }: { remoteOnly?: boolean }) => {
      await act(async (session) => {
        const { isRemoteOnly } = await import('../remote-only.ts');
        const { parse } = await import('../commands/parse.ts');
        return await parse({ file, remoteOnly: isRemoteOnly(remoteOnly, session) }, session);
      });
    });
  program
    .command('import')
    .description('Take over servers from other clients; readable keys go into the vault.')
    .argument('[client]', 'such as cursor, claude-code, vscode; all when not given')
    .option('--all', 'everything, without asking')
    .option('-y, --yes', 'the same')
    .option('--dry-run', 'only show what would be imported')
    .option('--follow', "leave the client's file as the only source of truth")
    .action(async (client: string | undefined, flags: ImportFlags) => {
      await actOnHub(async (hub, session) => {
        const { importFromClients } = await import('../commands/import.ts');
        const { yes = false, all = yes, dryRun = false, follow = false } = flags;
        return await importFromClients(hub, { client, all, dryRun, follow }, session);
      });
    });
  addClientCommands(grammar);
  program
    .command('export')
    .description("Print a server in a client's own format, or as links that install it.")
    .argument('<server>')
    .requiredOption('--to <client>', 'a client such as cursor, or deeplink')
    .action(async (name: string, { to }: { to: string }) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/export.ts')).exportTo(hub, { name, to }, session),
      );
    });
}

interface SearchFlags {
  readonly registry?: readonly string[];
  readonly offline?: boolean;
  readonly sync?: boolean;
  readonly limit: number;
}

interface ImportFlags {
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly follow?: boolean;
}

interface ClientFlags {
  readonly scope: 'user' | 'project';
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

function addClientCommands({ program, act }: Grammar): void {
  for (const way of ['connect', 'disconnect'] as const) {
    program
      .command(way)
      .description(
        way === 'connect'
          ? "Write Plugboard into a client's config; the change is shown first."
          : "Take Plugboard out of a client's config again.",
      )
      .argument('<client>', 'such as cursor, claude-code, vscode')
      .addOption(
        new Option('--scope <scope>', "the user's own file, or the project's")
          .choices(['user', 'project'])
          .default('user'),
      )
      .option('--dry-run', 'only show the change')
      .option('-y, --yes', 'do not ask')
      .action(async (client: string, { scope, yes = false, dryRun = false }: ClientFlags) => {
        await act(async (session) => {
          const { connect, disconnect } = await import('../commands/connect.ts');
          const run = way === 'connect' ? connect : disconnect;
          return await run({ client, scope, yes, dryRun }, session);
        });
      });
  }
}

function resultCount(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It takes a whole number from 1.');
  return Math.min(count, limits.registryResultsMax);
}
