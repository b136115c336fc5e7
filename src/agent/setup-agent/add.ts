import { toPlugError } from '../../base/errors.ts';
import { sentence } from '../../base/sentence.ts';
import type { PlanOffer } from '../../hub/hub.ts';
import { getFeatured } from '../../servers/featured.ts';
import { setupLimits, short } from './limits.ts';
import { propose, type Wanted } from './propose.ts';
import { choicesSentence, EXAMPLES, nextSentence, plansSentence, repairSentence } from './sentences.ts';
import { searchRegistries } from './servers.ts';
import type { Setup } from './setup.ts';
import { isFiller } from './targets.ts';
import { wordsIn } from './words.ts';

/** A card for what is wanted, or a question, or why there is none. */
export async function answerWanted(setup: Setup, wanted: Wanted): Promise<string> {
  const { offer, plans, left, isRepair } = await propose(setup, wanted);
  if (isRepair) return repairSentence(offer);
  const words = short(wanted.text);
  const parts = [
    plansSentence(plans, left, wanted.key !== undefined),
    ...offer.declined.map(({ why, remedy }) => `${sentence(why)}${nextSentence(remedy)}`),
    plans.length === 0 && offer.choices.length > 0
      ? choicesSentence(offer.choices.slice(0, setupLimits.choicesMax), words)
      : '',
  ].filter((part) => part !== '');
  if (parts.length > 0) return [...parts, ...silent(offer)].join('\n\n');
  return notUnderstood(setup, wanted.text, offer);
}

/** Several services in one sentence: one of them that fails does not keep the others back. */
export async function answerServices(setup: Setup, services: readonly Wanted[]): Promise<string> {
  const answers: string[] = [];
  for (const wanted of services) {
    try {
      answers.push(await answerWanted(setup, wanted));
    } catch (thrown) {
      if (setup.signal.aborted || services.length === 1) throw thrown;
      const { message, remedy } = toPlugError(thrown);
      answers.push(`${sentence(message)}${nextSentence(remedy)}`);
    }
  }
  return answers.join('\n\n');
}

async function notUnderstood(setup: Setup, text: string, offer: PlanOffer): Promise<string> {
  const { notMcp, problems } = offer;
  if (notMcp !== undefined) return `${sentence(notMcp)} ${EXAMPLES}`;
  const isRequest = text.length <= setupLimits.requestCharsMax && !/[{}[\]<>=\n]|:\/\//.test(text);
  if (!isRequest) {
    const lines = problems
      .filter(({ severity, line }) => severity === 'error' && line !== undefined)
      .map(({ line, message, remedy }) => `Line ${line}: ${sentence(message)}${nextSentence(remedy)}`);
    return lines.length > 0 ? lines.join('\n') : `I could not find a server in this. ${EXAMPLES}`;
  }
  for (const query of queriesFor(text)) {
    const { results } = await searchRegistries(setup, query);
    if (results.length === 0) continue;
    setup.proposals.add({ kind: 'choose', choices: results });
    return choicesSentence(results, query);
  }
  const unknown = `I know no server for “${short(text)}”.`;
  return [unknown, ...silent(offer), EXAMPLES].join(' ');
}

/** A missing server may be in one of these. */
function silent({ registries }: PlanOffer): readonly string[] {
  return registries
    .filter(({ state }) => state === 'failed')
    .map(({ name, reason }) => {
      const why = reason === undefined ? '.' : `: ${sentence(reason)}`;
      return `The registry ${name} did not answer${why}`;
    });
}

/** Registries rarely know whole sentences: the telling words together, then one by one. */
function queriesFor(text: string): readonly string[] {
  const telling = wordsIn(text)
    .filter(({ text: word }) => !isFiller(word))
    .map(({ raw }) => raw.toLowerCase());
  const longest = telling.length > 1 ? telling.toSorted((a, b) => b.length - a.length) : [];
  const asked = text.trim().toLowerCase();
  return [...new Set([telling.join(' '), ...longest])]
    .filter((query) => query.length > 2 && query !== asked)
    .slice(0, setupLimits.searchesMax);
}

/** A service by the name that plans know it by. */
export function serviceText(service: { readonly words: string; readonly featured?: string }): string {
  const known = service.featured === undefined ? undefined : getFeatured(service.featured);
  return known?.id ?? service.words;
}
