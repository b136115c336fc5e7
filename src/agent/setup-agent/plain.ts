import { toPlugError } from '../../base/errors.ts';
import { sentence } from '../../base/sentence.ts';
import { type Intent, readIntent } from './intent.ts';
import { choicesSentence, EXAMPLES, listed, plansSentence, repairSentence, serverLine } from './sentences.ts';
import { findServer, listServers, proposeRemoval, searchRegistries, testServer } from './servers.ts';
import type { Setup } from './setup.ts';
import { setupLimits, short } from './limits.ts';
import type { PlanOffer } from '../../hub/hub.ts';
import { propose, type Wanted } from './propose.ts';

export async function answerPlainly(setup: Setup): Promise<string> {
  const { person, asked } = setup;
  const intent = readIntent(person.text(person.last) ?? '', asked);
  try {
    return await answerTo(setup, intent);
  } catch (thrown) {
    if (setup.signal.aborted) throw thrown;
    const { message, next } = toPlugError(thrown);
    return `${sentence(message)}${next === undefined ? '' : ` Next: ${next}`}`;
  }
}

async function answerTo(setup: Setup, intent: Intent): Promise<string> {
  const { person, asked } = setup;
  switch (intent.kind) {
    case 'help':
      return `I set up your servers. ${EXAMPLES}`;
    case 'list':
      return serversSentence(setup);
    case 'agree':
      return agreed(setup);
    case 'decline':
      return 'All right, nothing was changed.';
    case 'test':
      return (await testServer(setup, intent.server)).says;
    case 'remove':
      return removalSentence(setup, intent.server);
    case 'sign-in':
      return signInSentence(setup, intent.server);
    case 'choose':
      return answerWanted(setup, { text: intent.name, byModel: false });
    case 'choose-none':
      return `There are ${asked.choices?.length ?? 0} to choose from. Say the number or the name of one.`;
    case 'add':
      break;
  }
  const { last: message } = person;
  return answerWanted(setup, { text: person.text(message) ?? '', message, byModel: false });
}

/** “Yes” answers the last question; a card is answered on the card. */
async function agreed(setup: Setup): Promise<string> {
  const { asked, person } = setup;
  const damaged = asked.repair === undefined ? undefined : person.text(asked.repair);
  if (damaged !== undefined && asked.repair !== undefined) {
    return answerWanted(setup, { text: damaged, message: asked.repair, byModel: false });
  }
  const [only, ...others] = asked.choices ?? [];
  if (only !== undefined && others.length === 0) return answerWanted(setup, { text: only, byModel: false });
  if (only !== undefined) return 'Which one? Say its number or its name.';
  if (asked.card) return 'Agree on the card above: I only propose, and you decide there.';
  return `I have not asked you anything yet. ${EXAMPLES}`;
}

async function serversSentence(setup: Setup): Promise<string> {
  const servers = await listServers(setup);
  if (servers.length === 0) return `You have no servers yet. ${EXAMPLES}`;
  const shown = servers.slice(0, setupLimits.serversToldMax).map(serverLine);
  const more = servers.length - shown.length;
  const count = servers.length === 1 ? 'one server' : `${servers.length} servers`;
  return `You have ${count}:\n\n${shown.join('\n')}${more > 0 ? `\n- and ${more} more` : ''}`;
}

async function removalSentence(setup: Setup, wanted: string): Promise<string> {
  const { view, credentials } = await proposeRemoval(setup, wanted);
  const lost =
    credentials.length === 0
      ? 'No key is kept for it.'
      : `${listed(credentials)} would be forgotten with it.`;
  return `Shall I remove **${view.id}**? ${lost} It goes when you agree on the card.`;
}

/** A server that isn't there yet is proposed first; sign-in comes with it. */
async function signInSentence(setup: Setup, wanted: string): Promise<string> {
  try {
    const { id, transport } = await findServer(setup, wanted);
    if (transport === 'stdio') return `**${id}** runs on this machine and takes a key, not a sign-in.`;
    setup.proposals.add({ kind: 'sign-in', server: id });
    return `You can sign in to **${id}** on the card: its page opens in your browser.`;
  } catch (thrown) {
    if (toPlugError(thrown).code !== 'not_found') throw thrown;
    return answerWanted(setup, { text: wanted, byModel: false });
  }
}

async function answerWanted(setup: Setup, wanted: Wanted): Promise<string> {
  const { offer, plans, left, isRepair } = await propose(setup, wanted);
  if (isRepair) return repairSentence(offer);
  const words = short(wanted.text);
  const parts = [
    plansSentence(plans, left),
    ...offer.declined.map(({ why, next }) => `${sentence(why)}${next === undefined ? '' : ` Next: ${next}`}`),
    plans.length === 0 && offer.choices.length > 0
      ? choicesSentence(offer.choices.slice(0, setupLimits.choicesMax), words)
      : '',
  ].filter((part) => part !== '');
  if (parts.length > 0) return [...parts, ...silent(offer)].join('\n\n');
  return notUnderstood(setup, wanted.text, offer);
}

async function notUnderstood(setup: Setup, text: string, offer: PlanOffer): Promise<string> {
  const { notMcp, problems } = offer;
  if (notMcp !== undefined) return `${sentence(notMcp)} ${EXAMPLES}`;
  const isRequest = text.length <= setupLimits.requestCharsMax && !/[{}[\]<>=\n]|:\/\//.test(text);
  if (!isRequest) {
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
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}.-]*/gu) ?? [];
  const telling = words.filter((word) => !FILLERS.has(word));
  const longest = telling.length > 1 ? telling.toSorted((a, b) => b.length - a.length) : [];
  const asked = text.trim().toLowerCase();
  return [...new Set([telling.join(' '), ...longest])]
    .filter((query) => query.length > 2 && query !== asked)
    .slice(0, setupLimits.searchesMax);
}

const FILLERS: ReadonlySet<string> = new Set(
  (
    'a an the my our your me us i we you it is am are be please can could would will want wanna need like to with into for of ' +
    'from and or in on at by some any all that which there something anything someone do does have has get give find ' +
    'show look search looking what who how why when exist exists connect add install plug setup set up use using hook link enable open start access ' +
    'talk make mcp server servers account app tool tools integration'
  ).split(' '),
);
