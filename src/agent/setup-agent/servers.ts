import { PlugError, toPlugError } from '../../base/errors.ts';
import { sentence } from '../../base/sentence.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { Hub, ServerView } from '../../hub/hub.ts';
import { plainName } from '../../servers/featured.ts';
import { needsOf } from '../../servers/plans/needs.ts';
import { setupLimits, short } from './limits.ts';
import { keyWanted, listed, nextSentence } from './sentences.ts';
import { doing, type Done, type Setup } from './setup.ts';

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

interface TestOptions {
  readonly id?: string;
  /** It reads its key only when it starts. */
  readonly restart?: boolean;
}

export function testServer(
  setup: Setup,
  wanted: string,
  { id, restart = false }: TestOptions = {},
): Promise<Tested> {
  const says = `Testing ${short(wanted)}`;
  return doing(setup, { tool: 'test_connection', says, id }, async () => {
    const view = await findServer(setup, wanted);
    if (!view.enabled) return turnedOff(setup, view.id);
    const { hub, clock } = setup.agent;
    const late = new AbortController();
    const stop = clock.after(setupLimits.testTimeoutMs, () => late.abort(tooSlow(view.id)));
    try {
      const signal = AbortSignal.any([setup.signal, late.signal]);
      const started = await hub.servers[restart ? 'restart' : 'start']({ id: view.id }, { signal });
      const tested = outcomeOf(setup, started);
      return { value: tested, ...rowOf(view.id, tested.works) };
    } catch (thrown) {
      if (setup.signal.aborted) throw thrown;
      const error = late.signal.aborted ? tooSlow(view.id) : toPlugError(thrown);
      offerRemedy(setup, view.id, error);
      const next = wantsKey(error) ? ` ${keyWanted(view.id)}` : nextSentence(error.remedy);
      const told = `${view.id} does not work: ${sentence(error.message)}${next}`;
      return { value: { says: told, works: false }, ...rowOf(view.id, false) };
    } finally {
      stop();
    }
  });
}

/** The row is short: the answer tells the rest. */
function rowOf(server: string, works: boolean): Omit<Done<Tested>, 'value'> {
  return works
    ? { says: `${server} works`, outcome: 'completed' }
    : { says: `${server} does not work`, outcome: 'failed' };
}

function turnedOff({ proposals }: Setup, server: string): Done<Tested> {
  proposals.add({ kind: 'switch', server, on: true });
  const says = `**${server}** is off. Shall I turn it on?`;
  return { value: { says, works: false }, says: `${server} is off` };
}

/** What a person can agree to is asked; every other step is shown. */
function offerRemedy(setup: Setup, server: string, error: PlugError): void {
  const { proposals } = setup;
  const { code, remedy } = error;
  if (code === 'sign_in_needed' || remedy?.do === 'sign-in') offerAccess(setup, server, wantsKey(error));
  else if (remedy?.do === 'set-secret') proposals.add({ kind: 'key', server, secret: remedy.name });
  else if (remedy?.do === 'enable') proposals.add({ kind: 'switch', server, on: true });
  else if (remedy) proposals.add({ kind: 'remedy', server, error: error.toView() });
}

/** Where a server offers no sign-in, only a key helps. */
export function offerAccess({ proposals }: Setup, server: string, takesKey: boolean): void {
  proposals.add(takesKey ? { kind: 'key', server } : { kind: 'sign-in', server });
}

function wantsKey({ code, details }: PlugError): boolean {
  return code === 'sign_in_needed' && needsOf(details).length > 0;
}

function outcomeOf(setup: Setup, view: ServerView): Tested {
  const { id, state, toolCount } = view;
  if (state.kind === 'needs-sign-in') {
    offerAccess(setup, id, state.needs !== undefined);
    const what = state.needs ? `needs a key. ${keyWanted(id)}` : 'wants you to sign in.';
    return { says: `${id} answers, and ${what}`, works: false };
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
