import { PlugError, toPlugError } from '../../base/errors.ts';
import type { OfferedPlan, PlanOffer } from '../../hub/hub.ts';
import { featuredLookup, listFeatured } from '../../servers/featured.ts';
import { parsePaste } from '../../servers/paste/parse-paste.ts';
import { setupLimits, short } from './limits.ts';
import { secretsSaid } from './secrets-said.ts';
import { doing, type Done, type Setup } from './setup.ts';
import { toldToModel } from '../../base/remedy-sentence.ts';
import type { Told } from './run-tool.ts';

export interface Wanted {
  readonly text: string;
  /** The number of the person's message, when it is a whole one. */
  readonly message?: number;
  /** Made up by a model: addresses in it are not contacted. */
  readonly byModel: boolean;
  readonly only?: readonly string[];
  /** The number of the message that holds the key for it. */
  readonly key?: number;
}

export interface Proposed {
  readonly offer: PlanOffer;
  /** Empty for a damaged text until the person has seen the corrected one. */
  readonly plans: readonly OfferedPlan[];
  readonly left: number;
  readonly isRepair: boolean;
}

/** Shows the person a plan. Runs and saves nothing. */
export function propose(setup: Setup, wanted: Wanted, id?: string): Promise<Proposed> {
  return doing<Proposed>(setup, { id, tool: 'save_server', says: startOf(wanted) }, async () => {
    const offer = await offerFor(setup, wanted);
    const { problems, repair } = offer;
    // A corrected text counts once the person has sent another message.
    if (repair && !wanted.byModel && wanted.message === setup.person.last) {
      setup.proposals.add({ kind: 'repair', offer: { problems, repair } });
      setup.proposals.repaired = wanted.message;
      const value = { offer, plans: [], left: 0, isRepair: true };
      return { value, says: 'It is damaged: there is a corrected version' };
    }
    const isMadeUp = wanted.byModel && !isListed(wanted.text);
    const fitting = chosen(offer.plans, wanted).map((plan) => (isMadeUp ? doubted(plan) : plan));
    const plans = fitting.slice(0, setup.proposals.room);
    const left = fitting.length - plans.length;
    const key = wanted.key ?? keyBeside(setup, wanted, plans);
    for (const plan of plans) {
      setup.proposals.add({ kind: 'install', plan, ...(key === undefined ? {} : { key }) });
      setup.turn.spokeOf(plan.server);
    }
    const choices = offer.choices.slice(0, setupLimits.choicesMax);
    if (plans.length === 0 && choices.length > 0) setup.proposals.add({ kind: 'choose', choices });
    return { value: { offer, plans, left, isRepair: false }, says: endOf(offer, plans) };
  });
}

/** “Add https://… , my key is …”: a key in the message that the plan of it still needs. */
function keyBeside(
  { person }: Setup,
  { message, byModel }: Wanted,
  plans: readonly OfferedPlan[],
): number | undefined {
  const [plan, ...others] = plans;
  if (message === undefined || byModel || !plan || others.length > 0 || plan.needs.length !== 1)
    return undefined;
  const isSecret = plan.view.form.some(({ id, kind }) => id === plan.needs[0] && kind === 'secret');
  return isSecret && secretsSaid(person.text(message) ?? '').length === 1 ? message : undefined;
}

async function offerFor({ agent, signal, person }: Setup, { text, byModel }: Wanted): Promise<PlanOffer> {
  // Text without a server in it goes to registries, which must not see a key.
  const { servers } = parsePaste(text, { featured: featuredLookup });
  if (servers.length === 0 && secretsSaid(text).length > 0) throw notForHere();
  // An address only the model knows may lead into the person's own network.
  const offline = byModel && hostsOf(text).some((host) => !person.namedHost(host));
  return agent.hub.plans.make({ text, ...(byModel ? { origin: 'file' } : {}), offline }, { signal });
}

