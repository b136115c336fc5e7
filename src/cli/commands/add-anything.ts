import { dirname } from 'node:path';
import { defined } from '../../base/defined.ts';
import { PlugError, toPlugError, type ErrorView } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { PlanRequest } from '../../hub/hub.ts';
import type { InstallOutcome, OfferedPlan, PlanOffer } from '../../hub/plans.ts';
import { pickOne, tick } from '../choose.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../exit-codes.ts';
import { cancelled, usage, userError } from '../failures.ts';
import { FAILED, WARNING, faint } from '../output.ts';
import type { PasteInput } from '../paste-input.ts';
import { renderOffer, renderPasteNotes, renderTrust } from '../render/plan.ts';
import { askYesNo, type Flags, type HubSession, type Session } from '../session.ts';
import { fillNeeds, type TypedValues } from './fill-needs.ts';
import { nextAddLine } from './next-add.ts';
import { failureOf, renderFound, renderRegistries } from './search.ts';
import { stepText } from '../render/error.ts';

export type TypedEntry = NonNullable<PlanRequest['entry']>;

export interface AnythingArgs extends TypedValues, Flags<'replace' | 'yes' | 'offline'> {
  readonly input: PasteInput;
  /** In place of an input: a name with a command or an address. */
  readonly entry?: TypedEntry;
  /** What was typed, for a command that can be typed next. */
  readonly argv: readonly string[];
  readonly name: string | undefined;
  readonly test: boolean;
  readonly remoteOnly: boolean;
}

export async function addAnything(args: AnythingArgs, session: HubSession): Promise<ExitCode> {
  const offer = await makeOffer(args, session);
  const told = toldByFailure(offer);
  renderPasteNotes(
    {
      ...offer,
      problems: offer.problems.filter((problem) => problem !== told),
      ...(offer.plans.length > 0 ? {} : { notMcp: undefined }),
    },
    session.out,
  );
  if (offer.repair) await agreeToRepair(offer, args, session);
  for (const { name, why } of offer.declined)
    if (offer.plans.length > 0 && !session.out.json) session.out.note(FAILED, `${name}: ${why}`);
  if (offer.plans.length === 0) throw nothingToAdd(offer, args.input);
  const picked = await choosePlans(offer, args, session);
  const chosen = [];
  for (const plan of picked) chosen.push(await chooseWay(plan, args, session));
  const [only] = chosen;
  if (chosen.length === 1 && only) {
    const added = await addOne(only, args, session);
    session.out.document({ ...added, ...leftOver(offer) });
    return added.signIn ? exitCodes.signInRequired : exitCodes.ok;
  }
  return await addMany(chosen, offer, args, session);
}

async function makeOffer(args: AnythingArgs, session: HubSession): Promise<PlanOffer> {
  const { input, entry, remoteOnly, offline = false } = args;
  const { hub, out, signal, terminal } = session;
  const origin = input.from === 'file' ? 'file' : 'paste';
  const folder = input.file === undefined ? {} : { folder: dirname(input.file) };
  const offer = await out.working('Reading', () =>
    hub.plans.make(
      { text: input.text, origin, remoteOnly, offline, ...folder, ...defined({ entry }) },
      { signal },
    ),
  );
  if (offer.plans.length > 0 || offer.choices.length === 0) return offer;
  if (!terminal.interactive || args.yes) {
    renderFound(offer.choices, out);
    renderRegistries(offer.registries, out);
    return offer;
  }
  const labels = offer.choices.map(
    ({ address, description, sources }) => `${address} (${sources.join('+')}) ${description}`,
  );
  const picked = await pickOne(session, labels, 'Which one?');
  const choice = picked === undefined ? undefined : offer.choices[picked];
  if (!choice) throw nothingAdded();
  return await hub.plans.make({ text: choice.address, remoteOnly, offline }, { signal });
}

/** A guess about damaged text is used only with a yes. */
async function agreeToRepair({ repair }: PlanOffer, { yes }: AnythingArgs, session: Session): Promise<void> {
  if (yes || !repair) return;
  if (!session.terminal.interactive) {
    throw userError('approval_required', 'The text is damaged; the repair needs your confirmation.', {
      remedy: 'Add --yes to use the repaired text, or correct it yourself.',
      details: { repair },
    });
  }
  session.out.quote(mendedText(repair), { beside: true });
  if (!(await askYesNo(session, 'Use the repaired text?', 'yes'))) throw nothingAdded();
}

/** Only the lines that change, as a diff. */
function mendedText({ lines }: NonNullable<PlanOffer['repair']>): string {
  const width = String(lines.at(-1)?.line ?? 0).length;
  return lines
    .flatMap(({ line, before, after }) => {
      const place = String(line).padStart(width);
      return [
        ...(before === undefined ? [] : [`${place} - ${before}`]),
        ...(after === undefined ? [] : [`${place} + ${after}`]),
      ];
    })
    .join('\n');
}

