import { Argument } from 'commander';
import { groups, secondsToMs, type Grammar } from './words.ts';

interface CallFlags {
  readonly args?: string;
  readonly timeout?: number;
  readonly profile?: string;
  readonly whole?: boolean;
  readonly verbose?: boolean;
}

/** tools, call, resources, prompts. */
export function addToolCommands({ program, actOnHub }: Grammar): void {
  program.commandsGroup(groups.tools);
  addTools({ program, actOnHub });
  program
    .command('call')
    .description('Call a tool; its server starts by itself. What needs an approval asks on a terminal.')
    .argument('<server/tool>')
    .argument('[key=value...]', 'arguments; key:=json for anything but text')
    .option('--args <json>', 'all arguments: {…}, - for standard input, or @file')
    .option('--timeout <seconds>', 'give up after this long', secondsToMs)
    .option('--profile <name>', 'call within this profile')
    .option('--whole', 'print a large result whole, instead of its beginning')
    .option('-v, --verbose', 'say what allowed the call')
    .action(async (tool: string, pairs: readonly string[], flags: CallFlags) => {
      await actOnHub(async (hub, session) => {
        const { call } = await import('../commands/call.ts');
        const { args, timeout: timeoutMs, profile, whole = false, verbose = false } = flags;
        return await call(hub, { tool, pairs, args, timeoutMs, profile, whole, verbose }, session);
      });
    });
  program
    .command('resources')
    .description('What can be read; with an address: read it.')
    .argument('[server]')
    .argument('[uri]')
    .action(async (server: string | undefined, uri: string | undefined) => {
      await actOnHub(async (hub, session) => {
        const { listResources, readResource } = await import('../commands/resources.ts');
        if (server !== undefined && uri !== undefined)
          return await readResource(hub, { server, uri }, session);
        return await listResources(hub, server, session);
      });
    });
  program
    .command('prompts')
    .description('What servers can phrase; with a name: its messages.')
    .argument('[server]')
    .argument('[prompt]')
    .argument('[key=value...]')
    .action(async (server: string | undefined, name: string | undefined, pairs: readonly string[]) => {
      await actOnHub(async (hub, session) => {
        const { getPrompt, listPrompts } = await import('../commands/prompts.ts');
        if (server !== undefined && name !== undefined)
          return await getPrompt(hub, { server, name, pairs }, session);
        return await listPrompts(hub, server, session);
      });
    });
}

interface ToolsFlags {
  readonly profile?: string;
  readonly search?: string;
  readonly audit?: boolean;
  readonly review?: boolean;
}

function addTools({ program, actOnHub }: Pick<Grammar, 'program' | 'actOnHub'>): void {
  const tools = program
    .command('tools')
    .description(
      'What can be called. No server is started for it. Also: enable, disable, approve, risk, confirm.',
    )
    .argument('[server]')
    .option('--search <words>', 'the best fits first')
    .option('--profile <name>', 'only what this profile offers')
    .option('--audit', 'everything that is known: state, whether it asks, tokens, what is withheld and why')
    .option('--review', 'walk through all tools of unknown risk')
    .action(async (server: string | undefined, { profile, search, audit, review }: ToolsFlags) => {
      await actOnHub(async (hub, session) => {
        if (audit)
          return await (await import('../commands/tools-audit.ts')).auditTools(hub, { server }, session);
        if (review)
          return await (await import('../commands/tools-review.ts')).reviewTools(hub, { server }, session);
        return await (await import('../commands/tools.ts')).tools(hub, { server, profile, search }, session);
      });
    });
  for (const to of ['enable', 'disable'] as const) {
    tools
      .command(to)
      .description(to === 'enable' ? 'Offer single tools again.' : 'Switch single tools off.')
      .argument('<server/tool...>')
      .action(async (refs: readonly string[]) => {
        await actOnHub(async (hub, session) =>
          (await import('../commands/tools-settings.ts')).switchTools(
            hub,
            { refs, enabled: to === 'enable' },
            session,
          ),
        );
      });
  }
  tools
    .command('approve')
    .description('Pin tools as they are now; gives tools free that have changed.')
    .argument('<server/tool...>')
    .option('-y, --yes', 'do not ask')
    .action(async (refs: readonly string[], { yes = false }: { yes?: boolean }) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/tools-settings.ts')).approveTools(hub, { refs, yes }, session),
      );
    });
  tools
    .command('risk')
    .description('Say what a tool may do; auto takes that back.')
    .argument('<server/tool>')
    .addArgument(new Argument('<risk>').choices(['read', 'write', 'destructive', 'unknown', 'auto']))
    .action(async (ref: string, risk: 'read' | 'write' | 'destructive' | 'unknown' | 'auto') => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/tools-settings.ts')).setToolRisk(hub, { ref, risk }, session),
      );
    });
  tools
    .command('confirm')
    .description('Whether calls of a tool ask first.')
    .argument('<server/tool>')
    .addArgument(new Argument('<on|off>').choices(['on', 'off']))
    .action(async (ref: string, position: string) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/tools-settings.ts')).confirmTool(
          hub,
          { ref, asks: position === 'on' },
          session,
        ),
      );
    });
}
