import { groups, secondsToMs, type Grammar } from './words.ts';

interface CallFlags {
  readonly args?: string;
  readonly timeout?: number;
  readonly profile?: string;
}

/** tools, call, resources, prompts. */
export function addToolCommands({ program, actOnHub }: Grammar): void {
  program.commandsGroup(groups.tools);
  program
    .command('tools')
    .description('What can be called. No server is started for it.')
    .argument('[server]')
    .option('--profile <name>', 'only what this profile offers')
    .action(async (server: string | undefined, { profile }: { profile?: string }) => {
      await actOnHub(async (hub, session) =>
        (await import('../commands/tools.ts')).tools(hub, { server, profile }, session),
      );
    });
  program
    .command('call')
    .description('Call a tool; its server starts by itself.')
    .argument('<server/tool>')
    .argument('[key=value...]', 'arguments; key:=json for anything but text')
    .option('--args <json>', 'all arguments: {…}, - for standard input, or @file')
    .option('--timeout <seconds>', 'give up after this long', secondsToMs)
    .option('--profile <name>', 'call within this profile')
    .addHelpText('after', CALL_EXAMPLES)
    .action(async (tool: string, pairs: readonly string[], flags: CallFlags) => {
      await actOnHub(async (hub, session) => {
        const { call } = await import('../commands/call.ts');
        const { args, timeout: timeoutMs, profile } = flags;
        return await call(hub, { tool, pairs, args, timeoutMs, profile }, session);
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

const CALL_EXAMPLES = `
Examples:
  plug call everything/echo message=hello
  plug call everything/get-sum a=2 b=3
  plug call github/create_issue --args @issue.json
  echo '{"message":"hi"}' | plug call everything/echo --args -

Exit codes:
  0 ok · 1 the tool failed · 2 usage · 3 approval required
  4 sign-in required · 5 server not available · 6 not found`;
