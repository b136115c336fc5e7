import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import type { ChatOutcome, ModelView } from '../../hub/hub.ts';
import { PROVIDERS } from '../../hub/models/providers.ts';
import { DONE, WARNING, faint, strong, type Piece } from '../output.ts';
import { flexible, printTable } from '../render/table.ts';
import { mustConfirm, type Flags, type HubSession, type Named, type Texts } from '../session.ts';

export async function listModels({ hub, out }: HubSession): Promise<void> {
  const models = await hub.models.list();
  if (out.document({ models, ...(models.length === 0 ? { next: modelSteps } : {}) })) return;
  printTable(
    out,
    ['', 'NAME', flexible('MODEL'), flexible('AT'), 'KEY', 'CONTEXT', '$ PER MILLION'],
    models.map(rowOf),
    'No model is set up yet. Set one up with one of these:',
    ...modelSteps.map((step) => `  ${step}`),
  );
  for (const { name } of models.filter(lacksKey))
    out.note(WARNING, `${name} has no key: plug model add ${name} --key`);
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

export function placeWords({ provider, url }: Pick<ModelView, 'provider' | 'url'>): string {
  const { title } = PROVIDERS[provider];
  if (url === undefined) return title;
  return provider === 'compatible' ? url : `${title} (${url})`;
}

function lacksKey({ provider, hasKey }: ModelView): boolean {
  return !hasKey && PROVIDERS[provider].needsKey;
}

export async function useModel({ name }: Named, { hub, out }: HubSession): Promise<void> {
  await hub.models.setDefault({ name });
  out.document({ model: name, isDefault: true });
  out.line(DONE, `${name} is now the default model.`);
}

export async function removeModel({ name, yes }: Named & Flags<'yes'>, session: HubSession): Promise<void> {
  const { hub, out } = session;
  const hasKey = (await hub.models.list()).some((model) => model.name === name && model.hasKey);
  const question = `Remove the model ${name}${hasKey ? ' and its key' : ''}?`;
  await mustConfirm(session, question, { yes, refused: `${name} is unchanged.` });
  await hub.models.remove({ name });
  out.document({ removed: name });
  out.line(DONE, `Removed the model ${name}${hasKey ? ' and its key' : ''}.`);
}

const modelSteps: readonly string[] = [
  'plug model add ollama                on this machine (also lmstudio, vllm)',
  'plug model add anthropic             with an API key (also openai, google)',
  'plug model add compatible --url URL  any OpenAI-compatible API',
];

export async function testModel({ name }: Texts<'name'>, session: HubSession): Promise<void> {
  const { hub, out, clock, signal } = session;
  const models = await hub.models.list();
  const view = models.find((model) => (name === undefined ? model.isDefault : model.name === name));
  const began = clock.monotonic();
  const wanted = view?.name ?? name;
  const outcome = await out.working(`Asking ${wanted ?? 'the model'} for one word`, () =>
    hub.chat.turn(
      {
        messages: [{ role: 'user', content: 'Answer with the one word: ready' }],
        servers: [],
        approval: 'refuse',
        ...defined({ model: wanted }),
      },
      { signal },
    ),
  );
  signal.throwIfAborted();
  if (outcome.end === 'cut') throw causeOf(outcome);
  const latencyMs = Math.round(clock.monotonic() - began);
  const { text, usage } = outcome;
  out.document({ model: wanted, text, latencyMs, usage });
  const who = view ? `${view.name} (${view.model} at ${placeWords(view)})` : 'The model';
  const word = text.trim().slice(0, SAID_CHARS_MAX);
  out.line(DONE, `${who} ${word === '' ? 'gave an empty answer' : `answered “${word}”`} in ${latencyMs} ms.`);
  const dollars = usage.cost === undefined ? '' : `, $${usage.cost.toFixed(6)}`;
  out.line(faint(`${usage.inputTokens} tokens in, ${usage.outputTokens} out${dollars}`));
}

function causeOf({ error }: ChatOutcome): PlugError {
  if (error) return PlugError.fromView(error);
  return new PlugError('unavailable', 'The model didn’t finish its answer.', {
    owner: 'server',
    remedy: { do: 'type', line: 'plug model test' },
  });
}

const SAID_CHARS_MAX = 60;
