import { Option } from 'commander';
import { collectList, groups, numberFrom, wholeNumber, type Grammar } from './words.ts';

const ACCOUNT = 'accounts to use: work, or github=work; default: the default accounts';
const MODES = ['auto', 'all', 'servers', 'search', 'code'] as const;

export function addChatCommands(grammar: Grammar): void {
  const { program, onHub } = grammar;
  program.commandsGroup(groups.chat);
  program
    .command('chat')
    .description('Chat with a model that uses your servers.')
    .option('--model <name>', 'model name from plug model list')
    .option('--servers <ids>', 'limit to these servers: a,b', collectList)
    .option('--profile <name>', 'limit to the servers and tools of this profile')
    .option('--account <names>', ACCOUNT, collectList)
    .option('--setup', 'set up servers in your own words; works without a model')
    .addOption(new Option('--mode <mode>', 'how tools are shown to the model').choices(MODES))
    .action(onHub(async () => (await import('../commands/chat.ts')).chat, []));
  program
    .command('run')
    .description('Run a prompt from a file, without asking questions.')
    .argument('<file>', 'Markdown, optionally with front matter; - for standard input')
    .option('-o, --output <file>', 'write the answer to this file')
    .option('--model <name>', 'model name from plug model list')
    .option('--servers <ids>', 'limit to these servers: a,b', collectList)
    .option('--account <names>', ACCOUNT, collectList)
    .option('--yes-reads', 'run read-only tools without asking')
    .option('--accept-grants', 'accept the grants that the file requests, for this run')
    .action(onHub(async () => (await import('../commands/run-document.ts')).runDocument, ['file']));
  addModelCommands(grammar);
}

function addModelCommands({ program, onHub }: Grammar): void {
  const model = program
    .command('model')
    .description('Manage the models that chat uses: list, add, use, remove, test.');
  model
    .command('list', { isDefault: true })
    .alias('ls')
    .description('List the models and show the default.')
    .action(onHub(async () => (await import('../commands/model.ts')).listModels));
  model
    .command('add')
    .description('Add or replace a model. Prompts for what is missing.')
    .usage('[options] [name] [provider] [model]')
    .argument('[name]', 'your name for it, such as fast')
    .argument('[provider]', 'openai, anthropic, google, compatible; or ollama, lmstudio, vllm')
    .argument('[model]', 'the provider’s name for it')
    // A key typed here is refused with a reason, instead of with a grammar lesson.
    .argument('[extra...]')
    .option('--url <url>', 'API base URL, if not the provider’s own')
    .option('--key [-]', 'prompt for the API key; - reads it from standard input')
    .option('--key-env <variable>', 'read the API key from this environment variable and save it')
    .option('--price-in <dollars>', 'price of a million input tokens', dollars)
    .option('--price-out <dollars>', 'price of a million output tokens', dollars)
    .option('--context <tokens>', 'size of the context window', tokens)
    .option('--default', 'make it the default model')
    .addHelpText('after', EXAMPLES)
    .action(onHub(async () => (await import('../commands/model-add.ts')).addModel, MODEL_ARGUMENTS));
  model
    .command('use <name>')
    .description('Set the default model.')
    .action(onHub(async () => (await import('../commands/model.ts')).useModel, ['name']));
  model
    .command('remove <name>')
    .alias('rm')
    .description('Remove a model and its key.')
    .option('-y, --yes', 'skip confirmation')
    .action(onHub(async () => (await import('../commands/model.ts')).removeModel, ['name']));
  model
    .command('test')
    .description('Send a model a one-word request and show its time, cost or error.')
    .argument('[name]', 'default: the default model')
    .action(onHub(async () => (await import('../commands/model.ts')).testModel, ['name']));
}

function dollars(value: string): number {
  const fits = (amount: number): boolean => value.trim() !== '' && Number.isFinite(amount) && amount >= 0;
  return numberFrom(value, fits, 'dollars for a million tokens, such as 2.5.');
}

function tokens(value: string): number {
  return wholeNumber(value, 1, 'a whole number of tokens, such as 128000.', Number.MAX_SAFE_INTEGER);
}

const MODEL_ARGUMENTS = ['name', 'provider', 'model', 'extra'] as const;

const EXAMPLES = `
Examples:
  plug model add local ollama gemma3
  plug model add smart anthropic MODEL --key
  plug model add smart anthropic MODEL --key - < key.txt
  plug model add mine compatible MODEL --url https://models.example.com/v1 --key-env MY_KEY`;
