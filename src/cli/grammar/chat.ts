import { Option } from 'commander';
import { collectList, groups, numberFrom, wholeNumber, type Grammar } from './words.ts';

const ACCOUNT = 'as these accounts: work, or github=work; else as the default ones';
const MODES = ['auto', 'all', 'servers', 'search', 'code'] as const;

export function addChatCommands(grammar: Grammar): void {
  const { program, onHub } = grammar;
  program.commandsGroup(groups.chat);
  program
    .command('chat')
    .description('Talk to a model that uses your servers.')
    .option('--model <name>', 'one of plug model list')
    .option('--servers <ids>', 'only these servers: a,b', collectList)
    .option('--profile <name>', 'only the servers and tools of a profile')
    .option('--account <names>', ACCOUNT, collectList)
    .option('--setup', 'set up servers in your own words; needs no model')
    .addOption(new Option('--mode <mode>', 'how much of the tools the model is shown').choices(MODES))
    .action(onHub(async () => (await import('../commands/chat.ts')).chat, []));
  program
    .command('run')
    .description('Let a model answer a prompt from a file, without questions.')
    .argument('<file>', 'Markdown, perhaps with front matter; - is standard input')
    .option('-o, --output <file>', 'write the answer there')
    .option('--model <name>', 'one of plug model list')
    .option('--servers <ids>', 'only these servers: a,b', collectList)
    .option('--account <names>', ACCOUNT, collectList)
    .option('--yes-reads', 'let what only reads run without asking')
    .option('--accept-grants', 'let the grants hold that the file asks for, for this run')
    .action(onHub(async () => (await import('../commands/run-document.ts')).runDocument, ['file']));
  addModelCommands(grammar);
}

function addModelCommands({ program, onHub }: Grammar): void {
  const model = program
    .command('model')
    .description('The models that chat uses: list, add, use, remove, test.');
  model
    .command('list', { isDefault: true })
    .alias('ls')
    .description('The models, and which is the default.')
    .action(onHub(async () => (await import('../commands/model.ts')).listModels));
  model
    .command('add')
    .description('Set up a model, or another one under the same name; asks for what is missing.')
    .usage('[options] [name] [provider] [model]')
    .argument('[name]', 'yours for it, such as fast')
    .argument('[provider]', 'openai, anthropic, google, compatible; or ollama, lmstudio, vllm')
    .argument('[model]', 'the provider’s name for it')
    // A key typed here is refused with a reason, instead of with a grammar lesson.
    .argument('[extra...]')
    .option('--url <url>', 'where it is, when not at its provider’s own address')
    .option('--key [-]', 'ask for its key; with - take it from standard input')
    .option('--key-env <variable>', 'take its key from this environment variable, now')
    .option('--price-in <dollars>', 'for a million tokens that it reads', dollars)
    .option('--price-out <dollars>', 'for a million tokens that it writes', dollars)
    .option('--context <tokens>', 'how much it can read at once', tokens)
    .option('--default', 'use it when no model is named')
    .addHelpText('after', EXAMPLES)
    .action(onHub(async () => (await import('../commands/model-add.ts')).addModel, MODEL_ARGUMENTS));
  model
    .command('use <name>')
    .description('Choose the model that is used when none is named.')
    .action(onHub(async () => (await import('../commands/model.ts')).useModel, ['name']));
  model
    .command('remove <name>')
    .alias('rm')
    .description('Forget a model and its key.')
    .option('-y, --yes', 'do not ask')
    .action(onHub(async () => (await import('../commands/model.ts')).removeModel, ['name']));
  model
    .command('test')
    .description('Ask a model for one word: how long it takes, what it costs, or why it does not answer.')
    .argument('[name]', 'else the default one')
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
