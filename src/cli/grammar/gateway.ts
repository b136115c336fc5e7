import { groups, type Grammar } from './words.ts';

interface GatewayFlags {
  readonly profile?: string;
  readonly server?: string;
  readonly mode?: string;
}

/** The gateway for hosts that start a command. */
export function addGatewayCommands({ program, act }: Grammar): void {
  program.commandsGroup(groups.hub);
  program
    .command('gateway')
    .description('Serve all servers to an MCP host on stdio: the one entry that a host needs.')
    .option('--profile <name>', 'only the servers and tools of this profile')
    .option('--server <name>', 'only this server, under its own tool names')
    .option('--mode <mode>', 'what the host is shown: all, servers, search, code or auto')
    .action(async (flags: GatewayFlags) => {
      await act(async (session) => (await import('../commands/gateway.ts')).gateway(flags, session));
    });
}
