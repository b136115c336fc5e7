import { Argument, Command } from 'commander';
import { groups, type Grammar } from './words.ts';

/** config, completion, help, and what the completion of a shell asks. */
export function addHelpCommands({ program, act, actOnHub }: Grammar): void {
  program.commandsGroup(groups.hub);
  addConfigCommands({ program, act, actOnHub });
  program
    .command('completion')
    .description('Print what makes the Tab key work in your shell.')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      await act(async (session) =>
        (await import('../commands/completion.ts')).printCompletion({ shell }, session),
      );
    });
  program
    .command('complete', { hidden: true })
    .description('What could come next on a command line.')
    .argument('[words...]')
    .option('--shell <shell>', 'which one asks: how its words are quoted')
    .action(async (words: readonly string[], { shell }: { shell?: string }) => {
      await act(async (session) =>
        (await import('../commands/completion.ts')).complete({ program, words, shell }, session),
      );
    });
  const help = new Command('help')
    .argument('[words...]', 'a command, or one of the topics')
    .description('Help for a command or on a topic.')
    .action(async (words: readonly string[]) => {
      await act(async (session) => (await import('../commands/help.ts')).help({ program, words }, session));
    });
  program.helpCommand(false).addCommand(help.helpGroup(groups.hub).copyInheritedSettings(program));
}

function addConfigCommands({ program, act, actOnHub }: Pick<Grammar, 'program' | 'act' | 'actOnHub'>): void {
  const config = program
    .command('config')
    .description('Where files live, and every setting with its origin: path, list, get, set, edit.');
  config
    .command('list', { isDefault: true })
    .alias('ls')
    .description('Folders, the config files that are read, and every setting.')
    .action(async () => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/config.ts')).listConfig(hub, session),
      );
    });
  config
    .command('path')
    .description('Only the folders; with a name: that one path, for a script.')
    .addArgument(new Argument('[name]').choices(['config', 'data', 'state', 'mcp', 'rules', 'registries']))
    .action(async (name: string | undefined) => {
      await act(async (session) => (await import('../commands/config-path.ts')).showPaths({ name }, session));
    });
  config
    .command('get')
    .description('The value of one setting.')
    .argument('<key>', 'one of plug config list')
    .action(async (key: string) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/config.ts')).getSetting(hub, { key }, session),
      );
    });
  config
    .command('set')
    .description('Change a setting. It holds at once, for every face.')
    .argument('<key>', 'one of plug config list')
    .argument('<value>')
    .action(async (key: string, value: string) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/config.ts')).setSetting(hub, { key, value }, session),
      );
    });
  config
    .command('edit')
    .description('Open a file of yours in $VISUAL or $EDITOR; kept only if it can be read.')
    .addArgument(new Argument('[file]').choices(['mcp', 'rules', 'registries']).default('mcp'))
    .action(async (file: 'mcp' | 'rules' | 'registries') => {
      await act(async (session) =>
        (await import('../commands/config-edit.ts')).editConfig({ file }, session),
      );
    });
}
