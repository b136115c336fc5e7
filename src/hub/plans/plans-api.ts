import { defined } from '../../base/defined.ts';
import { nextStep } from '../../base/remedy-command.ts';
import { PlugError, toPlugError } from '../../base/errors.ts';
import { isDangerousVariable } from '../../connections/processes/dangerous-variables.ts';
import { featuredLookup } from '../../servers/featured.ts';
import { parsePaste } from '../../servers/paste/parse-paste.ts';
import type { Paste, PastedServer } from '../../servers/paste/paste.ts';
import { pinPlan } from '../../servers/plans/pin.ts';
import { httpProbe, probePlan } from '../../servers/plans/probe.ts';
import { renderPlan } from '../../servers/plans/render.ts';
import type { FoundServer } from '../../servers/registry/merge.ts';
import type { RegistryAnswer } from '../../servers/registry/search.ts';
import type { DeclinedServer, OfferedPlan, PlanOffer, PlanRequest } from '../hub.ts';
import { install } from './install-plan.ts';
import { type MadePlan, planFromPaste } from './plan-pasted.ts';
import { planFromName, planFromRef, planFromWords, type RefAnswer, type RefOptions } from './plan-refs.ts';
import { isRemoteOnly } from '../../base/remote-only.ts';
import { readImage, recognise } from './recognize.ts';
import { tryPlan } from './try-plan.ts';
import type { Workspace } from '../workspace.ts';
import type { PlanCore } from './open.ts';
import type { Implementations } from '../operations/table.ts';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { planBundle } from '../../servers/plans/bundle.ts';
import { fetchBundle } from '../../servers/plans/fetch-bundle.ts';
import { unpackBundle } from '../../servers/plans/unpack-bundle.ts';

export function plansOf(core: PlanCore, workspace: Workspace): Implementations['plans'] {
  return {
    make: (request, { signal }) => make(core, workspace, request, signal),
    unpack: async ({ plan }, { signal }) => offer(core, await unpack(core, core.plans.take(plan), signal)),
    install: async ({ plan, ...request }, options) =>
      install(core, workspace, { made: core.plans.take(plan), request, options }),
    try: async ({ plan, ...request }, options) =>
      tryPlan(core, workspace, { made: core.plans.take(plan), request, options }),
    recognise: async ({ text }) => recognise(text, { remoteOnly: isRemoteOnly(core.options.env) }),
    readImage: ({ image }, { signal }) => readImage(image, { limits: core.limits, signal }),
  };
}

async function make(
  core: PlanCore,
  workspace: Workspace,
  request: PlanRequest,
  signal: AbortSignal | undefined,
): Promise<PlanOffer> {
  const remoteOnly = request.remoteOnly === true || isRemoteOnly(core.options.env);
  const text = request.text.trim();
  const paste = parsePaste(request.text, { remoteOnly, featured: featuredLookup });
  const options: RefOptions = {
    checks: { isDangerousVariable },
    remoteOnly,
    offline: request.offline ?? false,
    signal,
  };
  const plans: OfferedPlan[] = [];
  const declined: DeclinedServer[] = [];
  const choices: FoundServer[] = [];
  const registries: RegistryAnswer[] = [];
  const origin = LINK.test(paste.format) ? 'link' : 'paste';
  const named = REGISTRY_NAME.test(text);
  const understood = named || (paste.servers.length === 0 && isWish(text, paste));
  const wish: PastedServer = { name: text, transport: null, needs: [], extra: {} };
  for (const server of understood ? [wish] : paste.servers) {
    const label = server.name ?? server.url ?? server.command ?? 'server';
    try {
      const answer = await answerFor(server);
      if (answer.kind === 'choose') {
        choices.push(...answer.choices);
        registries.push(...answer.registries);
        continue;
      }
      if (request.origin === 'file') refuseDangerous(answer.made);
      plans.push(offer(core, await finished(core, answer.made, options)));
    } catch (error) {
      if (signal?.aborted) throw error;
      const { code, message: why, owner, remedy } = toPlugError(error);
      declined.push({ name: label, code, why, owner, ...nextStep(remedy) });
    }
  }
  const { format, problems, repair, notMcp } = paste;
  return {
    format: understood ? 'plain words' : format,
    problems: understood ? [] : problems,
    ...(repair ? { repair } : {}),
    ...(notMcp === undefined || understood ? {} : { notMcp }),
    plans,
    declined,
    choices,
    registries,
  };

  async function answerFor(server: PastedServer): Promise<RefAnswer> {
    if (named) return await planFromName(core, text, server, options);
    if (understood) return await planFromWords(core, text, options);
    if (server.declined !== undefined) throw new PlugError('denied', server.declined, { owner: 'you' });
    const { ref } = server;
    const whole = server.url !== undefined || server.command !== undefined;
    if (ref && (!whole || ref.kind === 'featured')) return await planFromRef(core, ref, server, options);
    const { checks } = options;
    return { kind: 'plan', made: planFromPaste(server, { origin, checks, folder: workspace.folder }) };
  }
}

