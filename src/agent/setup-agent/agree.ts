import { PlugError, toPlugError } from '../../base/errors.ts';
import { sentence } from '../../base/sentence.ts';
import { addPlanned, keepKey, removeServer, switchServer } from './acts.ts';
import { answerWanted } from './add.ts';
import { EXAMPLES, fieldLabels, keyWanted, listed, nextSentence } from './sentences.ts';
import { secretsSaid } from './secrets-said.ts';
import { findServer, testServer } from './servers.ts';
import type { Setup } from './setup.ts';
import type { OpenQuestion } from './state.ts';
import type { Target } from './targets.ts';

type Install = Extract<OpenQuestion, { readonly kind: 'install' }>;

/** “Yes” does what was asked last. What would lose something is never done along with something else. */
export async function agreed(setup: Setup): Promise<string> {
  const { asked } = setup.state;
  if (asked.length === 0) return `I have not asked you anything. ${EXAMPLES}`;
  const kinds = new Set(asked.map(({ kind }) => kind));
  if (kinds.has('remove') && kinds.size > 1) return whichOfThem(setup);
  const answers: string[] = [];
  for (const each of asked) answers.push(await guarded(setup, each, () => agreeTo(setup, each)));
  return answers.join('\n\n');
}

async function agreeTo(setup: Setup, asked: OpenQuestion): Promise<string> {
  const { person, turn, proposals } = setup;
  switch (asked.kind) {
    case 'install':
      return installSentence(setup, asked);
    case 'remove': {
      if (asked.careful) {
        turn.keep(asked);
        return `You have not asked me to remove **${asked.server}**. If you want that, say “remove ${asked.server}” or use its card.`;
      }
      await removeServer(setup, asked.server);
      return `**${asked.server}** is removed.`;
    }
    case 'switch': {
      const { server, on } = asked;
      await switchServer(setup, server, on);
      turn.did({ kind: on ? 'enabled' : 'disabled', server });
      return switchedSentence(server, on);
    }
    case 'sign-in':
      proposals.add({ kind: 'sign-in', server: asked.server, agreed: true });
      turn.spokeOf(asked.server);
      return `The sign-in page of **${asked.server}** opens in your browser.`;
    case 'key':
      proposals.add(asked);
      return keyWanted(asked.server);
    case 'repair': {
      const text = person.text(asked.message);
      if (text === undefined) return `I no longer have that text. ${EXAMPLES}`;
      return answerWanted(setup, { text, message: asked.message, byModel: false });
    }
    case 'choose': {
      const [only, ...others] = asked.choices;
      if (only === undefined || others.length > 0) {
        turn.keepAsked = true;
        return 'Which one? Say its number or its name.';
      }
      return answerWanted(setup, { text: only, byModel: false });
    }
    default:
      return asked satisfies never;
  }
}

async function installSentence(setup: Setup, asked: Install): Promise<string> {
  const { title, missing, careful, key } = asked;
  const given = key === undefined ? undefined : keyFrom(setup.person.text(key));
  if (careful) {
    setup.turn.keep(asked);
    return `**${title}** was put together by others. Look at it, and agree on its card if you know it: a “yes” here is not enough.`;
  }
  const open = given === undefined ? missing : missing.slice(1);
  if (open.length > 0) {
    setup.turn.keep(asked);
    return open.some(({ secret }) => secret)
      ? `**${title}** needs ${fieldLabels(open)} first. Paste it here: I hide it, and it goes into the vault, not to a model.`
      : `**${title}** needs ${fieldLabels(open)} first: fill it in on the card.`;
  }
  return added(setup, asked, given);
}

async function added(setup: Setup, asked: Install, key: string | undefined): Promise<string> {
  const { summary, signIn, server } = await addPlanned(setup, asked, key === undefined ? {} : { key });
  if (signIn) {
    return `**${asked.title}** is added as **${server.id}**. Its sign-in page opens in your browser; agree there.`;
  }
  return `${sentence(summary)} It is added to your servers as **${server.id}**.`;
}

/** A key that the person typed: for the server they named, else for what was asked, else for what was spoken of. */
export async function takeKey(setup: Setup, key: string, targets: readonly Target[]): Promise<string> {
  setup.mask.learn(key);
  const named = targets.flatMap((target) => (target.kind === 'server' ? [target.id] : []))[0];
  const isMeant = ({ server }: { readonly server: string }): boolean =>
    named === undefined || server === named;
  const plans = setup.state.asked
    .filter((asked): asked is Install => asked.kind === 'install')
    .filter(isMeant);
  const [plan, ...others] = plans;
  if (plan && others.length > 0) throw forSeveral(plans.map(({ server }) => server));
  if (plan) return keyForPlan(setup, plan, key);
  const waiting = setup.state.asked.filter((asked) => asked.kind === 'key').find(isMeant);
  if (waiting) return keyForServer(setup, waiting, key);
  // A key without a word could be for anything, and is given to nobody.
  const isBare = setup.person.text(setup.person.last)?.trim() === key;
  const server = named ?? (isBare ? undefined : setup.state.about.at(-1));
  if (server === undefined) throw notForAnything();
  return keyForServer(setup, { server, ...(await secretOf(setup, server)) }, key);
}

