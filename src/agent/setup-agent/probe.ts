import { toldToModel } from '../../base/remedy-sentence.ts';
import { PlugError, toPlugError } from '../../base/errors.ts';
import type { OfferedPlan } from '../../hub/hub.ts';
import { listFeatured } from '../../servers/featured.ts';
import { setupLimits, short } from './limits.ts';
import { hostsOf, offerFor, type Wanted } from './propose.ts';
import type { Told } from './run-tool.ts';
import { doing, type Done, type Setup } from './setup.ts';

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
    return ended('It does not work yet.', `${told} ${plan.view.auth.why}`, 'failed');
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
