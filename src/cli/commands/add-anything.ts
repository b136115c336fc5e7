import { defined } from '../../base/defined.ts';
import { PlugError, toPlugError, type ErrorView } from '../../base/errors.ts';
import type { InstallOutcome, OfferedPlan, PlanOffer } from '../../hub/plans.ts';
import { pickOne, tick } from '../choose.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-codes.ts';
import { cancelled, usage, userError } from '../failures.ts';
import { FAILED, faint } from '../output.ts';
import type { PasteInput } from '../paste-input.ts';
import { renderOffer, renderPasteNotes, renderTrust } from '../render/plan.ts';
import { askYesNo, type Flags, type HubSession, type Session } from '../session.ts';
import { fillNeeds, type TypedValues } from './add-words.ts';
import { failureOf, renderFound, renderRegistries } from './search.ts';

export interface AnythingArgs extends TypedValues, Flags<'replace' | 'yes' | 'offline'> {
  readonly input: PasteInput;
  readonly name: string | undefined;
  readonly test: boolean;
  readonly remoteOnly: boolean;
}

export async function addAnything(args: AnythingArgs, session: HubSession): Promise<ExitCode> {
  const offer = await makeOffer(args, session);
  renderPasteNotes(offer, session.out);
  if (offer.repair) await agreeToRepair(offer, args, session);
  for (const { name, why } of offer.declined)
    if (offer.plans.length > 0 && !session.out.json) session.out.note(FAILED, `${name}: ${why}`);
  if (offer.plans.length === 0) throw nothingToAdd(offer, args.input);
  const chosen = await choosePlans(offer, args, session);
  const [only] = chosen;
  if (chosen.length === 1 && only) {
    const added = await addOne(only, args, session);
    session.out.document({ ...added, ...leftOver(offer) });
    return added.signIn ? exitCodes.signInRequired : exitCodes.ok;
  }
  return await addMany(chosen, offer, args, session);
}

async function makeOffer(args: AnythingArgs, session: HubSession): Promise<PlanOffer> {
  const { input, remoteOnly, offline = false } = args;
  const { hub, out, signal, terminal } = session;
  const origin = input.from === 'file' ? 'file' : 'paste';
  const offer = await out.working('Reading it', () =>
    hub.plans.make({ text: input.text, origin, remoteOnly, offline }, { signal }),
  );
  if (offer.plans.length > 0 || offer.choices.length === 0) return offer;
  if (!terminal.interactive || args.yes) {
    renderFound(offer.choices, out);
    renderRegistries(offer.registries, out);
    return offer;
  }
  const labels = offer.choices.map(
    ({ name, description, sources }) => `${name} (${sources.join('+')}) ${description}`,
  );
  const picked = await pickOne(session, labels, 'Which one?');
  const choice = picked === undefined ? undefined : offer.choices[picked];
  if (!choice) throw nothingAdded();
  return await hub.plans.make({ text: choice.name, remoteOnly, offline }, { signal });
}

/** A guess about damaged text is used only with a yes. */
async function agreeToRepair({ repair }: PlanOffer, { yes }: AnythingArgs, session: Session): Promise<void> {
  if (yes || !repair) return;
  if (!session.terminal.interactive) {
    throw userError('approval_required', 'The text is damaged; how it was read needs your yes.', {
      remedy: 'Add --yes to use it as it was read, or correct the text.',
      details: { repair },
    });
  }
  session.out.quote(repair.text, { beside: true });
  if (!(await askYesNo(session, 'Use it as it was read?', 'yes'))) throw nothingAdded();
}

async function choosePlans({ plans }: PlanOffer, { yes, name }: AnythingArgs, session: Session) {
  if (plans.length === 1) return plans;
  if (name !== undefined) throw usage(`--name is for one server, and these are ${plans.length}.`);
  if (yes) return plans;
  const label = ({ server, view }: OfferedPlan): string =>
    `${server}  ${view.command ?? view.url ?? view.summary}`;
  if (!session.terminal.interactive) {
    const names = plans.map(({ server }) => server).join(', ');
    throw userError('approval_required', `This names ${plans.length} servers: ${names}.`, {
      remedy: 'Add --yes to add all of them.',
      details: { servers: plans.map(({ server, view }) => ({ server, summary: view.summary })) },
    });
  }
  const chosen = await tick(session, { items: plans, label, ticked: ({ view }) => !view.untrusted });
  if (chosen.length === 0) throw nothingAdded();
  return chosen;
}

