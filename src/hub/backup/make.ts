import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { PlugError } from '../../base/errors.ts';
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import { Secret } from '../../base/secret.ts';
import { sealBundle } from '../../vault/sealed-bundle.ts';
import type { Core } from '../core.ts';
import type { Backup } from '../maintenance.ts';
import type { Workspace } from '../workspace.ts';
import { type Carried, carry } from './carry.ts';
import {
  backupLimits as limits,
  CARRIED_FILES,
  type CarriedFile,
  type Contents,
  type OpenContents,
  type SealedContents,
} from './contents.ts';
import { readClientText } from '../../servers/clients/client-text.ts';
import type { Account } from '../../vault/store.ts';

/** Everything in one document. Without a passphrase no secret is part of it, sealed or not. */
export async function makeBackup(
  core: Core,
  workspace: Workspace,
  { passphrase }: { readonly passphrase?: string },
): Promise<Backup> {
  const { redactor, options } = core;
  if (passphrase !== undefined) redactor.learn(passphrase);
  const secrets = await knownSecrets(core, passphrase !== undefined);
  const carried = carry(await gather(core, workspace), {
    redactForeign: redactor.redactForeign,
    redactText: (text) => redactor.redactText(text),
    configPath: join(options.paths.config, 'mcp.json'),
    secrets,
  });
  const { open, leftOut } = carried;
  const contents: OpenContents = { ...open, elsewhere: elsewhere(workspace), leftOut };
  const head = {
    plugboard: 'backup',
    version: 1,
    madeAt: core.clock.now(),
    madeBy: options.version,
    contents: plain(contents),
  } as const;
  const backup: Backup =
    passphrase === undefined
      ? head
      : { ...head, secrets: await sealed(core, head, { ...carried, secrets, passphrase }) };
  checkSize(backup);
  return backup;
}

/** The sealed part of a backup is bound to everything beside it. */
export function bindingOf(backup: Pick<Backup, 'version' | 'madeAt' | 'madeBy' | 'contents'>): string {
  const { version, madeAt, madeBy, contents } = backup;
  const hash = createHash('sha256').update(canonicalJson(contents)).digest('hex');
  return JSON.stringify(['plugboard backup', version, madeAt, madeBy, hash]);
}

async function sealed(
  { limits: bounds }: Core,
  head: Omit<Backup, 'secrets'>,
  given: Carried & { readonly passphrase: string; readonly secrets: ReadonlyMap<string, Secret> },
): Promise<JsonObject> {
  const all = [...new Map([...given.secrets, ...given.taken])];
  const secrets = all.map(([name, value]) => ({ name, value: value.reveal() }));
  const inside: SealedContents = { ...given.closed, secrets };
  const passphrase = new Secret(given.passphrase);
  const about = bindingOf(head);
  return plain(await sealBundle(JSON.stringify(inside), { passphrase, about, limits: bounds }));
}

/** Reading them teaches the redactor. Without a passphrase, nothing of a locked vault would be carried. */
async function knownSecrets({ vault, owner }: Core, needed: boolean): Promise<ReadonlyMap<string, Secret>> {
  const { locked } = await vault.status();
  if (locked && !needed) return new Map();
  const known = new Map<string, Secret>();
  for (const name of await vault.list(owner)) {
    const value = await vault.get(owner, name);
    if (value) known.set(name, value);
  }
  return known;
}

function checkSize(backup: Backup): void {
  const bytes = Buffer.byteLength(JSON.stringify(backup));
  if (bytes <= limits.documentBytesMax) return;
  const says = `The backup would have ${bytes} bytes, which is more than one may have.`;
  throw new PlugError('too_large', `${says} Copy the data folder instead.`, {
    owner: 'plugboard',
    remedy: { do: 'show', what: 'hub' },
    details: { bytes, max: limits.documentBytesMax },
  });
}

/** As it will be read again: without undefined fields. */
function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject; // JSON of an object is an object
}

async function gather(core: Core, workspace: Workspace): Promise<Contents> {
  const { storage, owner, options } = core;
  const [servers, overrides, profiles, fileTrust, serverTrust, grants, pins, tools, models] =
    await Promise.all([
      storage.servers.listServers(owner),
      storage.servers.listOverrides(owner),
      storage.servers.listProfiles(owner),
      storage.servers.listTrust(owner),
      storage.policy.listServerTrust(owner),
      storage.policy.listGrants(owner),
      storage.tools.listPins(owner),
      storage.tools.listToolOverrides(owner),
      storage.models.listModels(owner),
    ]);
  const now = core.clock.now();
  return {
    servers: byName(servers, ({ id }) => id),
    overrides: byName(overrides, ({ server }) => server),
    profiles: byName(profiles, ({ name }) => name),
    fileTrust,
    serverTrust,
    // A grant for once would count twice: here and there.
    grants: grants.filter(
      ({ scope, until }) => scope.kind !== 'once' && (until === undefined || until > now),
    ),
    pins,
    tools,
    models,
    accounts: await accountsIn(core, workspace),
    files: await filesIn(options.paths.config),
  };
}

function elsewhere({ servers }: Workspace): OpenContents['elsewhere'] {
  return servers.flatMap(({ definition: { id, source } }) =>
    source.kind === 'file' && source.scope !== 'user' ? [{ server: id, file: source.file ?? '' }] : [],
  );
}

async function accountsIn({ storage, owner }: Core, workspace: Workspace): Promise<readonly Account[]> {
  const ids = workspace.servers.map(({ definition: { id } }) => id);
  return (await Promise.all(ids.map((id) => storage.accounts.listAccounts(owner, id)))).flat();
}

async function filesIn(folder: string): Promise<readonly CarriedFile[]> {
  const files: CarriedFile[] = [];
  for (const name of CARRIED_FILES) {
    const read = await readClientText(join(folder, name));
    if (read.kind === 'ok' && read.text.length <= limits.fileCharsMax) files.push({ name, text: read.text });
  }
  return files;
}

function byName<T>(items: readonly T[], nameOf: (item: T) => string): readonly T[] {
  return items.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}
