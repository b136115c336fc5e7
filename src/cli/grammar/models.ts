import { InvalidArgumentError } from 'commander';
import type { Grammar } from './words.ts';

/** model list, add, use, remove and test. */
export function addModelCommands({ program, onHub }: Grammar): void {
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
    .action(
      onHub(
        async () => (await import('../commands/model-add.ts')).addModel,
        ['name', 'provider', 'model', 'extra'],
      ),
    );
  model
    .command('use')
    .description('Choose the model that is used when none is named.')
    .argument('<name>')
    .action(onHub(async () => (await import('../commands/model.ts')).useModel, ['name']));
  model
    .command('remove')
    .alias('rm')
    .description('Forget a model and its key.')
    .argument('<name>')
    .option('-y, --yes', 'do not ask')
    .action(onHub(async () => (await import('../commands/model.ts')).removeModel, ['name']));
  model
    .command('test')
    .description('Ask a model for one word: how long it takes, what it costs, or why it does not answer.')
    .argument('[name]', 'else the default one')
    .action(onHub(async () => (await import('../commands/model-test.ts')).testModel, ['name']));
}

function dollars(value: string): number {
  const amount = Number(value);
  if (value.trim() !== '' && Number.isFinite(amount) && amount >= 0) return amount;
  throw new InvalidArgumentError('It takes dollars for a million tokens, such as 2.5.');
}

function tokens(value: string): number {
  const count = Number(value);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It takes a whole number of tokens, such as 128000.');
}

const EXAMPLES = `
Examples:
  plug model add local ollama gemma3
  plug model add smart anthropic MODEL --key
  plug model add smart anthropic MODEL --key - < key.txt
  plug model add mine compatible MODEL --url https://models.example.com/v1 --key-env MY_KEY`;
