import { Option } from 'commander';
import { limits } from '../../base/limits.ts';
import { collectList, groups, wholeNumber, type Grammar } from './words.ts';

export function addAddingCommands(grammar: Grammar): void {
  const { program, offHub, onHub } = grammar;
  program.commandsGroup(groups.adding);
  program
    .command('search')
    .description('Find servers in the registries and among the featured ones.')
    .argument('[words...]', 'a name, or what you want to do')
    .option('--registry <names>', 'official, smithery, both, featured, or one of your own', collectList)
    .option('--offline', 'answer from what is known here')
    .option('--sync', 'first copy the registries that can be copied into the local index')
    .option('-n, --limit <count>', 'how many results', resultCount, limits.searchResultsShown)
    .action(onHub(async () => (await import('../commands/search.ts')).search, ['words']));
  program
    .command('parse')
    .description('Say what is in a config, command, link or screenshot. Saves and contacts nothing.')
    .argument('[file]', 'a file, or - for standard input', '-')
    .option('--remote-only', 'decline servers that would run on this machine')
    .option('--show-secrets', 'print keys and passwords as they were pasted, instead of masking them')
    .action(offHub(async () => (await import('../commands/parse.ts')).parse, ['file']));
  program
    .command('import')
    .description('Take over servers from other clients; readable keys go into the vault.')
    .argument('[client]', 'such as cursor, claude-code, vscode; all when not given')
    .option('--all', 'everything, without asking')
    .option('-y, --yes', 'the same')
    .option('--dry-run', 'only show what would be imported')
    .option('--follow', "leave the client's file as the only source of truth")
    .action(onHub(async () => (await import('../commands/import.ts')).importFromClients, ['client']));
  program
    .command('setup')
    .description('Import from other clients, connect them, and make a first call. Shows every change first.')
    .option('-y, --yes', 'without asking')
    .option('--dry-run', 'only show what would be done')
    .action(onHub(async () => (await import('../commands/setup.ts')).setup, []));
  program
    .command('undo')
    .description("Undo the last change to servers or to other clients' files.")
    .option('--list', 'only show what can be undone')
    .option('--dry-run', 'only show what would be undone')
    .option('--force', 'even if the same things were changed since; a copy is kept')
    .option('--clear', 'forget all changes and the keys that are kept for them')
    .option('-y, --yes', 'without asking')
    .action(onHub(async () => (await import('../commands/undo.ts')).undo, []));
  addClientCommands(grammar);
  program
    .command('export <server>')
    .description("Print a server in a client's own format, or as links that install it.")
    .requiredOption('--to <client>', 'a client such as cursor, or deeplink')
    .action(onHub(async () => (await import('../commands/connect.ts')).exportTo, ['name']));
}

function addClientCommands({ program, onHub }: Grammar): void {
  for (const way of ['connect', 'disconnect'] as const) {
    const command = program
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
      .action(
        onHub(async () => {
          const { connect, disconnect } = await import('../commands/connect.ts');
          return way === 'connect' ? connect : disconnect;
        }, ['client']),
      );
    if (way === 'disconnect') continue;
    command
      .option('--http', 'by the address of the hub, with a token of its own, instead of a command')
      .option('--profile <name>', 'only the servers and tools of this profile')
      .option('--read-only', 'only tools that read');
  }
}

function resultCount(value: string): number {
  return Math.min(wholeNumber(value, 1, 'a whole number from 1.'), limits.registryResultsMax);
}
