import { homedir } from 'node:os';
import { defined } from '../../base/defined.ts';
import { toPlugError, type ErrorView } from '../../base/errors.ts';
import { isDangerousVariable } from '../../connections/processes/dangerous-variables.ts';
import type { ClientName } from '../../servers/clients/client.ts';
import { clientNamed } from '../../servers/clients/clients.ts';
import { importServers, type PlannedServer } from '../../servers/clients/import.ts';
import { readClients, type ImportedServer, type ImportScan } from '../../servers/clients/scan.ts';
import { describeEndpoint, type ServerDefinition } from '../../servers/definition.ts';
import { diffFields } from '../../servers/diff.ts';
import { outsideReferences } from '../../servers/outside-references.ts';
import { findPlaceholders } from '../../servers/placeholders.ts';
import type { ImportFind, ImportOutcome, ImportPreview, ImportRequest } from '../hub.ts';
import type { Core } from '../core.ts';
import type { OpenChange } from '../changes/journal.ts';
import { declinedHere } from '../remote-only.ts';
import { checklistOf } from './import-checklist.ts';
import type { Workspace } from '../workspace.ts';
import type { Implementations } from '../operations/table.ts';

export function importsOf(core: Core, workspace: Workspace): Implementations['imports'] {
  return {
    scan: async ({ clients }) => preview(core, workspace, await scan(core, workspace, clients)),
    run: (request) =>
      core.changes.during({ kind: 'import', names: namesOf(request) }, (change) =>
        importIn(core, workspace, request, change),
      ),
    checklist: (query, options) => checklistOf(core, workspace, { ...query, ...options }),
  };
}

interface Scanned {
  readonly scan: ImportScan;
  /** The same without what must not be imported. */
  readonly usable: ImportScan;
  readonly barred: ReadonlyMap<string, string>;
}

async function scan(core: Core, workspace: Workspace, names: readonly string[] = []): Promise<Scanned> {
  const { env, platform = process.platform } = core.options;
  const clients = names.map((name): ClientName => clientNamed(name).name);
  const machine = { home: homedir(), cwd: workspace.folder, env, platform };
  const all = await readClients({ ...machine, ...(clients.length > 0 ? { clients } : {}) });
  const ours = new Set(workspace.files.map(({ path }) => path));
  const barred = new Map(
    all.found.flatMap((server): [string, string][] => {
      const why = ours.has(server.file) ? 'Plugboard reads this file by itself.' : barOf(core, server);
      return why === undefined ? [] : [[server.ref, why]];
    }),
  );
  const found = all.found.filter(({ ref }) => !barred.has(ref));
  return { scan: all, usable: { ...all, found }, barred };
}

/** Others can write a project's file: variables that change which code runs are not taken from it. */
function barOf(core: Core, { definition, scope }: ImportedServer): string | undefined {
  const declined = declinedHere(core, definition);
  if (declined !== undefined || definition.endpoint.kind !== 'stdio') return declined;
  if (scope !== 'project' && scope !== 'devcontainer') return undefined;
  const dangerous = Object.entries(definition.endpoint.env).find(([name, value]) =>
    isDangerousVariable(name, value),
  );
  return dangerous && `It sets ${dangerous[0]}, which changes what code runs, in a file of the project.`;
}

async function preview(core: Core, workspace: Workspace, scanned: Scanned): Promise<ImportPreview> {
  const { scan: all, usable, barred } = scanned;
  const plan = await importServers(usable, 'all', { ...optionsOf(core, workspace), dryRun: true });
  const planned = new Map(plan.servers.map((server) => [server.ref, server]));
  const kept = new Set(await core.vault.list(core.owner));
  const skipped = new Map([...barred, ...plan.skipped.map(({ ref, why }) => [ref, why] as const)]);
  return {
    files: all.files.map(({ client, scope, path }) => ({ client, scope, path })),
    found: all.found.map((server) =>
      viewOf(server, planned.get(server.ref), { skipped: skipped.get(server.ref), kept }),
    ),
    nearMisses: all.nearMisses,
    leftOut: all.leftOut,
    problems: all.problems.map(problemOf),
  };
}

