import { Argument } from 'commander';
import { groups, secondsToMs, type Grammar } from './words.ts';

export function addToolCommands(grammar: Grammar): void {
  const { program, onHub } = grammar;
  program.commandsGroup(groups.tools);
  addTools(grammar);
  program
    .command('call')
    .description('Call a tool; its server starts by itself. What needs an approval asks on a terminal.')
    .argument('<server/tool>')
    .argument('[key=value...]', 'arguments; key:=json for anything but text')
    .option('--args <json>', 'all arguments: {…}, - for standard input, or @file')
    .option('--timeout <seconds>', 'give up after this long', secondsToMs)
    .option('--profile <name>', 'call within this profile')
    .option('--account <name>', 'as this account at the server; else as the default one')
    .option('--whole', 'print a large result whole, instead of its beginning')
    .option('-v, --verbose', 'say what allowed the call')
    .action(onHub(async () => (await import('../commands/call.ts')).call, ['tool', 'pairs']));
  program
    .command('resources [server] [uri]')
    .description('What can be read; with an address: read it.')
    .option('--account <name>', 'as this account at the server; else as the default one')
    .action(
      onHub(async () => (await import('../commands/prompts-and-resources.ts')).resources, ['server', 'uri']),
    );
  program
    .command('prompts [server] [prompt] [key=value...]')
    .description('What servers can phrase; with a name: its messages.')
    .option('--account <name>', 'as this account at the server; else as the default one')
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
      'What can be called. No server is started for it. Also: enable, disable, approve, risk, confirm, learned.',
    )
    .option('--search <words>', 'the best fits first')
    .option('--profile <name>', 'only what this profile offers')
    .option('--audit', 'everything that is known: state, whether it asks, tokens, what is withheld and why')
    .option('--review', 'walk through all tools of unknown risk')
    .action(onHub(async () => (await import('../commands/tools.ts')).tools, ['server']));
  for (const to of ['enable', 'disable'] as const)
    tools
      .command(to)
      .description(to === 'enable' ? 'Offer single tools again.' : 'Switch single tools off.')
      .argument('<server/tool...>')
      .action(
        onHub(async () => (await import('../commands/tools-settings.ts')).switchTools, ['refs'], {
          enabled: to === 'enable',
        }),
      );
  tools
    .command('approve <server/tool...>')
    .description('Pin tools as they are now; gives tools free that have changed.')
    .option('-y, --yes', 'do not ask')
    .action(onHub(async () => (await import('../commands/tools-settings.ts')).approveTools, ['refs']));
  tools
    .command('risk')
    .description('Say what a tool may do; auto takes that back.')
    .argument('<server/tool>')
    .addArgument(new Argument('<risk>').choices(['read', 'write', 'destructive', 'unknown', 'auto']))
    .action(onHub(async () => (await import('../commands/tools-settings.ts')).setToolRisk, ['ref', 'risk']));
  tools
    .command('confirm')
    .description('Whether calls of a tool ask first.')
    .argument('<server/tool>')
    .addArgument(new Argument('<on|off>').choices(['on', 'off']))
    .action(
      onHub(async () => (await import('../commands/tools-settings.ts')).confirmTool, ['ref', 'position']),
    );
  tools
    .command('learned [server]')
    .description('Which searches led to which tools: such a tool is found first the next time.')
    .option('--clear', 'forget all of it')
    .action(onHub(async () => (await import('../commands/tools-learned.ts')).learnedTools, ['server']));
}
