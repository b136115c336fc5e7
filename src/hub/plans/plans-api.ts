import { defined } from '../../base/defined.ts';
import { nextStep } from '../../base/remedy-command.ts';
import { PlugError, toPlugError } from '../../base/errors.ts';
import { isDangerousVariable } from '../../connections/processes/dangerous-variables.ts';
import { featuredLookup } from '../../servers/featured.ts';
import { parsePaste } from '../../servers/paste/parse-paste.ts';
import { declinedRemotely } from '../../servers/paste/remote-only.ts';
import type { Paste, PastedServer } from '../../servers/paste/paste.ts';
import { pinPlan } from '../../servers/plans/pin.ts';
import type { AccessPort } from '../../servers/plans/auth.ts';
import { probePlan } from '../../servers/plans/probe.ts';
import type { RegistryEntry } from '../../servers/registry/entry.ts';
import type { FoundServer } from '../../servers/registry/merge.ts';
import type { RegistryAnswer } from '../../servers/registry/search.ts';
import type { DeclinedServer, PlanOffer, PlanRequest } from '../hub.ts';
import { addition } from '../changes/addition.ts';
import { asKnownPackage } from './known-package.ts';
import { install, tryPlan } from './install-plan.ts';
import { offerOf } from './offer.ts';
import { entryPlan } from './plan-entry.ts';
import { type MadePlan, planFromPaste } from './plan-pasted.ts';
import {
  addressIn,
  planFromAddress,
  planFromName,
  planFromRef,
  planFromWords,
  type RefAnswer,
  type RefOptions,
} from './plan-refs.ts';
import { isRemoteOnly } from '../../base/remote-only.ts';
import { readImage, recognize } from './recognize.ts';
import { joinWays, type Way } from './ways.ts';
import { isRunnable } from '../is-runnable.ts';
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
    unpack: async ({ plan }, { signal }) => offerOf(core, await unpack(core, core.plans.take(plan), signal)),
    install: async ({ plan, ...request }, options) => {
      const made = core.plans.take(plan);
      const what = addition(workspace, request.id ?? made.plan.id);
      return await core.changes.during(what, () => install(core, workspace, { made, request, options }));
    },
    try: async ({ plan, ...request }, options) =>
      tryPlan(core, workspace, { made: core.plans.take(plan), request, options }),
    recognize: async ({ text }) => recognize(text, { remoteOnly: isRemoteOnly(core.options.env) }),
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
  const paste = request.entry
    ? typedPaste(request.entry, remoteOnly)
    : parsePaste(request.text, { remoteOnly, featured: featuredLookup });
  const options: RefOptions = {
    checks: { isDangerousVariable },
    remoteOnly,
    offline: request.offline ?? false,
    signal,
  };
  const ways: Way[] = [];
  const declined: DeclinedServer[] = [];
  const choices: FoundServer[] = [];
  const registries: RegistryAnswer[] = [];
  const origin = request.entry ? 'typed' : LINK.test(paste.format) ? 'link' : 'paste';
  const address = request.entry ? undefined : await addressIn(core, text, options);
  const isImage = paste.servers.some(({ ref }) => ref?.kind === 'docker');
  const named = REGISTRY_NAME.test(text) && !request.entry && !isImage;
  const understood = address !== undefined || named || (paste.servers.length === 0 && isWish(text, paste));
  const wish: PastedServer = { name: text, transport: null, needs: [], extra: {} };
  for (const [index, server] of (understood ? [wish] : paste.servers).entries()) {
    const label = server.name ?? server.url ?? server.command ?? 'server';
    try {
      const answer = await answerFor(server);
      if (answer.kind === 'choose') {
        choices.push(...answer.choices);
        registries.push(...answer.registries);
        continue;
      }
      if (request.origin === 'file') refuseDangerous(answer.made);
      if (remoteOnly) refuseLocal(answer.made);
      const made = await finished(core, answer.made, options);
      ways.push({ index, made, offered: offerOf(core, made) });
    } catch (error) {
      if (signal?.aborted) throw error;
      const { code, message: why, owner, remedy } = toPlugError(error);
      declined.push({ name: label, code, why, owner, ...nextStep(remedy) });
    }
  }
  const { format, problems, repair, notMcp, alternatives = [] } = paste;
  const groups = understood ? [] : alternatives;
  const plans = await joinWays(ways, groups, (command) => isRunnable(core, command));
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
    if (address) return await planFromAddress(core, address, options);
    if (named) return await planFromName(core, text, server, options);
    if (understood) return await planFromWords(core, text, options);
    if (server.declined !== undefined) throw new PlugError('denied', server.declined, { owner: 'you' });
    const { ref, listed } = server;
    if (listed) return { kind: 'plan', made: fromDocument(listed, options) };
    const whole = server.url !== undefined || server.command !== undefined;
    if (ref && (!whole || ref.kind === 'featured')) return await planFromRef(core, ref, server, options);
    const { checks } = options;
    const at = request.folder;
    const made = planFromPaste(server, { origin, checks, folder: workspace.folder, at });
    // The name of a link to a package is made of the package's.
    const isNamed = server.name !== null && ref === undefined;
    return { kind: 'plan', made: await asKnownPackage(core, made, { isNamed, options }) };
  }
}

/** A registry's document by paste or file: the plan of its entry, but nobody vouches for where it came from. */
function fromDocument(listed: RegistryEntry, options: RefOptions): MadePlan {
  const made = entryPlan(listed, options);
  return { ...made, plan: { ...made.plan, source: { kind: 'manual', name: listed.name } } };
}

/** A command or an address that somebody typed: read as it stands, with nothing to guess. */
function typedPaste(entry: NonNullable<PlanRequest['entry']>, remoteOnly: boolean): Paste {
  const server: PastedServer = { ...entry, needs: [], extra: {} };
  const declined = remoteOnly ? declinedRemotely(server) : undefined;
  return { format: 'typed', servers: [{ ...server, ...defined({ declined }) }], problems: [] };
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
  const access: AccessPort = (url, options) => core.access(url, { fetch, ...options });
  return { ...made, plan: await probePlan(plan, access, signal ? { signal } : {}) };
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

/** A name or a link may stand for a program, too. Refused before its package is looked up. */
function refuseLocal({ plan }: MadePlan): void {
  const { target, title: name } = plan;
  if (target.kind === 'remote') return;
  const command = target.kind === 'command' ? target.command : 'a bundle';
  const args = plan.package ? [plan.package.name] : [];
  const declined = declinedRemotely({ name, transport: 'stdio', command, args, needs: [], extra: {} });
  throw new PlugError('denied', declined ?? '', { owner: 'you' });
}

function refuseDangerous({ plan }: MadePlan): void {
  const dangerous = plan.warnings.find(({ kind }) => kind === 'dangerous-variable');
  if (!dangerous) return;
  const why = `“${plan.title}” is not added from a file. ${dangerous.message}`;
  const remedy = 'If you trust it, type its command and variables yourself.';
  throw new PlugError('denied', why, { owner: 'you', remedy });
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
