import { toPlugError } from '../../base/errors.ts';
import { sentence } from '../../base/sentence.ts';
import type { ServerView } from '../../hub/hub.ts';
import { switchServer } from './acts.ts';
import { answerServices, answerWanted, serviceText } from './add.ts';
import { agreed, askForKey, switchedSentence, takeKey } from './agree.ts';
import type { Intent } from './intent.ts';
import { setupLimits } from './limits.ts';
import { EXAMPLES, keyWanted, listed, nextSentence, serverLine } from './sentences.ts';
import { findServer, listServers, offerAccess, proposeRemoval, testServer } from './servers.ts';
import type { Setup } from './setup.ts';
import type { Target } from './targets.ts';
import { undoLast } from './undo.ts';

export async function answerPlainly(setup: Setup, intents: readonly Intent[]): Promise<string> {
  const answers: string[] = [];
  for (const intent of intents) {
    try {
      answers.push(await answerTo(setup, intent));
    } catch (thrown) {
      if (setup.signal.aborted) throw thrown;
      const { message, remedy } = toPlugError(thrown);
      answers.push(`${sentence(message)}${nextSentence(remedy)}`);
    }
  }
  return answers.join('\n\n');
}

async function answerTo(setup: Setup, intent: Intent): Promise<string> {
  const { person, state, turn } = setup;
  switch (intent.kind) {
    case 'help':
      return `I set up your servers. ${EXAMPLES}`;
    case 'list':
      return serversSentence(setup);
    case 'agree':
      return agreed(setup);
    case 'decline':
      turn.declined = true;
      return 'OK, nothing was changed.';
    case 'undo':
      return undoLast(setup);
    case 'choose':
      return answerWanted(setup, { text: intent.name, byModel: false });
    case 'choose-none': {
      turn.keepAsked = true;
      const choices = state.asked.flatMap((asked) => (asked.kind === 'choose' ? asked.choices : []));
      return `There are ${choices.length} to choose from. Say the number or the name of one.`;
    }
    case 'paste': {
      const { last: message } = person;
      return answerWanted(setup, { text: person.text(message) ?? '', message, byModel: false });
    }
    case 'add':
      return addSentence(setup, intent);
    case 'give-key':
      return intent.key === undefined
        ? askForKey(setup, intent.targets)
        : takeKey(setup, intent.key, intent.targets);
    case 'enable':
    case 'disable':
      return switchSentence(setup, intent);
    case 'remove':
      return removalSentence(setup, intent.targets);
    case 'test':
    case 'explain':
      return testSentence(setup, intent);
    case 'sign-in':
      return signInSentence(setup, intent.targets);
    default:
      return intent satisfies never;
  }
}

async function addSentence(setup: Setup, intent: Extract<Intent, { kind: 'add' }>): Promise<string> {
  const { person } = setup;
  const { targets, key } = intent;
  const given = key === undefined ? {} : { key: person.last };
  const services = targets.flatMap((target) => (target.kind === 'service' ? [serviceText(target)] : []));
  const own = await serversFor(
    setup,
    targets.filter(({ kind }) => kind !== 'service'),
  );
  const there: string[] = [];
  for (const view of own) there.push(await alreadyThere(setup, view));
  if (services.length === 0 && own.length > 0) return there.join('\n\n');
  const wanted = services.map((text) => ({ text, byModel: false, ...given }));
  const [only] = wanted;
  const text = person.text(person.last) ?? '';
  // Words that name nothing we know are searched for whole, unless there is a key among them.
  const isWhole = key === undefined && wanted.length <= 1 && !targets.some((each) => 'featured' in each);
  const answer =
    isWhole || !only
      ? await answerWanted(setup, { text, message: person.last, byModel: false })
      : await answerServices(setup, wanted);
  return [...there, answer].join('\n\n');
}

/** “Connect Linear” when Linear is there: on if it was off. */
async function alreadyThere(setup: Setup, view: ServerView): Promise<string> {
  const { id, enabled, state } = view;
  setup.turn.spokeOf(id);
  if (!enabled) {
    await switchServer(setup, id, true);
    setup.turn.did({ kind: 'enabled', server: id });
    return `You have **${id}** already; it was off. ${switchedSentence(id, true)}`;
  }
  if (state.kind === 'needs-sign-in') offerAccess(setup, id, state.needs !== undefined);
  return `You have this already:\n\n${serverLine(view)}`;
}

async function serversSentence(setup: Setup): Promise<string> {
  const servers = await listServers(setup);
  if (servers.length === 0) return `You have no servers yet. ${EXAMPLES}`;
  const shown = servers.slice(0, setupLimits.serversToldMax).map(serverLine);
  const more = servers.length - shown.length;
  const count = servers.length === 1 ? 'one server' : `${servers.length} servers`;
  return `You have ${count}:\n\n${shown.join('\n')}${more > 0 ? `\n- and ${more} more` : ''}`;
}

