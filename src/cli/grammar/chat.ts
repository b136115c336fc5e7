import { Option } from 'commander';
import { addModelCommands } from './models.ts';
import { collectList, groups, type Grammar } from './words.ts';

/** chat, run and model. */
export function addChatCommands(grammar: Grammar): void {
  const { program, onHub } = grammar;
  program.commandsGroup(groups.chat);
  program
    .command('chat')
    .description('Talk to a model that uses your servers.')
    .option('--model <name>', 'one of plug model list')
    .option('--servers <ids>', 'only these servers: a,b', collectList)
    .option('--profile <name>', 'only the servers and tools of a profile')
    .addOption(
      new Option('--mode <mode>', 'how much of the tools the model is shown').choices([
        'auto',
        'all',
        'servers',
        'search',
        'code',
      ]),
    )
    .action(onHub(async () => (await import('../commands/chat.ts')).chat, []));
  program
    .command('run')
    .description('Let a model answer a prompt from a file, without questions.')
    .argument('<file>', 'Markdown, perhaps with front matter; - is standard input')
    .option('-o, --output <file>', 'write the answer there')
    .option('--model <name>', 'one of plug model list')
    .option('--servers <ids>', 'only these servers: a,b', collectList)
    .option('--yes-reads', 'let what only reads run without asking')
    .option('--accept-grants', 'let the grants hold that the file asks for, for this run')
    .action(onHub(async () => (await import('../commands/run-document.ts')).runDocument, ['file']));
  addModelCommands(grammar);
}
