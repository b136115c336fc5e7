import { defined } from '../../base/defined.ts';
import { canonicalJson } from '../../base/json.ts';
import { diffFields } from '../../servers/diff.ts';
import type { UndoneServer } from '../changes.ts';
import type { Core } from '../core.ts';
import { forgetStored } from '../forget-server.ts';
import { serverKey, type Workspace } from '../workspace.ts';
import type { Change, SecretPart, ServerPart, ServerSnapshot } from './change.ts';
import { keptSecret } from './kept-values.ts';
import { sameServer, secretsOfServers, snapshotOf } from './snapshot.ts';

export interface ServerUndo {
  readonly view: UndoneServer;
  /** What cannot come back by itself. */
  readonly todo: readonly string[];
  readonly apply: () => Promise<void>;
}

/** What undoing would do to one server; nothing is changed before `apply`. */
export async function planServerUndo(
  core: Core,
  workspace: Workspace,
  change: Change,
  part: ServerPart,
): Promise<ServerUndo> {
  const { id, before, after } = part;
  const now = await snapshotOf(core, id);
  const secrets = await planSecrets(core, change, id);
  const isSame = sameServer(now, before) && secrets.apply.length === 0;
  const moved = after !== undefined && !sameServer(now, after) && !sameServer(now, before);
  const outcome = isSame ? 'same' : moved ? 'conflict' : before.definition ? 'restored' : 'removed';
  const fields = before.definition ? diffFields(now.definition, before.definition) : [];
  const why = moved ? `${id} was changed since in another way.` : undefined;
  return {
    view: { id, outcome: onlyOverride(before, now) ? 'restored' : outcome, fields, ...defined({ why }) },
    todo: [...secrets.todo, ...accountsToSignIn(id, before, now)],
    apply: async () => {
      if (isSame) return;
      for (const restore of secrets.apply) await restore();
      await restoreServer(core, workspace, { id, before, now });
    },
  };
}

/** A server of a file has no row of its own: only the switches of it are ours. */
function onlyOverride(before: ServerSnapshot, now: ServerSnapshot): boolean {
  return !before.definition && !now.definition && !sameServer(before, now);
}

interface Restored {
  readonly id: string;
  readonly before: ServerSnapshot;
  readonly now: ServerSnapshot;
}

async function restoreServer(core: Core, workspace: Workspace, { id, before, now }: Restored): Promise<void> {
  const { storage, owner } = core;
  if (!before.definition) {
    if (now.definition) await forgetStored(core, workspace, now.definition);
  } else if (canonicalJson(before.definition) !== canonicalJson(now.definition ?? null)) {
    await storage.servers.putServer(owner, before.definition);
    await restoreDecisions(core, serverKey(before.definition), before);
  }
  await storage.servers.deleteOverride(owner, id);
  if (before.override) await storage.servers.putOverride(owner, before.override);
}

/** Trust, pins, switches and grants as they were: they belong to the definition that comes back. */
async function restoreDecisions(core: Core, key: string, before: ServerSnapshot): Promise<void> {
  const { storage, owner, decisions } = core;
  const { settings, trust } = decisions.known;
  await settings.unpin(key);
  await storage.tools.putPins(owner, before.pins);
  for (const tool of before.tools) await storage.tools.putToolOverride(owner, tool);
  await settings.load();
  if (before.trust) await trust.keep(key, before.trust.fingerprint, before.trust.source);
  else await trust.revoke(key);
  const known = new Set((await decisions.grants.list({ server: key })).map(permitted));
  for (const grant of before.grants) {
    const { id: _id, createdAt: _createdAt, ...row } = grant;
    if (!known.has(permitted(grant))) await decisions.grants.add(row);
  }
  for (const { isDefault, ...account } of before.accounts) {
    await storage.accounts.addAccount(owner, account);
    if (isDefault) await storage.accounts.setDefaultAccount(owner, account.server, account.account);
  }
}

function permitted({ fingerprint, account, scope, until }: ServerSnapshot['grants'][number]): string {
  return canonicalJson({ fingerprint, account: account ?? null, scope, until: until ?? null });
}

/** A secret that was set since is somebody's later decision: it stays. */
async function planSecrets(core: Core, change: Change, server: string) {
  const now = await secretsOfServers(core, new Set([server]));
  const parts = change.secrets.filter(({ name }) => name.startsWith(`${server}/`));
  const known = new Set(parts.map(({ name }) => name));
  // Cut off by a crash: whatever was not there before came with it.
  const late = change.state === 'open' ? [...now.keys()].filter((name) => !known.has(name)) : [];
  const planned = [...parts, ...late.map((name): SecretPart => ({ name }))].map((part) =>
    planSecret(core, part, { now: now.get(part.name), open: change.state === 'open' }),
  );
  return {
    apply: planned.flatMap(({ apply }) => apply ?? []),
    todo: planned.flatMap(({ todo }) => todo ?? []),
  };
}

function planSecret(
  core: Core,
  { name, before, after, kept }: SecretPart,
  { now, open }: { readonly now: number | undefined; readonly open: boolean },
): { readonly apply?: () => Promise<void>; readonly todo?: string } {
  const { vault, owner } = core;
  if (now === before || (!open && before === after)) return {};
  if (!open && now !== after) return { todo: `The key ${name} was set since and stays as it is.` };
  if (before === undefined) return { apply: async () => void (await vault.delete(owner, name)) };
  if (kept === undefined) return { todo: `The key ${name} was not kept: set it again.` };
  return {
    apply: async () => {
      const value = await keptSecret(core, kept);
      if (!value) return;
      const version = await vault.write({ owner, kind: 'secret', name }, value);
      await core.changes.renumber(name, before, version);
    },
  };
}

/** Tokens are revoked where the server offers it, and never kept. */
function accountsToSignIn(id: string, before: ServerSnapshot, now: ServerSnapshot): readonly string[] {
  const remote = before.definition && before.definition.endpoint.kind !== 'stdio';
  const gone = before.accounts.filter(({ account }) => !now.accounts.some((one) => one.account === account));
  return remote ? gone.map(({ account }) => `Sign in to ${id} again as ${account}.`) : [];
}
