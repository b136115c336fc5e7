import { canonicalJson } from '../../base/json.ts';
import { PlugError, toPlugError } from '../../base/errors.ts';
import { defined } from '../../base/defined.ts';
import { diffFromPin, hashTool, pinnedText } from '../../catalog/pin.ts';
import { diffTools, type Manifest, type RawTool } from '../../connections/manifest.ts';
import { fingerprintOf, type ServerDefinition } from '../../servers/definition.ts';
import { runningPackage, withVersion } from '../../servers/plans/running-package.ts';
import type { Core } from '../core.ts';
import type { UpdateOutcome, UpdatePlan } from '../hub.ts';
import { lifecycleOf } from '../lifecycle.ts';
import { checkRemoteOnly } from '../remote-only.ts';
import { tryServer } from '../try-server.ts';
import { serverKey, type Workspace } from '../workspace.ts';

interface MadeUpdate {
  readonly server: string;
  /** As it was when the plan was made: one that changed since is not updated. */
  readonly from: ServerDefinition;
  readonly to: ServerDefinition;
  /** What the new version offers, as it was shown. */
  readonly tools: readonly RawTool[];
  readonly versions: Pick<UpdatePlan, 'from' | 'to'>;
}

/** Updates that were shown, to be taken by id: nobody agrees to one and gets another. */
export class UpdateShelf {
  readonly #core: Pick<Core, 'clock' | 'ids' | 'limits'>;
  readonly #kept = new Map<string, { readonly made: MadeUpdate; readonly until: number }>();

  constructor(core: Pick<Core, 'clock' | 'ids' | 'limits'>) {
    this.#core = core;
  }

  put(made: MadeUpdate): string {
    const { clock, ids, limits } = this.#core;
    const id = ids.next('update');
    this.#kept.set(id, { made, until: clock.monotonic() + limits.planKeptMs });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > limits.plansKeptMax && oldest !== undefined) this.#kept.delete(oldest);
    return id;
  }

