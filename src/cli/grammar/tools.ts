import { Argument } from 'commander';
import { groups, secondsToMs, type Grammar } from './words.ts';

export function addToolCommands(grammar: Grammar): void {
  const { program, onHub } = grammar;
  program.commandsGroup(groups.tools);
  addTools(grammar);
  program
    .command('call')
    .description('Call a tool. Its server starts if needed; a call that needs approval asks in the terminal.')
    .argument('<server/tool>')
    .argument('[key=value...]', 'arguments; key:=json passes JSON')
    .option('--args <json>', 'all arguments as JSON: {…}, - for standard input, or @file')
    .option('--timeout <seconds>', 'give up after this long', secondsToMs)
    .option('--profile <name>', 'use this profile')
    .option('--account <name>', 'account to use; default: the default account')
    .option('--whole', 'print a large result in full')
    .option('-v, --verbose', 'show why the call was allowed')
    .action(onHub(async () => (await import('../commands/call.ts')).call, ['tool', 'pairs']));
  program
    .command('resources [server] [uri]')
    .description('List resources; with a URI, read one.')
    .option('--account <name>', 'account to use; default: the default account')
    .action(
      onHub(async () => (await import('../commands/prompts-and-resources.ts')).resources, ['server', 'uri']),
    );
  program
    .command('prompts [server] [prompt] [key=value...]')
    .description('List prompts; with a name, show its messages.')
    .option('--account <name>', 'account to use; default: the default account')
    .action(
      onHub(
        async () => (await import('../commands/prompts-and-resources.ts')).prompts,
        ['server', 'name', 'pairs'],
      ),
    );
}

function addTools({ program, onHub }: Grammar): void {
  const tools = program
    .command('tools [server]')
    .description(
      'List tools, without starting any server. Also: enable, disable, approve, risk, confirm, learned.',
    )
    .option('--search <words>', 'search tools, best match first')
    .option('--profile <name>', 'only tools of this profile')
    .option('--audit', 'show state, approval, tokens, and which tools are withheld and why')
    .option('--review', 'review all tools of unknown risk')
    .action(onHub(async () => (await import('../commands/tools.ts')).tools, ['server']));
  for (const to of ['enable', 'disable'] as const)
    tools
      .command(to)
      .description(to === 'enable' ? 'Enable tools.' : 'Disable tools.')
      .argument('<server/tool...>')
      .action(
        onHub(async () => (await import('../commands/tools-settings.ts')).switchTools, ['refs'], {
          enabled: to === 'enable',
        }),
      );
  tools
    .command('approve <server/tool...>')
    .description('Pin tools as they are now. Releases quarantined tools.')
    .option('-y, --yes', 'skip confirmation')
    .action(onHub(async () => (await import('../commands/tools-settings.ts')).approveTools, ['refs']));
  tools
    .command('risk')
    .description('Set the risk of a tool; auto resets it.')
    .argument('<server/tool>')
    .addArgument(new Argument('<risk>').choices(['read', 'write', 'destructive', 'unknown', 'auto']))
    .action(onHub(async () => (await import('../commands/tools-settings.ts')).setToolRisk, ['ref', 'risk']));
  tools
    .command('confirm')
    .description('Set whether calls of a tool ask first.')
    .argument('<server/tool>')
    .addArgument(new Argument('<on|off>').choices(['on', 'off']))
    .action(
      onHub(async () => (await import('../commands/tools-settings.ts')).confirmTool, ['ref', 'position']),
    );
  tools
    .command('learned [server]')
    .description('List which searches led to which tools. Such tools rank higher next time.')
    .option('--clear', 'clear the list')
    .action(onHub(async () => (await import('../commands/tools-learned.ts')).learnedTools, ['server']));
}
