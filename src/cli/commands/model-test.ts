import { PlugError } from '../../base/errors.ts';
import type { ChatOutcome, Hub, ModelView } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import type { Session } from '../session.ts';
import { placeWords } from './model.ts';
import { DONE, faint } from '../output.ts';

/** `plug model test`: one word from the model, how long it took, and what it cost. */
export async function testModel(
  hub: Hub,
  { name }: { readonly name?: string },
  { out, clock, signal }: Session,
): Promise<ExitCode> {
  const models = await hub.models.list();
  const view = models.find((model) => (name === undefined ? model.isDefault : model.name === name));
  const began = clock.monotonic();
  // A name that is not there is explained by the hub, like everything else that is wrong.
  const wanted = view?.name ?? name;
  const outcome = await out.working(`Asking ${wanted ?? 'the model'} for one word`, () =>
    hub.chat.turn(
      {
        messages: [{ role: 'user', content: 'Answer with the one word: ready' }],
        servers: [],
        approval: 'refuse',
        ...(wanted === undefined ? {} : { model: wanted }),
      },
      { signal },
    ),
  );
  signal.throwIfAborted();
  if (outcome.end === 'cut') throw causeOf(outcome);
  const latencyMs = Math.round(clock.monotonic() - began);
  const { text, usage } = outcome;
  out.document({ model: wanted, text, latencyMs, usage });
  out.line(DONE, sentence(view, { text, latencyMs }));
  out.line(faint(spent(usage)));
  return exitCodes.ok;
}

function causeOf({ error }: ChatOutcome): PlugError {
  if (error) return PlugError.fromView(error);
  return new PlugError('unavailable', 'The model did not finish its answer.', {
    owner: 'server',
    remedy: { do: 'type', line: 'plug model test' },
  });
}

function sentence(
  view: ModelView | undefined,
  { text, latencyMs }: { readonly text: string; readonly latencyMs: number },
): string {
  const who = view ? `${view.name} (${view.model} at ${placeWords(view)})` : 'The model';
  const said =
    text.trim() === '' ? 'answered without a word' : `answered “${text.trim().slice(0, SAID_CHARS_MAX)}”`;
  return `${who} ${said} in ${latencyMs} ms.`;
}

const SAID_CHARS_MAX = 60;

function spent({ inputTokens, outputTokens, cost }: ChatOutcome['usage']): string {
  const dollars = cost === undefined ? '' : `, $${cost.toFixed(6)}`;
  return `${inputTokens} tokens in, ${outputTokens} out${dollars}`;
}
