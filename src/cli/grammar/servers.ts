import { collect, collectList, groups, type Grammar } from './words.ts';

export function addServerCommands(grammar: Grammar): void {
  const { program, argv, offHub, onHub } = grammar;
  program.commandsGroup(groups.servers);
  program
    .command('add')
    .summary('plug in a server: anything that names one')
    .description('Plug in a server. The plan is shown, the server is tried, and saved only if that works.')
    .argument('[anything]', 'an address, a config, a link, a name, a file, a screenshot, or - to paste')
    .argument('[more...]', 'after a name: an address, or -- and a command. Else values: NEED=value')
    .option('--name <name>', 'what you will call it: a–z, 0–9, dot, dash, underscore')
    .option('-e, --env <K=V>', 'a variable for the command (repeatable)', collect)
    .option('-H, --header <K: V>', 'a header for the address (repeatable)', collect)
    .option('--cwd <dir>', 'the folder in which the command runs')
    .option('-t, --transport <kind>', 'http, sse or ws; found by itself when not given')
    .option('--no-test', 'save at once, without trying')
    .option('--replace', 'take the place of a server of the same name')
    .option('--remote-only', 'decline servers that would run on this machine')
    .option('--offline', 'ask no registry')
    .option('-y, --yes', 'accept the plan without a question')
    .action(offHub(async () => (await import('../commands/add.ts')).add, ['first', 'more'], { argv }));
  program
    .command('list')
    .alias('ls')
    .description('Every server: its state, its tools, and what to do about it.')
    .action(onHub(async () => (await import('../commands/list.ts')).list));
  for (const to of ['enable', 'disable'] as const)
    program
      .command(to)
      .description(to === 'enable' ? 'Switch servers on.' : 'Switch servers off, without editing a file.')
      .argument('<server...>')
      .action(onHub(async () => (await import('../commands/servers.ts')).switchServers, ['names'], { to }));
  program
    .command('read-only')
    .description('Let only what reads run: everywhere, or on one server. Alone: whether it is on.')
    .argument('[server]', 'this server alone; absent: everything')
    .argument('[on|off]')
    .action(offHub(async () => (await import('../commands/servers.ts')).readOnly, ['first', 'second']));
  program
    .command('remove <server...>')
    .alias('rm')
    .description('Forget servers: definition, manifest and process.')
    .option('-y, --yes', 'do not ask')
    .action(onHub(async () => (await import('../commands/servers.ts')).remove, ['names']));
  program
    .command('install <server>')
    .summary("install a server's package, to start its own program")
    .description(
      "Install a server's npm or Python package at its exact version. It then starts sooner and offline, without npx or uvx.",
    )
    .option('--scripts', 'let the install scripts of its packages run')
    .action(onHub(async () => (await import('../commands/install.ts')).install, ['name']));
  program
    .command('restart [server...]')
    .description('Stop servers and start them anew.')
    .option('--failed', 'all that have failed')
    .action(onHub(async () => (await import('../commands/servers.ts')).restart, ['names']));
  program
    .command('stop [server...]')
    .description('Let servers sleep; the next call wakes them.')
    .option('--all', 'all that run')
    .action(onHub(async () => (await import('../commands/servers.ts')).stop, ['names']));
  program
    .command('update [server]')
    .description('Move a server to its newest version; what changes is shown first. Alone: what has updates.')
    .option('--check', 'only show what would change')
    .option('--to <version>', 'this version instead of the newest')
    .option('-y, --yes', 'without asking')
    .action(onHub(async () => (await import('../commands/update.ts')).update, ['server']));
  addProfileCommands(grammar);
}

function addProfileCommands({ program, onHub }: Grammar): void {
  const profile = program
    .command('profile')
    .description('Named subsets of servers and tools: list, show, save, remove. Alone: list.')
    .action(onHub(async () => (await import('../commands/profile.ts')).listProfiles));
  profile
    .command('list')
    .description('Every profile.')
    .action(onHub(async () => (await import('../commands/profile.ts')).listProfiles));
  profile
    .command('show <name>')
    .description('What a profile holds, and the tools that it offers.')
    .action(onHub(async () => (await import('../commands/profile.ts')).showProfile, ['name']));
  profile
    .command('save <name>')
    .description('Make a profile, or replace it.')
    .option('--servers <globs>', 'servers, such as github,linear', collectList)
    .option('--allow <globs>', 'tools, such as github/get_*', collectList)
    .option('--deny <globs>', 'tools that are left out', collectList)
    .option('--read-only', 'read tools only')
    .action(onHub(async () => (await import('../commands/profile.ts')).saveProfile, ['name']));
  profile
    .command('remove <name>')
    .description('Forget a profile.')
    .action(onHub(async () => (await import('../commands/profile.ts')).removeProfile, ['name']));
}
