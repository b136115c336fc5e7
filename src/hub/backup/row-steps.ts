import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import { describeEndpoint, type ServerDefinition } from '../../servers/definition.ts';
import type { ToolOverride } from '../../catalog/store.ts';
import type { ServerTrust } from '../../policy/store.ts';
import type { Profile } from '../../servers/profile.ts';
import type { FileTrust, ServerOverride } from '../../servers/store.ts';
import type { Core } from '../core.ts';
import type { RestoredThing } from '../maintenance.ts';
import { checkRemoteOnly } from '../remote-only.ts';
import type { Workspace } from '../workspace.ts';
import { nameOfItem, type Contents } from './contents.ts';
import { hereOf, type Step } from './ledger.ts';

export async function serverSteps(
  core: Core,
  workspace: Workspace,
  { servers }: Contents,
): Promise<readonly Step[]> {
  const { storage, owner, redactor } = core;
  const stored = await storage.servers.listServers(owner);
  return servers.map((definition) => {
    const { id, endpoint } = definition;
    const known = stored.find((one) => one.id === id);
    return {
      thing: { kind: 'server', name: id, says: redactor.redactText(describeEndpoint(endpoint)) },
      here: hereOf(known, (one) => isDeepStrictEqual(one, definition)),
      impossible: whyNot(core, workspace, definition),
      apply: async () => {
        // Pins of the server that is replaced say nothing about this one.
        if (known) await core.decisions.known.settings.unpin(id);
        await storage.servers.putServer(owner, definition);
      },
    };
  });
}

function whyNot(core: Core, workspace: Workspace, definition: ServerDefinition): string | undefined {
  try {
    checkRemoteOnly(core, definition);
  } catch (error) {
    return messageOf(error);
  }
  const { id } = definition;
  const { source } = workspace.servers.find((server) => server.definition.id === id)?.definition ?? {};
  const isFiles = source?.kind === 'file' && source.scope !== 'project';
  return isFiles ? `It is defined in ${source.file}, which Plugboard doesn’t change.` : undefined;
}

type StepsOf = (core: Core, contents: Contents, replace: boolean) => Promise<readonly Step[]>;

/** Rows of one kind that are put as they are. */
function rowSteps<Row>(
  kind: RestoredThing['kind'],
  nameOf: (row: Row) => string,
  rows: { readonly given: readonly Row[]; readonly known: readonly Row[] },
  how: { readonly isSame?: (known: Row, row: Row) => boolean; readonly apply: (row: Row) => Promise<void> },
): readonly Step[] {
  const { isSame = isDeepStrictEqual, apply } = how;
  return rows.given.map((row) => {
    const name = nameOf(row);
    const known = rows.known.find((one) => nameOf(one) === name);
    return { thing: { kind, name }, here: hereOf(known, (one) => isSame(one, row)), apply: () => apply(row) };
  });
}

const overrideSteps: StepsOf = async ({ storage, owner }, { overrides: given }) => {
  const known = await storage.servers.listOverrides(owner);
  const apply = (override: ServerOverride): Promise<void> => storage.servers.putOverride(owner, override);
  return rowSteps('setting', nameOfItem.overrides, { given, known }, { apply });
};

/** Accounts come without their tokens: the user signs in again. */
const accountSteps: StepsOf = async ({ storage, owner }, { accounts }) => {
  const servers = [...new Set(accounts.map(({ server }) => server))];
  const known = (await Promise.all(servers.map((id) => storage.accounts.listAccounts(owner, id)))).flat();
  return accounts.map(({ isDefault, ...account }) => {
    const ofServer = known.filter(({ server }) => server === account.server);
    return {
      thing: { kind: 'account', name: `${account.account} at ${account.server}` },
      here: ofServer.some((one) => one.account === account.account) ? 'same' : 'absent',
      apply: async () => {
        await storage.accounts.addAccount(owner, account);
        if (isDefault && ofServer.length === 0) {
          await storage.accounts.setDefaultAccount(owner, account.server, account.account);
        }
      },
    };
  });
};

const isSameTrust = (a: { fingerprint: string }, b: { fingerprint: string }): boolean =>
  a.fingerprint === b.fingerprint;

