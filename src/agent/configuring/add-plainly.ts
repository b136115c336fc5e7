import { sentence } from '../../base/sentence.ts';
import type { PlanOffer } from '../../hub/hub.ts';
import { configuringLimits, cut } from './limits.ts';
import { propose, type Proposed, type Wanted } from './propose.ts';
import { searchRegistries } from './search.ts';
import { choicesSentence, EXAMPLES, plansSentence, repairSentence } from './sentences.ts';
import type { Setup } from './setup.ts';

/** Proposes what is wanted, and says what came of it. */
export async function answerWanted(setup: Setup, wanted: Wanted): Promise<string> {
  const proposed = await propose(setup, wanted);
  const { offer, plans, left, isRepair } = proposed;
  if (isRepair) return repairSentence(offer);
  const words = cut(wanted.text, configuringLimits.nameCharsMax);
  const parts = [
    plansSentence(plans, left),
    ...offer.declined.map(({ why, next }) => `${sentence(why)}${next === undefined ? '' : ` Next: ${next}`}`),
    plans.length === 0 && offer.choices.length > 0
      ? choicesSentence(offer.choices.slice(0, configuringLimits.choicesMax), words)
      : '',
  ].filter((part) => part !== '');
  if (parts.length > 0) return [...parts, ...silent(offer)].join('\n\n');
  return notUnderstood(setup, wanted, proposed);
}

async function notUnderstood(setup: Setup, { text }: Wanted, { offer }: Proposed): Promise<string> {
  const { notMcp, problems } = offer;
  if (notMcp !== undefined) return `${sentence(notMcp)} ${EXAMPLES}`;
  if (!isWish(text)) {
    const lines = problems
      .filter(({ severity, line }) => severity === 'error' && line !== undefined)
      .map(({ line, message, next = '' }) => `Line ${line}: ${sentence(message)} ${next}`.trim());
    return lines.length > 0 ? lines.join('\n') : `I could not find a server in this. ${EXAMPLES}`;
  }
  for (const query of queriesFor(text)) {
    const { results } = await searchRegistries(setup, query);
    if (results.length === 0) continue;
    setup.proposals.add({ kind: 'choose', choices: results });
    return choicesSentence(results, query);
  }
  const unknown = `I know no server for “${cut(text, configuringLimits.nameCharsMax)}”.`;
  return [unknown, ...silent(offer), EXAMPLES].join(' ');
}

/** Registries that did not answer: what is missing may be theirs. */
function silent({ registries }: PlanOffer): readonly string[] {
  return registries
    .filter(({ state }) => state === 'failed')
    .map(
      ({ name, reason }) =>
        `The registry ${name} did not answer${reason === undefined ? '.' : `: ${sentence(reason)}`}`,
    );
}

/** Words, and no config, command or address. */
function isWish(text: string): boolean {
  return text.length <= configuringLimits.requestCharsMax && !/[{}[\]<>=\n]|:\/\//.test(text);
}

/** A whole sentence is seldom what registries know a server by: its telling words together, then one by one. */
function queriesFor(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}.-]*/gu) ?? [];
  const telling = words.filter((word) => !FILLERS.has(word));
  const longest = telling.length > 1 ? telling.toSorted((a, b) => b.length - a.length) : [];
  const asked = text.trim().toLowerCase();
  return [...new Set([telling.join(' '), ...longest])]
    .filter((query) => query.length > 2 && query !== asked)
    .slice(0, configuringLimits.searchesMax);
}

/** Words of a wish that say nothing about which server is meant. */
const FILLERS: ReadonlySet<string> = new Set(
  (
    'a an the my our your me us i we you it is am are be please can could would will want wanna need like to with into for of ' +
    'from and or in on at by some any all that which there something anything someone do does have has get give find ' +
    'show look search looking what who how why when exist exists connect add install plug setup set up use using hook link enable open start access ' +
    'talk make mcp server servers account app tool tools integration'
  ).split(' '),
);
