import { Argument, Command } from 'commander';
import { groups, lineCount, secondsToMs, wholeNumber, type Grammar } from './words.ts';

export function addHubCommands({ program, offHub, onHub }: Grammar): void {
  program.commandsGroup(groups.look);
  program
    .command('open')
    .description('Open the page in your browser.')
    .option('--print', 'print the link instead; it works once, within two minutes')
    .action(offHub(async () => (await import('../commands/hub.ts')).openPage, []));
  program
    .command('status [server]')
    .description('Show a one-line summary and the servers that need you; with a name, show that server.')
    .action(onHub(async () => (await import('../commands/list.ts')).status, ['server']));
  program
    .command('wait [server...]')
    .description('Start servers and wait until each is ready or has failed.')
    .option('--timeout <seconds>', 'give up after this long', secondsToMs)
    .action(onHub(async () => (await import('../commands/list.ts')).wait, ['names']));
  program
    .command('logs [server...]')
    .description('Show what servers wrote to stderr; with -f and no name, follow all servers.')
    .option('-n, --lines <count>', 'number of lines to show', lineCount, 200)
    .option('-f, --follow', 'keep following; with --json, one record per line')
    .action(onHub(async () => (await import('../commands/logs.ts')).logs, ['names']));
  program
    .command('events [server]')
    .description('Show server events.')
    .option('-n, --lines <count>', 'number of events to show', lineCount, 50)
    .option('-f, --follow', 'keep following; with --json, one record per line')
    .action(onHub(async () => (await import('../commands/logs.ts')).events, ['server']));
  program.commandsGroup(groups.hub);
  const hub = program
    .command('hub')
    .description('Manage the background process that runs your servers: start, stop, restart, status.');
  hub
    .command('start')
    .description('Start the hub in the background.')
    .option('--foreground', 'run in this terminal until Ctrl-C')
    .option('--port <number>', 'listen on this port (with --foreground or --team)', port)
    .option('--team', 'run a team hub in this terminal until Ctrl-C; people sign in')
    .option('--database <url>', 'with --team: postgres://…; default: PLUG_DATABASE_URL')
    .option('--url <origin>', 'with --team: where people reach it, if a proxy stands before it')
    .option('--behind-proxy', 'with --team: believe the X-Forwarded-For of that proxy')
    .action(offHub(async () => (await import('../commands/hub.ts')).startHub, []));
  hub
    .command('stop')
    .description('Stop the hub and every server it started.')
    .action(offHub(async () => (await import('../commands/hub.ts')).stopHub));
  hub
    .command('restart')
    .description('Restart the hub in the background.')
    .action(offHub(async () => (await import('../commands/hub.ts')).restartHub));
  hub
    .command('status')
    .description('Show whether the hub is running, and its address.')
    .action(offHub(async () => (await import('../commands/hub.ts')).hubStatus));
}

export function addGatewayCommands(grammar: Grammar): void {
  const { program, offHub } = grammar;
  program.commandsGroup(groups.hub);
  program
    .command('gateway')
    .description('Serve all your servers to an MCP host over stdio.')
    .option('--profile <name>', 'limit to the servers and tools of this profile')
    .option('--server <name>', 'limit to this server, with its own tool names')
    .option('--mode <mode>', 'how tools are shown: all, servers, search, code or auto')
    .option('--read-only', 'limit to read-only tools')
    .action(offHub(async () => (await import('../commands/gateway.ts')).gateway, []));
  addHostCommands(grammar);
}

function addHostCommands({ program, onHub }: Grammar): void {
  const host = program
    .command('host')
    .description('Manage tokens for hosts that connect by URL: list, add, revoke.');
  host
    .command('list', { isDefault: true })
    .alias('ls')
    .description('List hosts with their profile and last use.')
    .action(onHub(async () => (await import('../commands/host.ts')).listHosts));
  host
    .command('add')
    .description('Create a gateway token for one host. It’s shown only once.')
    .argument('<name>', 'name: a–z, 0–9, dot, dash, underscore')
    .option('--profile <name>', 'limit to the servers and tools of this profile')
    .option('--read-only', 'limit to read-only tools')
    .option('--api', 'allow the hub’s full API instead, for an editor that acts as you')
    .action(onHub(async () => (await import('../commands/host.ts')).addHost, ['name']));
  host
    .command('revoke <name...>')
    .alias('rm')
    .description('Revoke the tokens of hosts. Their running calls are canceled.')
    .action(onHub(async () => (await import('../commands/host.ts')).revokeHosts, ['names']));
}

export function addHelpCommands(grammar: Grammar): void {
  const { program, offHub } = grammar;
  program.commandsGroup(groups.hub);
  addConfigCommands(grammar);
  program
    .command('completion')
    .description('Print the completion script for your shell.')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(offHub(async () => (await import('../commands/completion.ts')).printCompletion, ['shell']));
  program
    .command('complete [words...]', { hidden: true })
    .description('List completions for a command line.')
    .option('--shell <shell>', 'which one asks: how its words are quoted')
    .action(offHub(async () => (await import('../commands/completion.ts')).complete, ['words'], { program }));
  const help = new Command('help')
    .argument('[words...]', 'a command or topic')
    .description('Show help for a command or topic.')
    .action(offHub(async () => (await import('../commands/help.ts')).help, ['words'], { program }));
  program.helpCommand(false).addCommand(help.helpGroup(groups.hub).copyInheritedSettings(program));
}

function addConfigCommands({ program, offHub, onHub }: Grammar): void {
  const config = program
    .command('config')
    .description('Show and change settings, and show where files are: path, list, get, set, edit.');
  config
    .command('list', { isDefault: true })
    .alias('ls')
    .description('List folders, config files and settings.')
    .action(onHub(async () => (await import('../commands/config.ts')).listConfig));
  config
    .command('path')
    .description('Print the folders; with a name, print that path only.')
    .addArgument(new Argument('[name]').choices(['config', 'data', 'state', 'mcp', 'rules', 'registries']))
    .action(offHub(async () => (await import('../config/own-files.ts')).showPaths, ['name']));
  config
    .command('get')
    .description('Print a setting.')
    .argument('<key>', 'setting name from plug config list')
    .action(onHub(async () => (await import('../commands/config.ts')).getSetting, ['key']));
  config
    .command('set')
    .description('Change a setting. It applies immediately, everywhere.')
    .argument('<key>', 'setting name from plug config list')
    .argument('<value>')
    .action(onHub(async () => (await import('../commands/config.ts')).setSetting, ['key', 'value']));
  config
    .command('edit')
    .description('Edit a config file in $VISUAL or $EDITOR. Saved only if it’s valid.')
    .addArgument(new Argument('[file]').choices(['mcp', 'rules', 'registries']).default('mcp'))
    .action(offHub(async () => (await import('../commands/config.ts')).editConfig, ['file']));
}

function port(value: string): number {
  return wholeNumber(value, 0, 'a port from 0 to 65535; 0 picks a free one.', 65_535);
}
