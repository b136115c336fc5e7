import { Argument, Command } from 'commander';
import { groups, type Grammar } from './words.ts';

/** config, completion, help, and what the completion of a shell asks. */
export function addHelpCommands(grammar: Grammar): void {
  const { program, offHub } = grammar;
  program.commandsGroup(groups.hub);
  addConfigCommands(grammar);
  program
    .command('completion')
    .description('Print what makes the Tab key work in your shell.')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(offHub(async () => (await import('../commands/completion.ts')).printCompletion, ['shell']));
  program
    .command('complete', { hidden: true })
    .description('What could come next on a command line.')
    .argument('[words...]')
    .option('--shell <shell>', 'which one asks: how its words are quoted')
    .action(offHub(async () => (await import('../commands/completion.ts')).complete, ['words'], { program }));
  const help = new Command('help')
    .argument('[words...]', 'a command, or one of the topics')
    .description('Help for a command or on a topic.')
    .action(offHub(async () => (await import('../commands/help.ts')).help, ['words'], { program }));
  program.helpCommand(false).addCommand(help.helpGroup(groups.hub).copyInheritedSettings(program));
}

function addConfigCommands({ program, offHub, onHub }: Grammar): void {
  const config = program
    .command('config')
    .description('Where files live, and every setting with its origin: path, list, get, set, edit.');
  config
    .command('list', { isDefault: true })
    .alias('ls')
    .description('Folders, the config files that are read, and every setting.')
    .action(onHub(async () => (await import('../commands/config.ts')).listConfig));
  config
    .command('path')
    .description('Only the folders; with a name: that one path, for a script.')
    .addArgument(new Argument('[name]').choices(['config', 'data', 'state', 'mcp', 'rules', 'registries']))
    .action(offHub(async () => (await import('../commands/config-path.ts')).showPaths, ['name']));
  config
    .command('get')
    .description('The value of one setting.')
    .argument('<key>', 'one of plug config list')
    .action(onHub(async () => (await import('../commands/config.ts')).getSetting, ['key']));
  config
    .command('set')
    .description('Change a setting. It holds at once, for every face.')
    .argument('<key>', 'one of plug config list')
    .argument('<value>')
    .action(onHub(async () => (await import('../commands/config.ts')).setSetting, ['key', 'value']));
  config
    .command('edit')
    .description('Open a file of yours in $VISUAL or $EDITOR; kept only if it can be read.')
    .addArgument(new Argument('[file]').choices(['mcp', 'rules', 'registries']).default('mcp'))
    .action(offHub(async () => (await import('../commands/config-edit.ts')).editConfig, ['file']));
}