async function switchSentence(
  setup: Setup,
  { kind, targets }: Extract<Intent, { kind: 'enable' | 'disable' }>,
): Promise<string> {
  const on = kind === 'enable';
  const servers = await serversFor(setup, targets);
  if (servers.length === 0) return whichServer(setup, `turn ${on ? 'on' : 'off'}`);
  const lines: string[] = [];
  for (const { id, enabled } of servers) {
    setup.turn.spokeOf(id);
    if (enabled === on) {
      lines.push(`**${id}** is ${on ? 'on' : 'off'} already.`);
      continue;
    }
    await switchServer(setup, id, on);
    setup.turn.did({ kind: on ? 'enabled' : 'disabled', server: id });
    lines.push(switchedSentence(id, on));
  }
  return lines.join('\n');
}

async function removalSentence(setup: Setup, targets: readonly Target[]): Promise<string> {
  const servers = await serversFor(setup, targets);
  if (servers.length === 0) return whichServer(setup, 'remove');
  const some = servers.slice(0, setup.proposals.room);
  const lost: string[] = [];
  for (const { id } of some) {
    lost.push(...(await proposeRemoval(setup, id)).credentials);
    setup.turn.spokeOf(id);
  }
  const names = listed(some.map(({ id }) => `**${id}**`));
  const more = servers.length - some.length;
  const rest = more === 0 ? '' : ` The other ${more} come after these.`;
  const keys =
    lost.length === 0
      ? 'No key is kept for it.'
      : `${listed(lost)} would be forgotten with ${some.length === 1 ? 'it' : 'them'}.`;
  const what =
    some.length === 1 ? names : `${some.length === servers.length ? 'all of these' : 'these'}: ${names}`;
  return `Shall I remove ${what}? ${some.length > 1 && lost.length === 0 ? '' : `${keys} `}${rest}`.trim();
}

async function testSentence(
  setup: Setup,
  { kind, targets }: Extract<Intent, { kind: 'test' | 'explain' }>,
): Promise<string> {
  const named = await serversFor(setup, targets);
  const servers = named.length > 0 ? named : await troubled(setup);
  if (servers.length === 0) {
    return kind === 'explain' ? 'None of your servers has a problem right now.' : whichServer(setup, 'test');
  }
  const lines: string[] = [];
  for (const { id } of servers.slice(0, setupLimits.proposalsMax)) {
    setup.turn.spokeOf(id);
    const { says, works } = await testServer(setup, id);
    lines.push(works && kind === 'explain' ? `${says}${await lastError(setup, id)}` : says);
  }
  return lines.length === 1 ? (lines[0] ?? '') : lines.map((line) => `- ${line}`).join('\n');
}

/** “Why does it not work?” without a name: those that do not. */
async function troubled(setup: Setup): Promise<readonly ServerView[]> {
  const servers = await listServers(setup);
  const fine = new Set(['ready', 'asleep', 'starting', 'disabled']);
  return servers.filter(({ state }) => !fine.has(state.kind));
}

async function lastError(setup: Setup, server: string): Promise<string> {
  const events = await setup.agent.hub.servers.events({ server, limit: setupLimits.errorsToldMax });
  const error = events.find(({ kind }) => kind === 'ERROR' || kind === 'TOKEN_EXPIRED');
  return error === undefined ? '' : ` Its last problem was: ${sentence(error.reason)}`;
}

/** A server that isn't there yet is proposed first; sign-in comes with it. */
async function signInSentence(setup: Setup, targets: readonly Target[]): Promise<string> {
  const services = targets.flatMap((target) => (target.kind === 'service' ? [serviceText(target)] : []));
  if (services.length > 0) {
    return answerServices(
      setup,
      services.map((text) => ({ text, byModel: false })),
    );
  }
  const servers = await serversFor(setup, targets);
  const waiting = servers.length > 0 ? servers : await troubled(setup);
  const open = servers.length > 0 ? waiting : waiting.filter(({ state }) => state.kind === 'needs-sign-in');
  if (open.length === 0) return whichServer(setup, 'sign in to');
  const lines = open.map(({ id, transport, state }) => {
    setup.turn.spokeOf(id);
    if (transport === 'stdio') return `**${id}** runs on this machine and takes a key, not a sign-in.`;
    const takesKey = state.kind === 'needs-sign-in' && state.needs !== undefined;
    offerAccess(setup, id, takesKey);
    if (takesKey) return `**${id}** offers no sign-in. ${keyWanted(id)}`;
    return `You can sign in to **${id}**: its page opens in your browser. Shall I open it?`;
  });
  return lines.join('\n');
}

/** The person's servers that are meant. One that is not there is an error that names those that are. */
async function serversFor(setup: Setup, targets: readonly Target[]): Promise<readonly ServerView[]> {
  if (targets.length === 0) return [];
  const { servers } = await setup.agent.hub.servers.list();
  const found: ServerView[] = [];
  for (const target of targets) {
    if (target.kind === 'all') return servers;
    if (target.kind === 'server') found.push(await findServer(setup, target.id));
    if (target.kind === 'unsure') found.push(await findServer(setup, target.words));
    if (target.kind === 'service') found.push(await findServer(setup, target.words));
  }
  return found;
}

async function whichServer(setup: Setup, deed: string): Promise<string> {
  const { servers } = await setup.agent.hub.servers.list();
  if (servers.length === 0) return `You have no servers yet. ${EXAMPLES}`;
  return `Which server shall I ${deed}? You have ${listed(servers.slice(0, NAMES_SHOWN).map(({ id }) => id))}.`;
}

const NAMES_SHOWN = 12;