function forSeveral(servers: readonly string[]): PlugError {
  const message = `The key can be for ${listed(servers)}. I have not used it.`;
  const text = 'Say it again with the name of the server, or type it into the field of its card.';
  return new PlugError('usage', message, { owner: 'you', remedy: { do: 'say', text } });
}

async function keyForPlan(setup: Setup, asked: Install, key: string): Promise<string> {
  const field = asked.missing.find(({ secret }) => secret) ?? asked.missing[0];
  const others = asked.missing.filter(({ id }) => id !== field?.id);
  if (asked.careful || others.length > 0) {
    setup.turn.keep(asked);
    const what = asked.careful ? 'has to be looked at first' : `needs ${fieldLabels(asked.missing)}`;
    return `**${asked.title}** ${what}: type the key into the field of its card. I have not used it.`;
  }
  if (asked.missing.length === 0 && !asked.remote) throw notForAnything();
  setup.turn.usedKey = true;
  return guarded(setup, asked, () => added(setup, asked, key));
}

async function keyForServer(
  setup: Setup,
  wanted: { readonly server: string; readonly secret?: string },
  key: string,
): Promise<string> {
  setup.turn.usedKey = true;
  setup.turn.spokeOf(wanted.server);
  return guarded(setup, { kind: 'key', ...wanted }, async () => {
    await keepKey(setup, wanted, key);
    const { says } = await testServer(setup, wanted.server, { restart: true });
    return `The key of **${wanted.server}** is in the vault. ${says}`;
  });
}

/** The one secret of a server; with several, the person says which on the card. */
export async function secretOf(setup: Setup, server: string): Promise<{ readonly secret?: string }> {
  const { hub } = setup.agent;
  const { state } = await hub.servers.get({ id: server });
  const remedy = 'remedy' in state ? state.remedy : undefined;
  if (remedy?.do === 'set-secret') return { secret: remedy.name };
  const { secrets } = await hub.servers.credentials({ id: server });
  const [only, ...others] = secrets;
  if (others.length > 0) {
    throw new PlugError('usage', `${server} has several keys: ${listed(secrets)}.`, {
      owner: 'you',
      remedy: { do: 'show-server', server },
    });
  }
  return only === undefined ? {} : { secret: only };
}

/** “I have a new key for weather”, without the key. */
export async function askForKey(setup: Setup, targets: readonly Target[]): Promise<string> {
  const [target] = targets;
  const id = target?.kind === 'server' ? target.id : setup.state.about[0];
  if (id === undefined) return 'Which server is the key for? Say its name and paste the key.';
  const view = await findServer(setup, id);
  setup.proposals.add({ kind: 'key', server: view.id, ...(await secretOf(setup, view.id)) });
  setup.turn.spokeOf(view.id);
  return keyWanted(view.id);
}

export function switchedSentence(server: string, on: boolean): string {
  return on
    ? `**${server}** is on.`
    : `**${server}** is off. Its settings are kept: say “turn it on” to use it again.`;
}

/** A failure is told, and the question stays open. */
async function guarded(setup: Setup, asked: OpenQuestion, work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (thrown) {
    if (setup.signal.aborted) throw thrown;
    const failure = toPlugError(thrown);
    if (failure.code !== 'not_found') setup.turn.keep(asked);
    return failureSentence(failure);
  }
}

function failureSentence({ message, remedy }: PlugError): string {
  return `${sentence(message)}${nextSentence(remedy)}`;
}

function whichOfThem({ state, turn }: Setup): string {
  turn.keepAsked = true;
  const lines = state.asked.flatMap((each) =>
    each.kind === 'remove'
      ? [`“remove ${each.server}”`]
      : each.kind === 'install'
        ? [`“add ${each.server}”`]
        : each.kind === 'switch'
          ? [`“turn ${each.server} ${each.on ? 'on' : 'off'}”`]
          : [],
  );
  return `Several different things are open. Say which: ${lines.join(', ')}, or use the cards.`;
}

function keyFrom(text: string | undefined): string | undefined {
  return text === undefined ? undefined : secretsSaid(text).find((secret) => text.includes(secret));
}

function notForAnything(): PlugError {
  const message = 'This looks like a key. I have not used it or passed it on.';
  const text = 'Say which server it is for.';
  return new PlugError('denied', message, { owner: 'you', remedy: { do: 'say', text } });
}
