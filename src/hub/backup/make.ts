import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { PlugError } from '../../base/errors.ts';
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import { Secret } from '../../base/secret.ts';
import { sealBundle } from '../../vault/sealed-bundle.ts';
import type { Core } from '../core.ts';
import type { Backup } from '../upkeep.ts';
import type { Workspace } from '../workspace.ts';
import { carry, type Carried } from './carry.ts';
import type { OpenContents, SealedContents } from './contents.ts';
import { elsewhere, gather } from './gather.ts';
import { backupLimits as limits } from './limits.ts';

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
  const contents: OpenContents = {
    ...carried.open,
    elsewhere: elsewhere(workspace),
    leftOut: carried.leftOut,
  };
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
      : { ...head, secrets: await sealed(core, head, { passphrase, secrets, carried }) };
  checkSize(backup);
  return backup;
}

/** What the sealed part of a backup is bound to: everything that stands beside it. */
export function bindingOf(backup: Pick<Backup, 'version' | 'madeAt' | 'madeBy' | 'contents'>): string {
  const { version, madeAt, madeBy, contents } = backup;
  const hash = createHash('sha256').update(canonicalJson(contents)).digest('hex');
  return JSON.stringify(['plugboard backup', version, madeAt, madeBy, hash]);
}

async function sealed(
  { limits: bounds }: Core,
  head: Omit<Backup, 'secrets'>,
  given: {
    readonly passphrase: string;
    readonly secrets: ReadonlyMap<string, Secret>;
    readonly carried: Carried;
  },
): Promise<JsonObject> {
  const { secrets, carried } = given;
  const all = new Map([...secrets, ...carried.taken]);
  const inside: SealedContents = {
    ...carried.closed,
    secrets: [...all].map(([name, value]) => ({ name, value: value.reveal() })),
  };
  const passphrase = new Secret(given.passphrase);
  const about = bindingOf(head);
  return plain(await sealBundle(JSON.stringify(inside), { passphrase, about, limits: bounds }));
}

/**
 * Reading them also teaches the redactor what must not appear in the clear. Without a passphrase a
 * locked vault is no obstacle: nothing of it would be in the backup.
 */
async function knownSecrets(core: Core, needed: boolean): Promise<ReadonlyMap<string, Secret>> {
  const { vault, owner } = core;
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
  throw new PlugError('too_large', `The backup would have ${bytes} bytes, which is more than one may have.`, {
    owner: 'plugboard',
    next: 'Copy the data folder instead: plug hub status says where it is.',
    details: { bytes, max: limits.documentBytesMax },
  });
}

/** As it will be read again: without undefined fields. */
function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject; // JSON of an object is an object
}