function hostsOf(text: string): readonly string[] {
  return [...text.matchAll(/\b(?:https?|wss?|sse):\/\/[^\s"'<>]+/gi)].flatMap(([url]) =>
    URL.canParse(url) ? [new URL(url).host] : [],
  );
}

function notForHere(): PlugError {
  const message = 'This looks like a key. I have not used it or passed it on.';
  const text = "Type it into the field of the card, which the model can't read.";
  return new PlugError('denied', message, { owner: 'you', remedy: { do: 'say', text } });
}

/** Names from the featured servers and registries: their content isn't the model's. */
function isListed(text: string): boolean {
  if (REGISTRY_NAME.test(text)) return true;
  const { servers } = parsePaste(text, { featured: featuredLookup });
  return servers.every(({ ref }) => ref !== undefined && LISTS.has(ref.kind));
}

const REGISTRY_NAME = /^[A-Za-z0-9][\w.-]*\/[\w.-]+$/;
const LISTS: ReadonlySet<string> = new Set(['featured', 'mcp-registry', 'github-mcp-registry', 'smithery']);

function chosen(plans: readonly OfferedPlan[], { only }: Wanted): readonly OfferedPlan[] {
  if (only === undefined || only.length === 0) return plans;
  const names = new Set(only.map((name) => name.toLowerCase()));
  const some = plans.filter(({ server, view }) => names.has(server) || names.has(view.title.toLowerCase()));
  if (some.length > 0) return some;
  const there = plans.map(({ server }) => server).join(', ');
  const message = `None of these servers is in the text. In it: ${there || 'none'}.`;
  throw new PlugError('not_found', message, { owner: 'you' });
}

function doubted(plan: OfferedPlan): OfferedPlan {
  const { view } = plan;
  const message =
    view.url === undefined
      ? 'The model put this command together, and it would run with your permissions. Read it before you agree.'
      : 'The model put this address together. See that it is the one you mean before you agree.';
  const warnings = [...view.warnings, { kind: 'untrusted-link', message } as const];
  return { ...plan, view: { ...view, warnings, untrusted: true, defaultAnswer: 'no' } };
}

function startOf({ text, message }: Wanted): string {
  const isShort = text.length <= setupLimits.nameCharsMax && /^[\p{L}\p{N} @.,:/'_-]+$/u.test(text);
  if (isShort) return `Looking up ${short(text)}`;
  return message === undefined ? 'Reading the configuration' : 'Reading your paste';
}

function endOf({ choices, declined, format }: PlanOffer, plans: readonly OfferedPlan[]): string {
  if (plans.length > 0) return `Ready for you to look at: ${plans.map(({ view }) => view.title).join(', ')}`;
  if (choices.length > 0) return `Found ${choices.length} that fit`;
  return declined[0]?.why ?? (format === '' ? 'Found nothing' : `Nothing to add in it (${format})`);
}

/** Only hosts that the person named are contacted, so that no text can make a model probe their network. */
export function probe(
  setup: Setup,
  wanted: Wanted,
  id: string,
  tool: 'probe_endpoint' | 'test_connection' = 'probe_endpoint',
): Promise<Told> {
  const [host] = hostsOf(wanted.text);
  const says = `Looking at ${short(host ?? wanted.text)}`;
  return doing(setup, { id, tool, says }, async () => {
    const made = wanted.byModel ? hostsOf(wanted.text).find((each) => !isKnown(setup, each)) : undefined;
    if (made !== undefined) throw notNamed(made);
    const { plans, declined, problems } = await offerFor(setup, wanted);
    const [plan] = plans;
    if (!plan) {
      const why = declined[0]?.why ?? problems[0]?.message ?? 'No server is in this text.';
      return ended('It could not be looked at.', why, 'failed');
    }
    // Without consent no program is started and no key is sent.
    if (plan.view.form.some(({ kind }) => kind === 'secret')) {
      return ended('It takes a key: it is tried with it when the person has agreed.', plan.view.auth.why);
    }
    if (plan.view.url === undefined || plan.view.untrusted) {
      return ended(
        'It would run on the person’s machine: it is tried when they have agreed to it.',
        plan.view.summary,
      );
    }
    const isOpen = plan.view.auth.kind === 'none' && plan.needs.length === 0;
    if (isOpen || tool === 'test_connection') return tried(setup, plan);
    return ended('What is known of it:', `${plan.view.url}: ${plan.view.auth.why}`);
  });
}

async function tried(setup: Setup, plan: OfferedPlan): Promise<Done<Told>> {
  const { hub, clock } = setup.agent;
  const late = new AbortController();
  const stop = clock.after(setupLimits.testTimeoutMs, () => late.abort());
  try {
    const signal = AbortSignal.any([setup.signal, late.signal]);
    const { summary, signIn } = await hub.plans.try({ plan: plan.plan }, { signal });
    return ended(signIn ? 'It speaks MCP and wants a sign-in.' : 'It speaks MCP.', summary);
  } catch (thrown) {
    if (setup.signal.aborted) throw thrown;
    const { message, remedy } = toPlugError(thrown);
    const told = toldToModel(message, remedy);
    return ended('It doesn’t work yet.', `${told} ${plan.view.auth.why}`, 'failed');
  } finally {
    stop();
  }
}

function isKnown({ person }: Setup, host: string): boolean {
  return (
    person.namedHost(host) ||
    listFeatured().some(({ remote }) => remote !== undefined && new URL(remote.url).host === host)
  );
}

function notNamed(host: string): PlugError {
  const shown = short(host);
  return new PlugError('denied', `The person has not named ${shown}, so it is not asked.`, {
    owner: 'you',
    remedy: 'Ask them for the address, or find the server with search_registry.',
  });
}

function ended(ours: string, theirs: string, outcome: Done<Told>['outcome'] = 'completed'): Done<Told> {
  return { value: { ours, theirs }, says: theirs, outcome };
}
