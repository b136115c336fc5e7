import { sentenceOf } from '../../base/remedy-sentence.ts';
import { PlugError, toPlugError } from '../../base/errors.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { Hub, ServerView } from '../../hub/hub.ts';
import { plainName } from '../../servers/featured.ts';
import { setupLimits, short } from './limits.ts';
import { listed } from './sentences.ts';
import { doing, type Setup } from './setup.ts';

export async function findServer({ agent }: Setup, wanted: string): Promise<ServerView> {
  const { servers } = await agent.hub.servers.list();
  const plain = plainName(wanted);
  const exact = servers.find(({ id }) => id === wanted.trim());
  const alike = servers.filter(({ id, name }) => plainName(id) === plain || plainName(name) === plain);
  const found = exact ?? alike[0];
  if (found && (exact || alike.length === 1)) return found;
  const shown = short(wanted);
  if (alike.length > 1) {
    const ids = alike.map(({ id }) => id).join(', ');
    throw new PlugError('usage', `“${shown}” can be ${ids}. Which one?`, { owner: 'you' });
  }
  const all = servers.map(({ id }) => id);
  const near = suggest(wanted, all);
  const more = all.length > NAMES_SHOWN ? ' and more' : '';
  const there =
    all.length === 0 ? 'You have none yet.' : `You have ${listed(all.slice(0, NAMES_SHOWN))}${more}.`;
  const help = near.length > 0 ? didYouMean(near) : there;
  throw new PlugError('not_found', `You have no server “${shown}”. ${help}`, { owner: 'you' });
}

const NAMES_SHOWN = 5;

export function proposeRemoval(setup: Setup, wanted: string, id?: string): Promise<Removal> {
  const says = `Looking at what is kept for ${short(wanted)}`;
  return doing(setup, { tool: 'remove_server', says, id }, async () => {
    const view = await findServer(setup, wanted);
    const { secrets, accounts } = await setup.agent.hub.servers.credentials({ id: view.id });
    const credentials = [...secrets, ...accounts.map(({ account, displayName }) => displayName ?? account)];
    setup.proposals.add({ kind: 'remove', server: view.id, credentials });
    return { value: { view, credentials }, says: `Ready for you to decide: remove ${view.id}` };
  });
}

interface Removal {
  readonly view: ServerView;
  readonly credentials: readonly string[];
}

export function listServers(setup: Setup, id?: string): Promise<readonly ServerView[]> {
  return doing(setup, { id, tool: 'list_servers', says: 'Looking at your servers' }, async () => {
    const { servers } = await setup.agent.hub.servers.list();
    return { value: servers, says: servers.length === 1 ? '1 server' : `${servers.length} servers` };
  });
}

interface Tested {
  readonly says: string;
  readonly works: boolean;
}

export function testServer(setup: Setup, wanted: string, id?: string): Promise<Tested> {
  const says = `Testing ${short(wanted)}`;
  return doing(setup, { tool: 'test_connection', says, id }, async () => {
    const view = await findServer(setup, wanted);
    const { hub, clock } = setup.agent;
    const late = new AbortController();
    const stop = clock.after(setupLimits.testTimeoutMs, () => late.abort(tooSlow(view.id)));
    try {
      const signal = AbortSignal.any([setup.signal, late.signal]);
      const started = await hub.servers.start({ id: view.id }, { signal });
      const tested = outcomeOf(setup, started);
      return { value: tested, says: tested.says, outcome: tested.works ? 'completed' : 'failed' };
    } catch (thrown) {
      if (setup.signal.aborted) throw thrown;
      const error = late.signal.aborted ? tooSlow(view.id) : toPlugError(thrown);
      if (error.code === 'sign_in_needed') setup.proposals.add({ kind: 'sign-in', server: view.id });
      const next = error.remedy === undefined ? '' : ` Next: ${sentenceOf(error.remedy)}`;
      const told = `${view.id} does not work: ${error.message}${next}`;
      return { value: { says: told, works: false }, says: told, outcome: 'failed' };
    } finally {
      stop();
    }
  });
}

function outcomeOf({ proposals }: Setup, view: ServerView): Tested {
  const { id, state, toolCount } = view;
  if (state.kind === 'needs-sign-in') {
    proposals.add({ kind: 'sign-in', server: id });
    return { says: `${id} answers, and wants you to sign in.`, works: false };
  }
  if (state.kind !== 'ready') return { says: `${id} is ${state.kind}: ${state.reason}`, works: false };
  const tools = toolCount === 1 ? '1 tool' : `${toolCount} tools`;
  return { says: `${id} works: it is connected and has ${tools}.`, works: true };
}

function tooSlow(server: string): PlugError {
  const seconds = Math.round(setupLimits.testTimeoutMs / 1_000);
  const message = `${server} did not get ready within ${seconds} s.`;
  const remedy = { do: 'show-logs', server } as const;
  return new PlugError('call_timeout', message, { owner: 'server', remedy, server });
}

type Searched = Awaited<ReturnType<Hub['registries']['search']>>;

export function searchRegistries(setup: Setup, query: string, id?: string): Promise<Searched> {
  const says = `Searching registries for ${short(query)}`;
  return doing(setup, { tool: 'search_registry', says, id }, async () => {
    const limit = setupLimits.choicesMax;
    const found = await setup.agent.hub.registries.search({ query, limit }, { signal: setup.signal });
    const count = found.results.length;
    const servers = count === 1 ? '1 server' : `${count} servers`;
    return { value: found, says: count === 0 ? 'Found nothing' : `Found ${servers}` };
  });
}
