import { groups, type Grammar } from './words.ts';

/** The gateway for hosts that start a command, and the hosts that come by address. */
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
    .description('Hosts that come to the gateway by address, each with a token: list, add, revoke.');
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
    .action(onHub(async () => (await import('../commands/host.ts')).addHost, ['name']));
  host
    .command('revoke')
    .alias('rm')
    .description('Take the tokens of hosts back; what they have under way ends at once.')
    .argument('<name...>')
    .action(onHub(async () => (await import('../commands/host.ts')).revokeHosts, ['names']));
}
