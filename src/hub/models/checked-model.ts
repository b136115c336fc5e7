import { PlugError } from '../../base/errors.ts';
import { isServerId } from '../../servers/definition.ts';
import type { StoredModel } from '../../vault/models.ts';
import { addressOf, writtenAddress } from './address.ts';
import { modelLimits } from './limits.ts';
import { isProvider, PROVIDERS } from './providers.ts';

type Given = Omit<StoredModel, 'createdAt' | 'chosen'>;

/** What was given, if it can be used, in the form in which it is kept. */
export function checkedModel({ name, provider, model, url, contextTokens, price }: Given): Given {
  if (!isServerId(name)) {
    throw usage(
      `“${name.slice(0, 80)}” cannot be a model's name here.`,
      'Use 1 to 64 of a–z, 0–9, dot, dash and underscore, such as fast.',
    );
  }
  if (!isProvider(provider)) {
    throw usage('There is no such provider of models.', `Use one of ${Object.keys(PROVIDERS).join(', ')}.`);
  }
  const id = model.trim();
  if (id === '' || id.length > modelLimits.modelCharsMax) {
    throw usage(
      'The provider’s name for the model is missing or too long.',
      `plug model add ${name} ${provider} MODEL`,
    );
  }
  checkNumbers({ contextTokens, price });
  const address = addressOf({ provider, ...(url === undefined ? {} : { url }) });
  return {
    name,
    provider,
    model: id,
    ...(url === undefined ? {} : { url: writtenAddress(address) }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(price === undefined ? {} : { price: { input: price.input, output: price.output } }),
  };
}

function checkNumbers({
  contextTokens = 1,
  price = { input: 0, output: 0 },
}: {
  readonly contextTokens: number | undefined;
  readonly price: Given['price'];
}): void {
  if (!Number.isInteger(contextTokens) || contextTokens < 1 || contextTokens > modelLimits.contextTokensMax) {
    throw usage('What a model can read at once is a whole number of tokens.', 'Correct --context.');
  }
  for (const amount of [price.input, price.output]) {
    if (amount >= 0 && amount <= modelLimits.priceMax) continue;
    throw usage('A price is in dollars for a million tokens.', 'Correct --price-in and --price-out.');
  }
}

function usage(message: string, next: string): PlugError {
  return new PlugError('usage', message, { owner: 'you', next });
}
