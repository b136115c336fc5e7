import { PlugError } from '../base/errors.ts';
import { packagedRun, type WantedPackage } from '../connections/packages/packaged-run.ts';
import type { InstalledPackage } from '../connections/packages/record.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import type { Core } from './core.ts';
import type { InstallProgress, PackageOutcome } from './hub.ts';
import { checkRemoteOnly } from './remote-only.ts';
import { viewOf } from './views.ts';
import type { Workspace } from './workspace.ts';

interface Request {
  readonly id: string;
  /** A person has said that install scripts may run. */
  readonly scripts: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: InstallProgress) => void) | undefined;
}

/** The definition stays as it is written; only which version is started is kept beside it. */
export async function installPackage(
  core: Core,
  workspace: Workspace,
  request: Request,
): Promise<PackageOutcome> {
  const { id, scripts, signal, onProgress } = request;
  const { definition, key } = workspace.usable(id);
  checkRemoteOnly(core, definition);
  const tell = (text: string): void => onProgress?.({ kind: 'step', text });
  const { wanted, chosen } = await wantedOf(core, definition, { tell, signal });
  const store = await core.packaged.store();
  const found = await store.find(wanted);
  const isThere = found !== undefined && (found.refused === undefined || !scripts);
  const install = (): Promise<InstalledPackage> =>
    store.install({ wanted, server: id, scripts, again: found !== undefined, tell, signal });
  const installed = isThere ? found : await install();
  if (installed.refused !== undefined) throw refused(definition, installed);
  core.packaged.forgetFailures();
  const { registry, name, version, integrity, packages, bytes, scripts: ran } = installed;
  if (chosen) {
    const pinned = { registry, name, version, integrity };
    await core.storage.servers.putOverride(core.owner, { server: definition.id, package: pinned });
    await workspace.changed();
  }
  if (!isThere || chosen) await core.pool.stop(key, 'Its package was installed.', 'USER');
  const server = await viewOf(core, workspace.resolved(id));
  const shown = { registry, name, version, integrity, packages, bytes, ...(ran ? { scripts: ran } : {}) };
  return { server, package: shown, already: isThere };
}

/** An exact version as written or recorded, else the newest one, which is then kept. */
async function wantedOf(
  core: Core,
  { id, endpoint, package: pinned }: ServerDefinition,
  { tell, signal }: { readonly tell: (text: string) => void; readonly signal: AbortSignal | undefined },
): Promise<{ readonly wanted: WantedPackage; readonly chosen: boolean }> {
  const run = endpoint.kind === 'stdio' ? packagedRun(endpoint, pinned) : undefined;
  if (run?.kind === 'package') return { wanted: run.package, chosen: false };
  if (run?.kind !== 'runner' || run.package === undefined) {
    const why = run?.kind === 'runner' ? run.why : 'it is not started from an npm or Python package';
    throw new PlugError('unsupported', `The package of ${id} can't be installed: ${why}.`, {
      owner: 'you',
      server: id,
    });
  }
  const { registry, name } = run.package;
  tell(`Looking up the newest version of ${name} …`);
  const { packages } = await core.planParts();
  const facts = await packages[registry]?.lookup(name.replace(/\[.*$/, ''), undefined, { signal });
  if (facts?.version === undefined) {
    const why = `There is no package ${name} at ${registry}.`;
    throw new PlugError('not_found', why, { owner: 'registry', server: id });
  }
  const { version, integrity } = facts;
  return {
    wanted: { registry, name, version, ...(integrity === undefined ? {} : { integrity }) },
    chosen: true,
  };
}

function refused(
  { id }: ServerDefinition,
  { name, version, scripts, refused: why }: InstalledPackage,
): PlugError {
  const message = `${name} ${version} was not installed: ${why}. Its runner still starts it.`;
  return new PlugError('unsupported', message, {
    owner: 'you',
    server: id,
    ...(scripts ? { remedy: { do: 'install-package', server: id, scripts: true } as const } : {}),
    details: { package: name, version, ...(scripts ? { scripts } : {}) },
  });
}
