import { collect, collectList, groups, type Grammar } from './words.ts';

export function addServerCommands(grammar: Grammar): void {
  const { program, argv, offHub, onHub } = grammar;
  program.commandsGroup(groups.servers);
  program
    .command('add')
    .description('Add a server. Shows the plan, tests the server, and saves it only if the test passes.')
    .argument('[anything]', 'a URL, config, link, name, file or screenshot, or - to paste')
    .argument('[more...]', 'after a name: a URL, or -- and a command; otherwise values: NAME=value')
    .option('--name <name>', 'name: a–z, 0–9, dot, dash, underscore')
    .option('-e, --env <K=V>', 'environment variable for the command (repeatable)', collect)
    .option('-H, --header <K: V>', 'header for the URL (repeatable)', collect)
    .option('--cwd <dir>', 'working folder of the command')
    .option('-t, --transport <kind>', 'http, sse or ws; default: detected')
    .option('--no-test', 'save without testing')
    .option('--replace', 'replace a server of the same name')
    .option('--remote-only', 'reject servers that run on this machine')
    .option('--offline', 'don’t contact registries')
    .option('-y, --yes', 'skip confirmation')
    .action(offHub(async () => (await import('../commands/add.ts')).add, ['first', 'more'], { argv }));
  program
    .command('list')
    .alias('ls')
    .description('List servers with their state, tools and next step.')
    .action(onHub(async () => (await import('../commands/list.ts')).list));
  for (const to of ['enable', 'disable'] as const)
    program
      .command(to)
      .description(to === 'enable' ? 'Enable servers.' : 'Disable servers, without editing a file.')
      .argument('<server...>')
      .action(onHub(async () => (await import('../commands/servers.ts')).switchServers, ['names'], { to }));
  program
    .command('read-only')
    .description('Turn read-only mode on or off, everywhere or for one server; without arguments, show it.')
    .argument('[server]', 'server to change; default: everything')
    .argument('[on|off]')
    .action(offHub(async () => (await import('../commands/servers.ts')).readOnly, ['first', 'second']));
  program
    .command('remove <server...>')
    .alias('rm')
    .description('Remove servers and stop them.')
    .option('-y, --yes', 'skip confirmation')
    .action(onHub(async () => (await import('../commands/servers.ts')).remove, ['names']));
  program
    .command('install <server>')
    .description(
      "Install a server's npm or Python package at its exact version. It then starts sooner and offline, without npx or uvx.",
    )
    .option('--scripts', 'allow install scripts')
    .action(onHub(async () => (await import('../commands/install.ts')).install, ['name']));
  program
    .command('restart [server...]')
    .description('Restart servers.')
    .option('--failed', 'restart all failed servers')
    .action(onHub(async () => (await import('../commands/servers.ts')).restart, ['names']));
  program
    .command('stop [server...]')
    .description('Stop servers. The next call starts them again.')
    .option('--all', 'stop all servers')
    .action(onHub(async () => (await import('../commands/servers.ts')).stop, ['names']));
  program
    .command('update [server]')
    .description(
      'Update a server to its newest version. Shows what changes first. Without a name, list updates.',
    )
    .option('--check', 'show what would change')
    .option('--to <version>', 'this version instead of the newest')
    .option('-y, --yes', 'skip confirmation')
    .action(onHub(async () => (await import('../commands/update.ts')).update, ['server']));
  addProfileCommands(grammar);
}

function addProfileCommands({ program, onHub }: Grammar): void {
  const profile = program
    .command('profile')
    .description('Manage profiles, named sets of servers and tools: list, show, save, remove.')
    .action(onHub(async () => (await import('../commands/profile.ts')).listProfiles));
  profile
    .command('list')
    .description('List profiles.')
    .action(onHub(async () => (await import('../commands/profile.ts')).listProfiles));
  profile
    .command('show <name>')
    .description('Show a profile and the tools it offers.')
    .action(onHub(async () => (await import('../commands/profile.ts')).showProfile, ['name']));
  profile
    .command('save <name>')
    .description('Create or replace a profile.')
    .option('--servers <globs>', 'servers, such as github,linear', collectList)
    .option('--allow <globs>', 'tools, such as github/get_*', collectList)
    .option('--deny <globs>', 'tools to leave out', collectList)
    .option('--read-only', 'limit to read-only tools')
    .action(onHub(async () => (await import('../commands/profile.ts')).saveProfile, ['name']));
  profile
    .command('remove <name>')
    .description('Remove a profile.')
    .action(onHub(async () => (await import('../commands/profile.ts')).removeProfile, ['name']));
}