async function choosePlans({ plans }: PlanOffer, { yes, name }: AnythingArgs, session: Session) {
  if (plans.length === 1) return plans;
  if (name !== undefined) throw usage(`--name works with one server, but this names ${plans.length}.`);
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

/** The plan itself comes first: it asks for least of what works here. */
async function chooseWay(plan: OfferedPlan, { yes }: AnythingArgs, session: Session): Promise<OfferedPlan> {
  const { alternatives = [] } = plan;
  if (alternatives.length === 0) return plan;
  const ways = [plan, ...alternatives];
  const labels = ways.map(({ view, needs }) => {
    const asks =
      needs.length === 0
        ? ''
        : `  (asks for ${view.form
            .filter(({ id }) => needs.includes(id))
            .map(({ label }) => label)
            .join(', ')})`;
    return `${view.command ?? view.url ?? view.summary}${asks}`;
  });
  const { out } = session;
  if (yes || !session.terminal.interactive) {
    if (out.json) return plan; // they are part of the document
    out.note(
      faint(
        `This gives ${ways.length} ways to run ${plan.server}; this is the simplest. To use another, paste only that one:`,
      ),
    );
    for (const label of labels.slice(1)) out.note(faint(`  ${label}`));
    return plan;
  }
  out.note(`This gives ${ways.length} ways to run ${plan.server}. The first is the simplest.`);
  const picked = await pickOne(session, labels, 'Which one?', { preset: 0 });
  const way = picked === undefined ? undefined : ways[picked];
  if (!way) throw nothingAdded();
  return way;
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
      if (failure.next !== undefined) session.out.note(faint('  next   '), stepText(failure.next));
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
  const { test } = args;
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
  const { outcome, shown } = await installAsking(offer, args, session, id);
  out.line({ style: outcome.signIn ? 'warn' : 'good', text: outcome.signIn ? '● ' : '✔ ' }, outcome.summary);
  if (!outcome.signIn) renderTrust(outcome.server, out);
  const kept = outcome.secrets.length;
  if (kept > 0) out.line(faint(`  ${kept === 1 ? 'Its key is' : `Its ${kept} keys are`} in the vault.`));
  const saved = outcome.server.id;
  out.line(faint(outcome.signIn ? `Next: plug auth ${saved}` : `Next: plug tools ${saved}`));
  return { ...outcome, plan: shown.view };
}

/** What a server turns out to need when it is tried is asked for, and then it is tried again. */
async function installAsking(
  offered: OfferedPlan,
  args: AnythingArgs,
  session: HubSession,
  id: string,
): Promise<{ readonly outcome: InstallOutcome; readonly shown: OfferedPlan }> {
  const { hub, out, signal } = session;
  const { test, replace = false } = args;
  let shown = offered;
  let filled = await fillNeeds(shown, args, session);
  for (;;) {
    const request = { plan: shown.plan, id, ...filled, test, replace };
    try {
      const outcome = await out.working(`${test ? 'Trying' : 'Saving'} ${id}`, (say) =>
        hub.plans.install(request, { signal, onProgress: ({ kind, text }) => kind === 'step' && say(text) }),
      );
      return { outcome, shown };
    } catch (error) {
      const next = offerIn(error);
      if (next === undefined) throw withNextLine(error, args, shown);
      const before = filled;
      if (session.terminal.interactive) out.note(WARNING, toPlugError(error).message);
      shown = next;
      filled = await fillNeeds(shown, args, session, before);
    }
  }
}

/** The command that was typed, with the option that lets it through: replace what is there, or don't try it. */
function withNextLine(error: unknown, { argv }: AnythingArgs, { view }: OfferedPlan): unknown {
  const failure = toPlugError(error);
  const { code, message, owner, server, details, remedy } = failure;
  const isThere = code === 'already_exists' && details?.['file'] === undefined;
  const flag = isThere ? '--replace' : remedy?.do === 'skip-test' ? '--no-test' : undefined;
  if (flag === undefined) return error;
  const dashes = argv.indexOf('--');
  const at = dashes < 0 ? argv.length : dashes;
  const line = nextAddLine([...argv.slice(0, at), flag, ...argv.slice(at)], [], view.form);
  return new PlugError(code, message, {
    owner,
    remedy: { do: 'type', line },
    cause: error,
    ...defined({ server, details }),
  });
}

/** The plan with fields for what was missing, as the failure brings it. */
function offerIn(error: unknown): OfferedPlan | undefined {
  const offer = error instanceof PlugError ? error.details?.['offer'] : undefined;
  // Made by the hub of this very version.
  return isObject(offer) ? (offer as unknown as OfferedPlan) : undefined;
}

/** Without a terminal the typed command is the yes, but never for what a stranger put together. */
async function agree({ view }: OfferedPlan, { yes }: AnythingArgs, session: Session, question: string) {
  if (yes) return;
  if (session.terminal.interactive) {
    if (await askYesNo(session, question, view.defaultAnswer)) return;
    throw nothingAdded();
  }
  if (view.defaultAnswer === 'yes') return;
  throw userError('approval_required', `${view.summary} Confirm it first.`, {
    remedy: 'Review the plan, then add --yes.',
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

/** The problem that the failure itself will tell, so that it is said once. */
function toldByFailure({ plans, declined, choices, problems, notMcp }: PlanOffer) {
  if (plans.length + declined.length + choices.length > 0 || notMcp !== undefined) return undefined;
  return problems.find(({ severity }) => severity === 'error');
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
      remedy: { do: 'add-server', name: choice.address },
      details: { choices: choices.map(({ address, name, description }) => ({ address, name, description })) },
    });
  }
  const failed = registries.filter(({ state }) => state === 'failed');
  const silent = failed.map(failureOf).join(' ');
  const problem = toldByFailure(offer);
  const where = file === undefined ? '' : ` in ${file}`;
  const none = format === 'plain words' ? 'No server of that name is known.' : `No server was found${where}.`;
  const line = problem?.line === undefined ? '' : `Line ${problem.line}: `;
  const message = notMcp ?? (problem ? line + problem.message : none);
  // What a registry that could not be asked lists is not known.
  const code = failed.length > 0 && format === 'plain words' ? 'unreachable' : 'not_found';
  return userError(code, [message, silent].filter((part) => part !== '').join(' '), {
    remedy: problem?.remedy ?? { do: 'type', line: SEARCH },
    details: { problems, registries },
  });
}
