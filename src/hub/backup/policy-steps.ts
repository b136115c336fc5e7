import { createHash } from 'node:crypto';
import { canonicalJson } from '../../base/json.ts';
import type { Core } from '../core.ts';
import { nameOfItem, type Contents } from './contents.ts';
import { hereOf, type Step } from './step.ts';

/** Trust, as it was given: to exactly these definitions. */
export async function trustSteps(
  { storage, owner, decisions }: Core,
  contents: Contents,
): Promise<readonly Step[]> {
  const [files, servers] = await Promise.all([
    storage.servers.listTrust(owner),
    storage.policy.listServerTrust(owner),
  ]);
  const ofFiles = contents.fileTrust.map((trust): Step => ({
    thing: { kind: 'trust', name: nameOfItem.fileTrust(trust) },
    here: hereOf(
      files.find(({ file, server }) => file === trust.file && server === trust.server),
      ({ fingerprint }) => fingerprint === trust.fingerprint,
    ),
    apply: () => storage.servers.putTrust(owner, trust),
  }));
  const ofServers = contents.serverTrust.map(({ server, fingerprint, source }): Step => ({
    thing: { kind: 'trust', name: server },
    here: hereOf(
      servers.find((one) => one.server === server),
      (one) => one.fingerprint === fingerprint,
    ),
    apply: () => decisions.known.trust.keep(server, fingerprint, source),
  }));
  return [...ofFiles, ...ofServers];
}

/** A grant has no name: it is here if one that permits exactly the same is. */
export async function grantSteps(
  { decisions, clock, owner }: Core,
  contents: Contents,
): Promise<readonly Step[]> {
  const known = new Set((await decisions.grants.list()).map(bindingOf));
  return contents.grants.map((grant) => {
    const { id: _id, createdAt: _createdAt, ...row } = { ...grant, principal: owner };
    const isOver = grant.until !== undefined && grant.until <= clock.now();
    return {
      thing: { kind: 'grant', name: nameOfItem.grants(grant) },
      here: known.has(bindingOf(row)) ? 'same' : 'absent',
      ...(isOver ? { impossible: 'Its date has passed.' } : {}),
      apply: async () => void (await decisions.grants.add(row)),
    };
  });
}

function bindingOf(grant: Omit<Contents['grants'][number], 'id' | 'createdAt'>): string {
  const { server, fingerprint, account, scope, until, session } = grant;
  return canonicalJson({ server, fingerprint, account, scope, until, session });
}

/** A pin whose hash is not that of its definition would let through what nobody approved. */
export async function pinSteps(
  { storage, owner }: Core,
  contents: Contents,
  replace: boolean,
): Promise<readonly Step[]> {
  const known = await storage.tools.listPins(owner);
  return contents.pins.map((pin) => {
    const isTrue = createHash('sha256').update(pin.definition).digest('hex') === pin.hash;
    const before = known.find(({ server, tool }) => server === pin.server && tool === pin.tool);
    return {
      thing: { kind: 'pin', name: nameOfItem.pins(pin) },
      // A server that is replaced loses its pins: these are put whatever was here.
      here: hereOf(before, ({ hash }) => hash === pin.hash && !replace),
      ...(isTrue ? {} : { impossible: 'Its definition is not the one that was approved.' }),
      apply: () => storage.tools.putPins(owner, [pin]),
    };
  });
}

export async function toolSteps({ storage, owner }: Core, contents: Contents): Promise<readonly Step[]> {
  const known = await storage.tools.listToolOverrides(owner);
  return contents.tools.map((tool) => ({
    thing: { kind: 'tool', name: nameOfItem.tools(tool) },
    here: hereOf(
      known.find((one) => one.server === tool.server && one.tool === tool.tool),
      (one) => one.enabled === tool.enabled && one.risk === tool.risk,
    ),
    apply: () => storage.tools.putToolOverride(owner, tool),
  }));
}
