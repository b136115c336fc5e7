import { Argument, Command } from 'commander';
import { groups, lineCount, secondsToMs, wholeNumber, type Grammar } from './words.ts';

export function addHubCommands({ program, offHub, onHub }: Grammar): void {
  program.commandsGroup(groups.look);
  program
    .command('open')
    .description('Open the page in your browser.')
    .option('--print', 'print the link instead; it is good once, for two minutes')
    .action(offHub(async () => (await import('../commands/hub.ts')).openPage, []));
  program
    .command('status [server]')
    .description('One line; then each server that needs you. With a name: all about that server.')
    .action(onHub(async () => (await import('../commands/list.ts')).status, ['server']));
  program
    .command('wait [server...]')
    .description('Start servers and return when each is ready or has failed.')
    .option('--timeout <seconds>', 'give up after this long', secondsToMs)
    .action(onHub(async () => (await import('../commands/list.ts')).wait, ['names']));
  program
    .command('logs [server...]')
    .description('What servers wrote to stderr; without a name, with -f: all of them.')
    .option('-n, --lines <count>', 'how many of the last lines', lineCount, 200)
    .option('-f, --follow', 'go on from there; with --json one record a line')
    .action(onHub(async () => (await import('../commands/logs.ts')).logs, ['names']));
  program
    .command('events [server]')
    .description('What happened to servers.')
    .option('-n, --lines <count>', 'how many of the last events', lineCount, 50)
    .option('-f, --follow', 'go on from now; with --json one record a line')
    .action(onHub(async () => (await import('../commands/logs.ts')).events, ['server']));
  program.commandsGroup(groups.hub);
  const hub = program
    .command('hub')
    .description('The process that owns the servers: start, stop, restart, status.');
  hub
    .command('start')
    .description('Start it in the background.')
    .option('--foreground', 'run it here, until Ctrl-C')
    .option('--port <number>', 'listen on this port (with --foreground or --team)', port)
    .option('--team', 'run one here for a team, until Ctrl-C: people sign in')
    .option('--database <url>', 'with --team: postgres://…; default: PLUG_DATABASE_URL')
    .option('--url <origin>', 'with --team: where people reach it, if a proxy stands before it')
    .option('--behind-proxy', 'with --team: believe the X-Forwarded-For of that proxy')
    .action(offHub(async () => (await import('../commands/hub.ts')).startHub, []));
  hub
    .command('stop')
    .description('Stop it and every server it started.')
    .action(offHub(async () => (await import('../commands/hub.ts')).stopHub));
  hub
    .command('restart')
    .description('Stop it and start it in the background.')
    .action(offHub(async () => (await import('../commands/hub.ts')).restartHub));
  hub
    .command('status')
    .description('Whether it runs, and where.')
    .action(offHub(async () => (await import('../commands/hub.ts')).hubStatus));
}

export function addGatewayCommands(grammar: Grammar): void {
  const { program, offHub } = grammar;
  program.commandsGroup(groups.hub);
  program
    .command('gateway')
    .description('Serve all servers to an MCP host on stdio: the one entry that a host needs.')
    .option('--profile <name>', 'only the servers and tools of this profile')
    .option('--server <name>', 'only this server, under its own tool names')
    .option('--mode <mode>', 'what the host is shown: all, servers, search, code or auto')
    .option('--read-only', 'only tools that read')
    .action(offHub(async () => (await import('../commands/gateway.ts')).gateway, []));
  addHostCommands(grammar);
}

function addHostCommands({ program, onHub }: Grammar): void {
  const host = program
    .command('host')
    .description('Hosts that come by address, each with a token: list, add, revoke.');
  host
    .command('list', { isDefault: true })
    .alias('ls')
    .description('Every host: its profile, and when it was added and last used.')
    .action(onHub(async () => (await import('../commands/host.ts')).listHosts));
  host
    .command('add')
    .description('Make a token that opens the gateway for one host, and nothing else; shown once.')
    .argument('<name>', 'what you will call it: a–z, 0–9, dot, dash, underscore')
    .option('--profile <name>', 'only the servers and tools of this profile')
    .option('--read-only', 'only tools that read')
    .option('--api', 'open the API of the hub instead, for an editor that acts for you')
    .action(onHub(async () => (await import('../commands/host.ts')).addHost, ['name']));
  host
    .command('revoke <name...>')
    .alias('rm')
    .description('Take the tokens of hosts back; what they have under way ends at once.')
    .action(onHub(async () => (await import('../commands/host.ts')).revokeHosts, ['names']));
}

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
    .command('complete [words...]', { hidden: true })
    .description('What could come next on a command line.')
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
    .action(offHub(async () => (await import('../config/own-files.ts')).showPaths, ['name']));
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
    .action(offHub(async () => (await import('../commands/config.ts')).editConfig, ['file']));
}

function port(value: string): number {
  return wholeNumber(value, 0, 'a port from 0 to 65535; 0 picks a free one.', 65_535);
}
