import { Option } from 'commander';
import { limits } from '../../base/limits.ts';
import { collectList, groups, wholeNumber, type Grammar } from './words.ts';

export function addAddingCommands(grammar: Grammar): void {
  const { program, offHub, onHub } = grammar;
  program.commandsGroup(groups.adding);
  program
    .command('search')
    .description('Search the registries and the featured servers.')
    .argument('[words...]', 'a name, or what you want to do')
    .option('--registry <names>', 'official, smithery, both, featured, or one of your own', collectList)
    .option('--offline', 'search local data only')
    .option('--sync', 'update the local copy of the registries first')
    .option('-n, --limit <count>', 'how many results', resultCount, limits.searchResultsShown)
    .action(onHub(async () => (await import('../commands/search.ts')).search, ['words']));
  program
    .command('parse')
    .description('Show what a config, command, link or screenshot contains. Nothing is saved or contacted.')
    .argument('[file]', 'a file, or - for standard input', '-')
    .option('--remote-only', 'reject servers that run on this machine')
    .option('--show-secrets', 'print keys and passwords unmasked')
    .action(offHub(async () => (await import('../commands/parse.ts')).parse, ['file']));
  program
    .command('import')
    .description('Import servers from other clients. Plaintext keys move into the vault.')
    .argument('[client]', 'such as cursor, claude-code or vscode; default: all')
    .option('--all', 'import everything without asking')
    .option('-y, --yes', 'same as --all')
    .option('--dry-run', 'show what would be imported')
    .option('--follow', "keep the servers in the client's file and read them from there")
    .action(onHub(async () => (await import('../commands/import.ts')).importFromClients, ['client']));
  program
    .command('setup')
    .description('Import from other clients, connect them, and make a first call. Shows every change first.')
    .option('-y, --yes', 'skip confirmation')
    .option('--dry-run', 'show what would be done')
    .action(onHub(async () => (await import('../commands/setup.ts')).setup, []));
  program
    .command('undo')
    .description("Undo the last change to servers or to other clients' files.")
    .option('--list', 'list what can be undone')
    .option('--dry-run', 'show what would be undone')
    .option('--force', 'undo even if it changed since; keeps a copy')
    .option('--clear', 'delete the undo history and its keys')
    .option('-y, --yes', 'skip confirmation')
    .action(onHub(async () => (await import('../commands/undo.ts')).undo, []));
  addClientCommands(grammar);
  program
    .command('export <server>')
    .description("Print a server in a client's config format, or as install links.")
    .requiredOption('--to <client>', 'a client such as cursor, or deeplink')
    .action(onHub(async () => (await import('../commands/connect.ts')).exportTo, ['name']));
}

function addClientCommands({ program, onHub }: Grammar): void {
  for (const way of ['connect', 'disconnect'] as const) {
    const command = program
      .command(way)
      .description(
        way === 'connect'
          ? "Add Plugboard to a client's config. Shows the change first."
          : "Remove Plugboard from a client's config.",
      )
      .argument('<client>', 'such as cursor, claude-code or vscode')
      .addOption(
        new Option('--scope <scope>', "your own config file, or the project's")
          .choices(['user', 'project'])
          .default('user'),
      )
      .option('--dry-run', 'show the change without writing it')
      .option('-y, --yes', 'skip confirmation')
      .action(
        onHub(async () => {
          const { connect, disconnect } = await import('../commands/connect.ts');
          return way === 'connect' ? connect : disconnect;
        }, ['client']),
      );
    if (way === 'disconnect') continue;
    command
      .option('--http', 'connect by URL with a token, instead of a command')
      .option('--profile <name>', 'limit to the servers and tools of this profile')
      .option('--read-only', 'limit to read-only tools');
  }
}

function resultCount(value: string): number {
  return Math.min(wholeNumber(value, 1, 'a whole number from 1.'), limits.registryResultsMax);
}