async function addMany(
  chosen: readonly OfferedPlan[],
  offer: PlanOffer,
  args: AnythingArgs,
  session: HubSession,
): Promise<ExitCode> {
  const added: Added[] = [];
  const failed: { server: string; error: ErrorView }[] = [];
  for (const plan of chosen) {
    try {
      added.push(await addOne(plan, args, session));
    } catch (error) {
      if (session.signal.aborted) throw error;
      const failure = toPlugError(error);
      failed.push({ server: plan.server, error: failure.toView() });
      if (session.out.json) continue;
      session.out.note(FAILED, `${plan.server}: ${failure.message}`);
      if (failure.next !== undefined) session.out.note(faint('  next   '), failure.next);
    }
  }
  session.out.document({ added, failed, ...leftOver(offer) });
  const [first] = failed;
  if (first) return exitCodeOf(first.error.code);
  return added.some(({ signIn }) => signIn) ? exitCodes.signInRequired : exitCodes.ok;
}

type Added = InstallOutcome & { readonly plan: OfferedPlan['view'] };

async function addOne(offered: OfferedPlan, args: AnythingArgs, session: HubSession): Promise<Added> {
  const { hub, out, signal } = session;
  const { test, replace = false } = args;
  const { home } = await hub.status();
  let offer = offered;
  const id = args.name ?? offer.server;
  renderOffer(offer, { test, home, id }, out);
  await agree(offer, args, session, offer.bundle ? `Download and check ${id}?` : `Add ${id}?`);
  if (offer.bundle) {
    const { plan } = offer;
    offer = await out.working(`Downloading ${id}`, () => hub.plans.unpack({ plan }, { signal }));
    renderOffer(offer, { test, home, id }, out);
    await agree(offer, args, session, `Add ${id}?`);
  }
  const filled = await fillNeeds(offer, args, session);
  const request = { plan: offer.plan, id, ...filled, test, replace };
  const outcome = await out.working(`${test ? 'Trying' : 'Saving'} ${id}`, () =>
    hub.plans.install(request, { signal }),
  );
  out.line({ style: outcome.signIn ? 'warn' : 'good', text: outcome.signIn ? '● ' : '✔ ' }, outcome.summary);
  if (!outcome.signIn) renderTrust(outcome.server, out);
  const kept = outcome.secrets.length;
  if (kept > 0) out.line(faint(`  ${kept === 1 ? 'Its key is' : `Its ${kept} keys are`} in the vault.`));
  out.line(faint(outcome.signIn ? `Next: plug auth ${id}` : `Next: plug tools ${id}`));
  return { ...outcome, plan: offer.view };
}

/** Without a terminal the typed command is the yes, but never for what a stranger put together. */
async function agree({ view }: OfferedPlan, { yes }: AnythingArgs, session: Session, question: string) {
  if (yes) return;
  if (session.terminal.interactive) {
    if (await askYesNo(session, question, view.defaultAnswer)) return;
    throw nothingAdded();
  }
  if (view.defaultAnswer === 'yes') return;
  throw userError('approval_required', `${view.summary} That needs your yes.`, {
    remedy: 'Look at the plan, then add --yes.',
    details: { plan: view },
  });
}

function leftOver({ declined, problems, repair }: PlanOffer): object {
  const unlessEmpty = <T>(list: readonly T[]): readonly T[] | undefined =>
    list.length > 0 ? list : undefined;
  return defined({ declined: unlessEmpty(declined), problems: unlessEmpty(problems), repair });
}

const SEARCH = 'plug search WORDS, or paste its address, command or config.';

function nothingAdded(): PlugError {
  return cancelled('Nothing was added.');
}

function nothingToAdd(offer: PlanOffer, { file }: PasteInput): PlugError {
  const { declined, choices, registries, problems, notMcp, format } = offer;
  const [first] = declined;
  if (first) {
    const more = declined.length > 1 ? ` ${declined.length - 1} more were declined, too.` : '';
    return new PlugError(first.code, first.why + more, {
      owner: first.owner,
      details: { declined },
      remedy: first.remedy,
    });
  }
  const [choice] = choices;
  if (choice) {
    const some = choices.length === 1 ? 'a server that' : `${choices.length} servers, one of which`;
    return userError('not_found', `Registries list ${some} may be meant. Nothing was added.`, {
      remedy: { do: 'add-server', name: choice.name },
      details: { choices: choices.map(({ name, description }) => ({ name, description })) },
    });
  }
  const failed = registries.filter(({ state }) => state === 'failed');
  const silent = failed.map(failureOf).join(' ');
  const problem = problems.find(({ severity }) => severity === 'error');
  const where = file === undefined ? '' : ` in ${file}`;
  const none = format === 'plain words' ? 'No server of that name is known.' : `No server was found${where}.`;
  const message = notMcp ?? problem?.message ?? none;
  return userError('not_found', [message, silent].filter((part) => part !== '').join(' '), {
    remedy: problem?.remedy ?? { do: 'type', line: SEARCH },
    details: { problems, registries },
  });
}
