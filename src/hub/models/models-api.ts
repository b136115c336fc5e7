import { PlugError } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import { modelKeyName, modelKeyPrefix, type StoredModel } from '../../vault/models.ts';
import type { Core } from '../core.ts';
import type { ModelsApi, ModelView, NewModel, OfferedRequest, OpenModel } from '../hub.ts';
import { addressOf } from './address.ts';
import { checkedModel } from './checked-model.ts';
import { fetchFor } from './http.ts';
import { modelLimits } from './limits.ts';
import { modelFetch } from './model-fetch.ts';
import { offeredModels } from './offered.ts';
import { PROVIDERS } from './providers.ts';

/** The models that chat can use. Rows hold everything but their keys, which are in the vault. */
export function modelsOf(core: Core): ModelsApi {
  return {
    list: () => viewsOf(core),
    save: (model) => save(core, model),
    remove: (name) => remove(core, name),
    setDefault: async (name) => {
      const models = await core.storage.models.listModels(core.owner);
      await core.storage.models.putModel(core.owner, {
        ...find(models, name),
        chosen: nextChoice(core, models),
      });
    },
    open: (name) => open(core, name),
    offered: (request) => offered(core, request),
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
  if (!before && models.length >= modelLimits.modelsMax) throw tooMany();
  const keyName = modelKeyName(model.name, addressOf(model));
  // The key first: a crash in between leaves a secret that nothing uses, never a model without its key.
  if (key !== undefined) await vault.set(owner, keyName, new Secret(key));
  const chosen = isDefault ? nextChoice(core, models) : before?.chosen;
  await storage.models.putModel(owner, {
    ...model,
    createdAt: before?.createdAt ?? clock.now(),
    ...(chosen === undefined ? {} : { chosen }),
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
  if (!key && PROVIDERS[view.provider].needsKey) throw noKey(view);
  const fetch = await fetchFor(core, address);
  return { view, fetch: modelFetch({ ...view, address, key, fetch, clock: core.clock }) };
}

async function offered(core: Core, { name, key, ...given }: OfferedRequest): Promise<readonly string[]> {
  if (key !== undefined) core.redactor.learn(key);
  const address = addressOf(given);
  // A key is bound to its address: naming a model elsewhere finds none.
  const kept = name === undefined ? undefined : await core.vault.get(core.owner, modelKeyName(name, address));
  const fetch = modelFetch({
    name: name ?? given.provider,
    provider: given.provider,
    address,
    key: key === undefined ? kept : new Secret(key),
    fetch: await fetchFor(core, address),
    clock: core.clock,
  });
  return offeredModels({ provider: given.provider, address, fetch });
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
  const near = suggest(
    wanted,
    models.map(({ name }) => name),
  );
  throw new PlugError('not_found', `There is no model “${wanted.slice(0, 80)}”. ${didYouMean(near)}`.trim(), {
    owner: 'you',
    next: 'plug model list',
    details: { suggestions: near },
  });
}

function noModel(): PlugError {
  return new PlugError('missing_input', 'No model is set up yet.', {
    owner: 'you',
    next: 'plug model add',
    details: { missing: 'model' },
  });
}

function noKey({ name, provider }: ModelView): PlugError {
  return new PlugError('missing_input', `The model “${name}” has no key for ${PROVIDERS[provider].title}.`, {
    owner: 'you',
    next: `plug model add ${name} --key`,
    details: { missing: 'key', model: name },
  });
}

function tooMany(): PlugError {
  return new PlugError('unavailable', `There are ${modelLimits.modelsMax} models already.`, {
    owner: 'you',
    next: 'plug model remove NAME',
  });
}
