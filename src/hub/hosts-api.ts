import { defined } from '../base/defined.ts';
import { PlugError } from '../base/errors.ts';
import { isServerId } from '../servers/definition.ts';
import type { Client } from './client.ts';
import type { Core } from './core.ts';
import type { AddedHost, AttachedHost, HostOptions, NewHost } from './hub.ts';
import { noSuch } from './no-such.ts';
import { isFace, withPeople } from './people.ts';
import type { Implementations } from './operations/table.ts';

export function hostsOf(core: Core, client: Client): Implementations['hosts'] {
  const { hostTokens } = core.decisions;
  return {
    list: () => Promise.resolve(hostTokens.list()),
    add: (host) => add(core, host),
    revoke: async ({ name }) => {
      if (await hostTokens.revoke(name)) return;
      const known = hostTokens.list().map((host) => host.name);
      throw noSuch('host', name, known);
    },
    attach: (host) => Promise.resolve(attach(core, client, host)),
  };
}

async function add(
  { decisions, storage, owner }: Core,
  { name, profile, readOnly, opens }: NewHost,
): Promise<AddedHost> {
  if (!isServerId(name)) {
    const remedy = 'Use 1 to 64 of a–z, 0–9, dot, dash and underscore, starting with a letter or a digit.';
    throw new PlugError('usage', `“${name.slice(0, 80)}” cannot be a host's name.`, { owner: 'you', remedy });
  }
  if (opens === 'api' && (profile !== undefined || readOnly)) {
    const why = 'A token for the API acts for you, so it has no profile and no read-only mode.';
    throw new PlugError('usage', why, { owner: 'you', remedy: 'Add it without them.' });
  }
  if (profile !== undefined) {
    const known = (await storage.servers.listProfiles(owner)).map((each) => each.name);
    if (!known.includes(profile)) throw noSuch('profile', profile, known);
  }
  const { hostTokens } = decisions;
  const token = await hostTokens.add({
    name,
    ...defined({ profile, opens }),
    ...(readOnly ? { readOnly } : {}),
  });
  const host = hostTokens.list().find((each) => each.name === name);
  if (token !== undefined && host) return { host, token };
  const why = `There is a host “${name}” already; its token is not shown again.`;
  const remedy = { do: 'replace-host', name } as const;
  throw new PlugError('already_exists', `${why} Choose another name, or replace it.`, {
    owner: 'you',
    remedy,
  });
}

function attach(core: Core, client: Client, { name, handlers, cwd, era }: HostOptions): AttachedHost {
  const id = core.ids.next('host');
  const shown = name.slice(0, core.limits.hostNameCharsMax);
  core.hosts.set(id, {
    id,
    name: shown,
    isFace: isFace(client),
    // Who else can be asked changes while it is attached.
    get handlers() {
      return withPeople(core.hosts, handlers);
    },
    ...defined({ cwd, era }),
  });
  const close = async (): Promise<void> => {
    if (core.hosts.delete(id)) await core.pool.detach(id);
  };
  const rootsChanged = (): void => core.pool.rootsChanged(id);
  return { id, rootsChanged, close, [Symbol.asyncDispose]: close };
}