/** Formats of links that install a server with one click: anyone can make one. */
const LINK = /^(?!a link to).*\blink\b/i;

/** `io.github.acme/files`: a server by its full name, never a wish that happens to hold a known word. */
const REGISTRY_NAME = /^[A-Za-z0-9][\w.-]*\/[\w.-]+$/;

/** A few words that name nothing we know: registries may. */
function isWish(text: string, { notMcp }: Paste): boolean {
  return notMcp === undefined && text.length <= 200 && /^[\p{L}\p{N}][\p{L}\p{N} ,.'@/_-]*$/u.test(text);
}

/** Exact version and sign-in, as far as they can be told without running anything. */
async function finished(core: PlanCore, made: MadePlan, { offline, signal }: RefOptions): Promise<MadePlan> {
  if (offline) return made;
  const plan = await pinned(core, made, signal);
  // The author of a link must not learn that it is looked at.
  if (plan.untrusted || plan.auth.kind !== 'unknown') return { ...made, plan };
  const fetch = plan.source.kind === 'manual' ? core.outgoing.open : core.outgoing.guarded;
  const probe = httpProbe({ fetch, limits: core.limits });
  return { ...made, plan: await probePlan(plan, probe, signal ? { signal } : {}) };
}

async function pinned(
  core: PlanCore,
  { plan }: MadePlan,
  signal: AbortSignal | undefined,
): Promise<MadePlan['plan']> {
  const { package: pack } = plan;
  if (pack === undefined || (pack.registry !== 'npm' && pack.registry !== 'pypi')) return plan;
  try {
    return await pinPlan(plan, core.packages, { signal });
  } catch (error) {
    const failure = toPlugError(error);
    // No network is no reason to refuse: the plan then says that the version is not known.
    if (failure.code !== 'unreachable' || signal?.aborted) throw error;
    const reason = failure.message.replace(/\.+$/, '');
    const message = `Which version runs could not be looked up, and may change from day to day: ${reason}.`;
    const others = plan.warnings.filter(({ kind }) => kind !== 'unpinned');
    return { ...plan, warnings: [...others, { kind: 'unpinned', message }] };
  }
}

function refuseDangerous({ plan }: MadePlan): void {
  const dangerous = plan.warnings.find(({ kind }) => kind === 'dangerous-variable');
  if (!dangerous) return;
  const why = `“${plan.title}” is not added from a file. ${dangerous.message}`;
  const remedy = 'If you trust it, type its command and variables yourself.';
  throw new PlugError('denied', why, { owner: 'you', remedy });
}

function offer(core: PlanCore, made: MadePlan): OfferedPlan {
  const { plan, given, publisher, docs } = made;
  const open = plan.form.filter((field) => field.required && field.default === undefined);
  const needs = open.map(({ id }) => id).filter((id) => !Object.hasOwn(given, id));
  return {
    plan: core.plans.put(made),
    server: plan.id,
    view: renderPlan(plan),
    needs,
    bundle: plan.target.kind === 'bundle',
    ...defined({ publisher, docs }),
  };
}

async function unpack(core: PlanCore, made: MadePlan, signal: AbortSignal | undefined): Promise<MadePlan> {
  const { target } = made.plan;
  if (target.kind !== 'bundle') return made;
  const { limits, clock, options, outgoing } = core;
  const { url, sha256 } = target;
  const fetching = { fetch: outgoing.download, limits, ...defined({ signal }) };
  const bytes = await fetchBundle({ url, sha256 }, fetching);
  const parent = join(options.paths.data, 'bundles');
  const { folder, manifest, isNew } = await unpackBundle(bytes, { parent, sha256, limits, clock, signal });
  const { platform = process.platform } = options;
  const bundle = { folder, manifest, platform, home: homedir() };
  try {
    return { ...made, plan: planBundle(made.plan, bundle, { isDangerousVariable }) };
  } catch (error) {
    // What cannot be used does not stay on the disk, unless a server runs from it.
    if (isNew) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