  take(id: string): MadeUpdate {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    if (kept && kept.until > this.#core.clock.monotonic()) return kept.made;
    const remedy = 'Create it again and review it.';
    throw new PlugError('not_found', 'This update has expired.', { owner: 'you', remedy });
  }
}

interface Wanted {
  readonly server: string;
  readonly version: string | undefined;
  readonly options: {
    readonly signal?: AbortSignal;
    readonly onProgress?: (progress: { readonly text: string }) => void;
  };
}

/** Starts the new version beside the one that is there, and says what would change. Saves nothing. */
export async function planUpdate(
  core: Core,
  workspace: Workspace,
  shelf: UpdateShelf,
  { server, version, options }: Wanted,
): Promise<UpdatePlan> {
  const { signal, onProgress } = options;
  const { definition } = workspace.resolved(server);
  checkOurs(definition);
  checkRemoteOnly(core, definition);
  const pack = runningPackage(definition);
  onProgress?.({ text: `Looking for ${version ?? 'the newest version'}` });
  const facts = await core.versions.check(serverKey(definition), definition, defined({ version, signal }));
  const found = facts?.version;
  if (!pack || !facts) {
    const why = `${server} isn't started from a package index that can be asked for versions.`;
    throw new PlugError('unsupported', why, { owner: 'you', server });
  }
  const next = found === undefined ? undefined : withVersion(definition, found, facts.integrity);
  if (found === undefined || !next) {
    const why = `There is no ${version === undefined ? 'version' : `version ${version}`} of ${pack.name}.`;
    throw new PlugError('not_found', why, { owner: 'you', server, remedy: { do: 'update' } });
  }
  if (pack.version === found) {
    const why = `${server} runs ${pack.name} ${found} already.`;
    throw new PlugError('already_exists', why, { owner: 'you', server, details: { version: found } });
  }
  const before = await toolsNow(core, workspace, definition, signal);
  onProgress?.({ text: `Starting ${pack.name} ${found}` });
  const after = await tryVersion(core, workspace, next, options);
  const versions = { from: pack.version ?? before?.reported ?? 'unpinned', to: found };
  const update = shelf.put({ server, from: definition, to: next, tools: after.tools, versions });
  const deprecated = facts.deprecated === undefined ? [] : [`${found} is deprecated: ${facts.deprecated}`];
  return {
    update,
    server,
    ...versions,
    compared: before !== undefined,
    ...differences(before?.tools, after.tools),
    warnings: deprecated,
  };
}

/** A definition in a file is its owner's; one that follows a file is changed there. */
function checkOurs({ id, source, follow }: ServerDefinition): void {
  const file = follow?.file ?? (source.kind === 'file' ? source.file : undefined);
  if (file === undefined) return;
  const why = `${id} is defined in ${file}, which Plugboard doesn’t change.`;
  const remedy = { do: 'edit-server', server: id, field: 'args', file } as const;
  throw new PlugError('usage', why, { owner: 'you', server: id, remedy });
}

/** What it offers now; it is started if that is not known. A server that does not start can still be updated. */
async function toolsNow(
  core: Core,
  workspace: Workspace,
  definition: ServerDefinition,
  signal: AbortSignal | undefined,
): Promise<{ readonly tools: readonly RawTool[]; readonly reported?: string } | undefined> {
  const key = serverKey(definition);
  const known = (): Manifest | undefined => {
    const manifest = core.pool.manifest(key);
    return manifest?.fingerprint === fingerprintOf(definition) ? manifest : undefined;
  };
  if (!known()) {
    const start = lifecycleOf(core, workspace).start({ id: definition.id }, signal ? { signal } : {});
    await start.catch(() => undefined);
  }
  const { tools, serverInfo } = known() ?? {};
  if (!tools) return undefined;
  const reported = serverInfo?.['version'];
  return { tools, ...(typeof reported === 'string' ? { reported } : {}) };
}

async function tryVersion(
  core: Core,
  workspace: Workspace,
  definition: ServerDefinition,
  { signal, onProgress }: Wanted['options'],
): Promise<Manifest> {
  const { id: server } = definition;
  const options = {
    ...defined({ signal }),
    onProgress: ({ text }: { text: string }) => onProgress?.({ text }),
  };
  try {
    return await tryServer(core, workspace, { filled: { definition, secrets: [] }, options }, ({ key }) => {
      const manifest = core.pool.manifest(key);
      if (manifest) return Promise.resolve(manifest);
      const why = `Its tools are known only after a sign-in. Nothing was changed.`;
      throw new PlugError('sign_in_needed', why, { owner: 'you', server, remedy: { do: 'sign-in', server } });
    });
  } catch (error) {
    const { code, owner, message, remedy, details } = toPlugError(error);
    if (code === 'cancelled' || code === 'sign_in_needed') throw error;
    throw new PlugError(code, `${message} ${server} is unchanged.`, {
      owner,
      server,
      remedy: code === 'missing_input' ? remedy : 'Keep this version, or contact its author.',
      details: { ...details },
      cause: error,
    });
  }
}

function differences(
  before: readonly RawTool[] | undefined,
  after: readonly RawTool[],
): Pick<UpdatePlan, 'added' | 'removed' | 'changed'> {
  if (!before) return { added: [], removed: [], changed: [] };
  const { added, removed, changed } = diffTools({ tools: before }, { tools: after });
  const byName = (tools: readonly RawTool[], name: string): RawTool =>
    tools.find((tool) => tool.name === name) ?? { name };
  return {
    added,
    removed,
    changed: changed.flatMap((tool) => {
      const fields = diffFromPin({ definition: pinnedText(byName(before, tool)) }, byName(after, tool));
      return fields.length === 0 ? [] : [{ tool, fields }];
    }),
  };
}

/** Saves the new version. Pins and trust go along: the person saw what changes and agreed. */
export async function applyUpdate(
  core: Core,
  workspace: Workspace,
  { server, from, to, tools, versions }: MadeUpdate,
): Promise<UpdateOutcome> {
  const { storage, owner, decisions } = core;
  const { definition } = workspace.resolved(server);
  if (canonicalJson(definition) !== canonicalJson(from)) {
    const why = `${server} was changed while you reviewed the update. Nothing was changed.`;
    throw new PlugError('denied', why, { owner: 'you', server, remedy: { do: 'update', server } });
  }
  const key = serverKey(definition);
  const { trust, settings } = decisions.known;
  const [was, becomes] = [fingerprintOf(from), fingerprintOf(to)];
  const grants = (await decisions.grants.list({ server: key })).length;
  const change = await core.changes.begin({ kind: 'update', names: [server], servers: [server] });
  try {
    const kept = (await storage.policy.listServerTrust(owner)).find((row) => row.server === key);
    const pinned = tools.filter(({ name, ...rest }) => {
      const pin = settings.pin(key, name);
      return pin !== undefined && pin.hash !== hashTool({ name, ...rest });
    });
    const stored = await storage.servers.getServer(owner, server);
    await storage.servers.putServer(owner, {
      ...(stored ?? to),
      endpoint: to.endpoint,
      ...defined({ package: to.package }),
    });
    // Exactly the definitions that were shown: if the server offers others then, they wait for approval.
    await settings.approve(
      key,
      pinned.map((definition) => ({ name: definition.name, definition })),
    );
    if (kept?.fingerprint === was) await trust.keep(key, becomes, kept.source);
    await workspace.changed();
  } finally {
    await change.finish();
  }
  await lifecycleOf(core, workspace).ensureStarted({ ids: [server] });
  const warnings = grants === 0 ? [] : ['Grants applied to the previous version: calls ask again.'];
  return { server, ...versions, change: change.id, warnings };
}
