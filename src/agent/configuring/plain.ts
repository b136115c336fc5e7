import { toPlugError } from '../../base/errors.ts';
import { sentence } from '../../base/sentence.ts';
import { answerWanted } from './add-plainly.ts';
import { readIntent, type Intent } from './intent.ts';
import { EXAMPLES, listed, serverLine } from './sentences.ts';
import { findServer, listServers, proposeRemoval, testServer } from './servers.ts';
import type { Setup } from './setup.ts';
import { configuringLimits } from './limits.ts';

/** Answers without a model: the same parsers, registries and proposals, and words of our own. */
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

/** “Yes” answers what was asked. To what stands on a card, only the card itself is the answer. */
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
  const shown = servers.slice(0, configuringLimits.serversToldMax).map(serverLine);
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

/** A server that is not there yet is proposed first: signing in comes with it. */
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
