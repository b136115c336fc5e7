import { PROVIDERS } from '../../hub/models/providers.ts';
import type { Hub, ModelView } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { flexible, printTable } from '../render/table.ts';
import { mustConfirm, type Session } from '../session.ts';
import { DONE, WARNING, faint, strong, type Piece } from '../output.ts';

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
  printTable(
    out,
    ['', 'NAME', flexible('MODEL'), flexible('AT'), 'KEY', 'CONTEXT', '$ PER MILLION'],
    models.map(rowOf),
  );
  for (const model of models) {
    if (lacksKey(model)) {
      out.note(WARNING, `${model.name} has no key: plug model add ${model.name} --key`);
    }
  }
  return exitCodes.ok;
}

function rowOf(model: ModelView): readonly Piece[] {
  const { name, isDefault, hasKey, contextTokens, price } = model;
  return [
    isDefault ? { text: '●', style: 'good' } : ' ',
    strong(isDefault ? `${name} (default)` : name),
    model.model,
    faint(placeWords(model)),
    hasKey ? 'in the vault' : lacksKey(model) ? { text: 'missing', style: 'warn' } : 'none',
    contextTokens === undefined ? '' : contextTokens.toLocaleString('en'),
    price === undefined ? '' : `${price.input} in, ${price.output} out`,
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
export async function useModel(
  hub: Hub,
  { name }: { readonly name: string },
  { out }: Session,
): Promise<ExitCode> {
  await hub.models.setDefault({ name });
  out.document({ model: name, isDefault: true });
  out.line(DONE, `${name} is the default model from now on.`);
  return exitCodes.ok;
}

/** `plug model remove`: the model and its key are forgotten. */
export async function removeModel(
  hub: Hub,
  { name, yes }: { readonly name: string; readonly yes?: boolean },
  session: Session,
): Promise<ExitCode> {
  const { out } = session;
  const hasKey = (await hub.models.list()).some((model) => model.name === name && model.hasKey);
  const question = `Forget the model ${name}${hasKey ? ' and its key' : ''}?`;
  await mustConfirm(session, question, { yes, refused: `${name} stays as it is.` });
  await hub.models.remove({ name });
  out.document({ removed: name });
  out.line(DONE, `${name} is forgotten${hasKey ? ', and so is its key' : ''}.`);
  return exitCodes.ok;
}

/** How to get a model, one line for each kind; every one of them asks for what is missing. */
const modelSteps: readonly string[] = [
  'plug model add ollama                    a model on this machine, no key (also: lmstudio, vllm)',
  'plug model add anthropic                 with a key from the provider (also: openai, google)',
  'plug model add compatible --url URL      anything else that speaks as OpenAI does',
];