function viewOf(
  server: ImportedServer,
  planned: PlannedServer | undefined,
  { skipped, kept }: { readonly skipped: string | undefined; readonly kept: ReadonlySet<string> },
): ImportFind {
  const { ref, client, scope, file, line, keys, warnings, fingerprint } = server;
  const definition = planned?.definition ?? server.definition;
  const { id, name, endpoint, enabled } = definition;
  return {
    ref,
    id,
    name,
    client,
    scope,
    file,
    transport: endpoint.kind,
    target: describeEndpoint(endpoint),
    enabled,
    keys: (planned?.keys ?? keys).map((key) => ({ name: key.name, where: key.where })),
    fields: telling(definition),
    references: outsideReferences(definition, kept),
    warnings,
    fingerprint,
    ...defined({ line, skipped }),
  };
}

/** What tells where something would be sent, and what would be filled in. */
function telling(definition: ServerDefinition): ImportFind['fields'] {
  return diffFields(undefined, definition).flatMap(({ field, after: text = '' }) => {
    const tells = field === 'url' || field.startsWith('headers.') || findPlaceholders(text).length > 0;
    return tells && FIELDS.test(field) ? [{ field, text }] : [];
  });
}

const FIELDS = /^(?:url$|headers\.|command$|args\[|env\.|cwd$)/;

/** Imports as a part of a change, which another operation may have begun. */
export async function importIn(
  core: Core,
  workspace: Workspace,
  request: ImportRequest,
  change: OpenChange,
): Promise<ImportOutcome> {
  const scanned = await scan(core, workspace, request.clients);
  const { pick, follow = false } = request;
  const changed = pick === 'all' ? [] : changedSince(scanned.scan, pick);
  const refused = new Set([...changed.map(({ ref }) => ref), ...scanned.barred.keys()]);
  const refs = pick === 'all' ? pick : pick.map((one) => one.ref).filter((one) => !refused.has(one));
  const options = { ...optionsOf(core, workspace), follow };
  const planned = await importServers(scanned.usable, refs, { ...options, dryRun: true });
  // Before the first key is in the vault: an import that is cut off can be undone, too.
  await change.addServers(planned.servers.map(({ definition }) => definition.id));
  const plan = await importServers(scanned.usable, refs, options);
  const imported: ImportOutcome['imported'][number][] = [];
  const failed: { ref: string; error: ErrorView }[] = [];
  for (const { ref, definition, keys, renamedFrom } of plan.servers) {
    const names = keys.map(({ name }) => name);
    try {
      await core.storage.servers.putServer(core.owner, definition);
      const follows = follow ? definition.source.file : undefined;
      imported.push({ ref, id: definition.id, keys: names, ...defined({ renamedFrom, follows }) });
    } catch (error) {
      // A key without its server would only lie around.
      for (const name of names) await core.vault.delete(core.owner, name);
      failed.push({ ref, error: toPlugError(error).toView() });
    }
  }
  if (imported.length > 0) await workspace.changed();
  const barred = [...scanned.barred].filter(([ref]) => pick === 'all' || pick.some((one) => one.ref === ref));
  return {
    imported,
    skipped: [...changed, ...barred.map(([ref, why]) => ({ ref, why })), ...plan.skipped],
    failed,
    problems: scanned.scan.problems.map(problemOf),
  };
}

/** The names of the entries, as far as they were picked. */
function namesOf({ pick }: ImportRequest): readonly string[] {
  return pick === 'all' ? ['all servers'] : pick.map(({ ref }) => ref.split('/').at(-1) ?? ref);
}

/** An entry that changed since it was shown is not imported. */
function changedSince(
  { found }: ImportScan,
  pick: readonly { readonly ref: string; readonly fingerprint?: string }[],
): readonly { readonly ref: string; readonly why: string }[] {
  return pick.flatMap(({ ref, fingerprint }) => {
    const now = found.find((server) => server.ref === ref);
    const same = fingerprint === undefined || now === undefined || now.fingerprint === fingerprint;
    return same ? [] : [{ ref, why: 'Its entry changed while you reviewed it.' }];
  });
}

function optionsOf(
  { vault, owner }: Core,
  workspace: Workspace,
): Pick<Parameters<typeof importServers>[2], 'vault' | 'owner' | 'existing'> {
  return { vault, owner, existing: workspace.servers.map(({ definition }) => definition) };
}

function problemOf(problem: ImportScan['problems'][number]): ImportPreview['problems'][number] {
  const { client, file, server, line, message } = problem;
  return { client, file, message, ...defined({ server, line }) };
}
