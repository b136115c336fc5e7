import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import { modelKeyName, modelKeyPrefix, type StoredModel } from '../../vault/models.ts';
import type { Core } from '../core.ts';
import { noSuch } from '../no-such.ts';
import type { ModelView, NewModel, OfferedRequest, OpenModel } from '../hub.ts';
import { addressOf, usage, writtenAddress } from './address.ts';
import { fetchFor, modelFetch } from './model-fetch.ts';
import { localModels } from './local-models.ts';
import { offeredModels } from './offered.ts';
import { isProvider, modelLimits, PROVIDERS } from './providers.ts';
import type { Implementations } from '../operations/table.ts';
import { isServerId } from '../../servers/definition.ts';

/** The models that chat can use. Rows hold everything but their keys, which are in the vault. */
export function modelsOf(core: Core): Implementations['models'] {
  return {
    list: () => viewsOf(core),
    save: (model) => save(core, model),
    remove: ({ name }) => remove(core, name),
    setDefault: async ({ name }) => {
      const { storage, owner } = core;
      const models = await storage.models.listModels(owner);
      const chosen = nextChoice(core, models);
      await storage.models.putModel(owner, { ...find(models, name), chosen });
    },
    open: ({ name }) => open(core, name),
    offered: (request) => offered(core, request),
    found: () => localModels(core.options.env, (request) => offered(core, request)),
  };
}

async function viewsOf({ storage, vault, owner }: Core): Promise<readonly ModelView[]> {
  const [models, secrets] = await Promise.all([storage.models.listModels(owner), vault.list(owner)]);
  const keys = new Set(secrets);
  const standard = defaultOf(models);
  return models.map(({ createdAt: _created, chosen: _chosen, ...model }) => ({
    ...model,
    isDefault: model.name === standard?.name,
    hasKey: keys.has(modelKeyName(model.name, addressOf(model))),
  }));
}

async function save(core: Core, { key, isDefault = false, ...given }: NewModel): Promise<ModelView> {
  const { storage, vault, owner, clock, redactor } = core;
  // Before anything can go wrong and be told.
  if (key !== undefined) redactor.learn(key);
  const model = checkedModel(given);
  const models = await storage.models.listModels(owner);
  const before = models.find(({ name }) => name === model.name);
  if (!before && models.length >= modelLimits.modelsMax) {
    const why = `There are ${modelLimits.modelsMax} models already: remove one first.`;
    throw new PlugError('unavailable', why, { owner: 'you', remedy: { do: 'show', what: 'models' } });
  }
  const keyName = modelKeyName(model.name, addressOf(model));
  // The key first: a crash in between leaves a secret that nothing uses, never a model without its key.
  if (key !== undefined) await vault.set(owner, keyName, new Secret(key));
  const chosen = isDefault ? nextChoice(core, models) : before?.chosen;
  await storage.models.putModel(owner, {
    ...model,
    createdAt: before?.createdAt ?? clock.now(),
    ...defined({ chosen }),
  });
  await forgetKeys(core, model.name, keyName);
  return find(await viewsOf(core), model.name);
}

async function remove(core: Core, name: string): Promise<void> {
  const { storage, owner } = core;
  find(await storage.models.listModels(owner), name);
  await forgetKeys(core, name);
  await storage.models.deleteModel(owner, name);
}

/** Keys for addresses at which the model is no more. */
async function forgetKeys({ vault, owner }: Core, model: string, kept?: string): Promise<void> {
  for (const secret of await vault.list(owner)) {
    if (secret !== kept && secret.startsWith(modelKeyPrefix(model))) await vault.delete(owner, secret);
  }
}

async function open(core: Core, name?: string): Promise<OpenModel> {
  const views = await viewsOf(core);
  const view = name === undefined ? views.find(({ isDefault }) => isDefault) : find(views, name);
  if (!view) throw noModel();
  const address = addressOf(view);
  const key = await core.vault.get(core.owner, modelKeyName(view.name, address));
  const { needsKey, title } = PROVIDERS[view.provider];
  if (!key && needsKey) {
    throw new PlugError('missing_input', `The model “${view.name}” has no key for ${title}.`, {
      owner: 'you',
      remedy: { do: 'add-model', name: view.name, needs: 'key' },
      details: { missing: 'key', model: view.name },
    });
  }
  const fetch = await fetchFor(core, address);
  return { view, fetch: modelFetch({ ...view, address, key, fetch, clock: core.clock }) };
}

async function offered(core: Core, request: OfferedRequest): Promise<readonly string[]> {
  const { name, key, provider } = request;
  if (key !== undefined) core.redactor.learn(key);
  const address = addressOf(request);
  // A key is bound to its address: naming a model elsewhere finds none.
  const kept = name === undefined ? undefined : await core.vault.get(core.owner, modelKeyName(name, address));
  const fetch = modelFetch({
    name: name ?? provider,
    provider,
    address,
    key: key === undefined ? kept : new Secret(key),
    fetch: await fetchFor(core, address),
    clock: core.clock,
  });
  return offeredModels({ provider, address, fetch });
}

/** The chosen one, else the oldest. */
function defaultOf(models: readonly StoredModel[]): StoredModel | undefined {
  return models.toSorted(
    (a, b) => (b.chosen ?? 0) - (a.chosen ?? 0) || a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1),
  )[0];
}

/** Later than every choice before, also when the clock was set back. */
function nextChoice({ clock }: Core, models: readonly StoredModel[]): number {
  return Math.max(clock.now(), ...models.map(({ chosen = 0 }) => chosen + 1));
}

function find<T extends { readonly name: string }>(models: readonly T[], wanted: string): T {
  const found = models.find(({ name }) => name === wanted);
  if (found) return found;
  if (models.length === 0) throw noModel();
  const known = models.map(({ name }) => name);
  throw noSuch('model', wanted, known);
}

function noModel(): PlugError {
  return new PlugError('missing_input', 'No model is set up yet.', {
    owner: 'you',
    remedy: { do: 'add-model' },
    details: { missing: 'model' },
  });
}

type Given = Omit<StoredModel, 'createdAt' | 'chosen'>;

function checkedModel({ name, provider, model, url, contextTokens, price }: Given): Given {
  if (!isServerId(name)) {
    const remedy = 'Use 1 to 64 of a–z, 0–9, dot, dash and underscore, such as fast.';
    throw usage(`“${name.slice(0, 80)}” cannot be a model's name here.`, remedy);
  }
  if (!isProvider(provider)) {
    throw usage('Unknown model provider.', `Use one of ${Object.keys(PROVIDERS).join(', ')}.`);
  }
  const id = model.trim();
  if (id === '' || id.length > modelLimits.modelCharsMax) {
    const why = 'The provider’s name for the model is missing or too long.';
    throw usage(why, 'Give the name that the provider has for it.');
  }
  const tokens = contextTokens ?? 1;
  if (!Number.isInteger(tokens) || tokens < 1 || tokens > modelLimits.contextTokensMax) {
    throw usage('The context size must be a whole number of tokens.', 'Correct --context.');
  }
  for (const amount of price ? [price.input, price.output] : []) {
    if (amount >= 0 && amount <= modelLimits.priceMax) continue;
    throw usage('The price must be in dollars per million tokens.', 'Correct --price-in and --price-out.');
  }
  const address = addressOf({ provider, ...defined({ url }) });
  return {
    name,
    provider,
    model: id,
    ...defined({
      url: url === undefined ? undefined : writtenAddress(address),
      contextTokens,
      price: price && { input: price.input, output: price.output },
    }),
  };
}