const fileTrustSteps: StepsOf = async ({ storage, owner }, { fileTrust: given }) => {
  const known = await storage.servers.listTrust(owner);
  const apply = (trust: FileTrust): Promise<void> => storage.servers.putTrust(owner, trust);
  return rowSteps('trust', nameOfItem.fileTrust, { given, known }, { isSame: isSameTrust, apply });
};

const serverTrustSteps: StepsOf = async ({ storage, owner, decisions }, { serverTrust: given }) => {
  const known = await storage.policy.listServerTrust(owner);
  const apply = ({ server, fingerprint, source }: ServerTrust): Promise<void> =>
    decisions.known.trust.keep(server, fingerprint, source);
  return rowSteps('trust', nameOfItem.serverTrust, { given, known }, { isSame: isSameTrust, apply });
};

/** A grant has no name: it is here if one that permits exactly the same is. */
const grantSteps: StepsOf = async ({ decisions, clock, owner }, { grants }) => {
  const known = new Set((await decisions.grants.list()).map(permittedBy));
  return grants.map((grant) => {
    const { id: _id, createdAt: _createdAt, ...row } = { ...grant, principal: owner };
    const isOver = grant.until !== undefined && grant.until <= clock.now();
    return {
      thing: { kind: 'grant', name: nameOfItem.grants(grant) },
      here: known.has(permittedBy(row)) ? 'same' : 'absent',
      impossible: isOver ? 'Its date has passed.' : undefined,
      apply: async () => void (await decisions.grants.add(row)),
    };
  });
};

function permittedBy(grant: Omit<Contents['grants'][number], 'id' | 'createdAt'>): string {
  const { server, fingerprint, account, scope, until, session } = grant;
  return canonicalJson({ server, fingerprint, account, scope, until, session });
}

/** A pin whose hash is not that of its definition would let an unapproved tool through. */
const pinSteps: StepsOf = async ({ storage, owner }, { pins }, replace) => {
  const known = await storage.tools.listPins(owner);
  return pins.map((pin) => {
    const isTrue = createHash('sha256').update(pin.definition).digest('hex') === pin.hash;
    const before = known.find(({ server, tool }) => server === pin.server && tool === pin.tool);
    return {
      thing: { kind: 'pin', name: nameOfItem.pins(pin) },
      // A server that is replaced loses its pins, so these are always put.
      here: hereOf(before, ({ hash }) => hash === pin.hash && !replace),
      impossible: isTrue ? undefined : 'Its definition changed since it was approved.',
      apply: () => storage.tools.putPins(owner, [pin]),
    };
  });
};

const toolSteps: StepsOf = async ({ storage, owner }, { tools: given }) => {
  const known = await storage.tools.listToolOverrides(owner);
  const isSame = (a: ToolOverride, b: ToolOverride): boolean => a.enabled === b.enabled && a.risk === b.risk;
  const apply = (tool: ToolOverride): Promise<void> => storage.tools.putToolOverride(owner, tool);
  return rowSteps('tool', nameOfItem.tools, { given, known }, { isSame, apply });
};

const profileSteps: StepsOf = async ({ storage, owner }, { profiles: given }) => {
  const known = await storage.servers.listProfiles(owner);
  const apply = (profile: Profile): Promise<void> => storage.servers.putProfile(owner, profile);
  return rowSteps('profile', nameOfItem.profiles, { given, known }, { apply });
};

/** A default model that is set here stays the default. */
const modelSteps: StepsOf = async ({ storage, owner }, { models }) => {
  const known = await storage.models.listModels(owner);
  return models.map(({ chosen, ...model }) => ({
    thing: { kind: 'model', name: model.name },
    here: hereOf(
      known.find(({ name }) => name === model.name),
      ({ chosen: _chosen, ...one }) => isDeepStrictEqual(one, model),
    ),
    apply: () =>
      storage.models.putModel(owner, known.length > 0 || chosen === undefined ? model : { ...model, chosen }),
  }));
};

/** In the order in which they are restored, after the servers. */
export const ROW_STEPS: readonly StepsOf[] = [
  overrideSteps,
  accountSteps,
  fileTrustSteps,
  serverTrustSteps,
  grantSteps,
  pinSteps,
  toolSteps,
  profileSteps,
  modelSteps,
];
