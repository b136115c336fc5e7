import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../base/errors.ts';
import { describeEndpoint, type ServerDefinition } from '../../servers/definition.ts';
import type { Core } from '../core.ts';
import { checkRemoteOnly } from '../remote-only.ts';
import type { Workspace } from '../workspace.ts';
import type { Contents } from './contents.ts';
import { hereOf, type Step } from './step.ts';

/** Servers, and what was set about them without touching their definitions. */
export async function serverSteps(
  core: Core,
  workspace: Workspace,
  contents: Contents,
): Promise<readonly Step[]> {
  const stored = await core.storage.servers.listServers(core.owner);
  return contents.servers.map((definition) => serverStep(core, workspace, stored, definition));
}

function serverStep(
  core: Core,
  workspace: Workspace,
  stored: readonly ServerDefinition[],
  definition: ServerDefinition,
): Step {
  const { storage, owner, redactor } = core;
  const { id, endpoint } = definition;
  const impossible = whyNot(core, workspace, definition);
  const known = stored.find((one) => one.id === id);
  return {
    thing: { kind: 'server', name: id, says: redactor.redactText(describeEndpoint(endpoint)) },
    here: hereOf(known, (one) => isDeepStrictEqual(one, definition)),
    ...(impossible === undefined ? {} : { impossible }),
    apply: async () => {
      // What was approved of the other server says nothing about this one.
      if (known) await core.decisions.known.settings.unpin(id);
      await storage.servers.putServer(owner, definition);
    },
  };
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
  return isFiles ? `It is defined in ${source.file}, which is yours: we do not change it.` : undefined;
}

export async function overrideSteps(
  { storage, owner }: Core,
  { overrides }: Contents,
): Promise<readonly Step[]> {
  const known = await storage.servers.listOverrides(owner);
  return overrides.map((override) => ({
    thing: { kind: 'setting', name: override.server },
    here: hereOf(
      known.find(({ server }) => server === override.server),
      (one) => isDeepStrictEqual(one, override),
    ),
    apply: () => storage.servers.putOverride(owner, override),
  }));
}

export async function profileSteps(
  { storage, owner }: Core,
  { profiles }: Contents,
): Promise<readonly Step[]> {
  const known = await storage.servers.listProfiles(owner);
  return profiles.map((profile) => ({
    thing: { kind: 'profile', name: profile.name },
    here: hereOf(
      known.find(({ name }) => name === profile.name),
      (one) => isDeepStrictEqual(one, profile),
    ),
    apply: () => storage.servers.putProfile(owner, profile),
  }));
}

/** An account without its tokens: who signs in again is the same as before. */
export async function accountSteps(
  { storage, owner }: Core,
  { accounts }: Contents,
): Promise<readonly Step[]> {
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
}

export async function modelSteps({ storage, owner }: Core, { models }: Contents): Promise<readonly Step[]> {
  const known = await storage.models.listModels(owner);
  return models.map(({ chosen, ...model }) => ({
    thing: { kind: 'model', name: model.name },
    here: hereOf(
      known.find(({ name }) => name === model.name),
      ({ chosen: _chosen, ...one }) => isDeepStrictEqual(one, model),
    ),
    // Who has a default here keeps it.
    apply: () =>
      storage.models.putModel(owner, known.length > 0 || chosen === undefined ? model : { ...model, chosen }),
  }));
}
