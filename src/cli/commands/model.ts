import { PlugError } from '../../base/errors.ts';
import { PROVIDERS } from '../../hub/models/providers.ts';
import type { Hub, ModelView } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { renderTable, type Cell } from '../render/table.ts';
import { confirm, type Session } from '../session.ts';
import { modelSteps } from './model-steps.ts';

/** `plug model list`: the models, and which is used when none is named. */
export async function listModels(hub: Hub, { out }: Session): Promise<ExitCode> {
  const models = await hub.models.list();
  out.document({ models, ...(models.length === 0 ? { next: modelSteps } : {}) });
  if (out.json) return exitCodes.ok;
  if (models.length === 0) {
    out.line('No model is set up yet. Set one up with one of these:');
    for (const step of modelSteps) out.line(`  ${step}`);
    return exitCodes.ok;
  }
  const lines = renderTable({
    width: out.width,
    columns: [
      { title: '' },
      { title: 'NAME' },
      { title: 'MODEL', flexible: true },
      { title: 'AT', flexible: true },
      { title: 'KEY' },
      { title: 'CONTEXT' },
      { title: '$ PER MILLION' },
    ],
    rows: models.map(rowOf),
  });
  for (const line of lines) out.line(...line);
  for (const model of models) {
    if (lacksKey(model)) {
      out.note({ style: 'warn', text: '⚠ ' }, `${model.name} has no key: plug model add ${model.name} --key`);
    }
  }
  return exitCodes.ok;
}

function rowOf(model: ModelView): readonly Cell[] {
  const { name, isDefault, hasKey, contextTokens, price } = model;
  return [
    isDefault ? { text: '●', style: 'good' } : { text: ' ' },
    { text: isDefault ? `${name} (default)` : name, style: 'strong' },
    { text: model.model },
    { text: placeWords(model), style: 'faint' },
    hasKey
      ? { text: 'in the vault' }
      : lacksKey(model)
        ? { text: 'missing', style: 'warn' }
        : { text: 'none' },
    { text: contextTokens === undefined ? '' : contextTokens.toLocaleString('en') },
    { text: price === undefined ? '' : `${price.input} in, ${price.output} out` },
  ];
}

/** Where a model is, as people say it. */
export function placeWords({ provider, url }: Pick<ModelView, 'provider' | 'url'>): string {
  const { title } = PROVIDERS[provider];
  if (url === undefined) return title;
  return provider === 'compatible' ? url : `${title} (${url})`;
}

function lacksKey({ provider, hasKey }: ModelView): boolean {
  return !hasKey && PROVIDERS[provider].needsKey;
}

/** `plug model use`: the one that is used when none is named. */
export async function useModel(hub: Hub, name: string, { out }: Session): Promise<ExitCode> {
  await hub.models.setDefault(name);
  out.document({ model: name, isDefault: true });
  out.line({ style: 'good', text: '✔ ' }, `${name} is the default model from now on.`);
  return exitCodes.ok;
}

/** `plug model remove`: the model and its key are forgotten. */
export async function removeModel(
  hub: Hub,
  { name, yes }: { readonly name: string; readonly yes: boolean },
  session: Session,
): Promise<ExitCode> {
  const { out } = session;
  const hasKey = (await hub.models.list()).some((model) => model.name === name && model.hasKey);
  const question = `Forget the model ${name}${hasKey ? ' and its key' : ''}?`;
  if (!(await confirm(session, question, yes))) {
    throw new PlugError('cancelled', `${name} stays as it is.`, { owner: 'you' });
  }
  await hub.models.remove(name);
  out.document({ removed: name });
  out.line({ style: 'good', text: '✔ ' }, `${name} is forgotten${hasKey ? ', and so is its key' : ''}.`);
  return exitCodes.ok;
}
