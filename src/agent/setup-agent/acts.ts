import { PlugError, toPlugError } from '../../base/errors.ts';
import type { Deed, InstallOutcome, ServerView } from '../../hub/hub.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import { short } from './limits.ts';
import { doing, type Setup } from './setup.ts';
import type { OpenQuestion } from './state.ts';

/**
 * All that this conversation writes. Invariant: called only for what the person said in their own words, as our own
 * code read them; no tool of a model leads here.
 */
export function addPlanned(
  setup: Setup,
  asked: Extract<OpenQuestion, { readonly kind: 'install' }>,
  given: { readonly key?: string },
): Promise<InstallOutcome> {
  const { plan, server, title } = asked;
  return doing(setup, { id: undefined, tool: 'save_server', says: `Adding ${short(title)}` }, async () => {
    const { hub } = setup.agent;
    const filled = given.key === undefined ? {} : keyFor(asked, given.key);
    const outcome = await hub.plans.install({ plan, ...filled }, { signal: setup.signal });
    setup.turn.did({ kind: 'added', server: outcome.server.id });
    if (outcome.signIn) setup.proposals.add({ kind: 'sign-in', server: outcome.server.id, agreed: true });
    return { value: outcome, says: `Added ${short(server)}` };
  });
}

/** The field that asks for it, else the header that most servers take a key in. */
function keyFor(
  { missing, remote, title }: Extract<OpenQuestion, { readonly kind: 'install' }>,
  key: string,
): { readonly values?: Record<string, string>; readonly headers?: Record<string, string> } {
  const field = missing.find(({ secret }) => secret) ?? missing[0];
  if (field) return { values: { [field.id]: key } };
  if (remote) return { headers: { Authorization: `Bearer ${key}` } };
  throw new PlugError('usage', `${title} asks for no key.`, { owner: 'you' });
}

export function removeServer(setup: Setup, server: string): Promise<Deed> {
  return doing(
    setup,
    { id: undefined, tool: 'remove_server', says: `Removing ${short(server)}` },
    async () => {
      const { servers } = setup.agent.hub;
      const definition = await definitionOf(setup, server);
      const { secrets } = await servers.credentials({ id: server });
      await servers.remove({ id: server });
      const deed: Deed = {
        kind: 'removed',
        server,
        ...(definition ? { definition } : {}),
        ...(secrets.length > 0 ? { forgotten: secrets } : {}),
      };
      setup.turn.did(deed);
      return { value: deed, says: `Removed ${short(server)}` };
    },
  );
}

/** What “undo” adds again; a server that cannot tell it is removed all the same. */
async function definitionOf({ agent }: Setup, id: string): Promise<ServerDefinition | undefined> {
  try {
    return await agent.hub.servers.definition({ id });
  } catch {
    return undefined;
  }
}

export function switchServer(setup: Setup, server: string, on: boolean): Promise<ServerView> {
  const tool = on ? 'enable_server' : 'disable_server';
  const says = `Turning ${short(server)} ${on ? 'on' : 'off'}`;
  return doing(setup, { id: undefined, tool, says }, async () => {
    const { servers } = setup.agent.hub;
    const view = await (on ? servers.enable({ id: server }) : servers.disable({ id: server }));
    setup.turn.spokeOf(server);
    return { value: view, says: `Turned ${short(server)} ${on ? 'on' : 'off'}` };
  });
}

/** With the name of the secret it is replaced; a server without one gets the key as a header, if it then works. */
export function keepKey(
  setup: Setup,
  { server, secret }: { readonly server: string; readonly secret?: string },
  key: string,
): Promise<void> {
  const says = `Storing the key of ${short(server)}`;
  return doing(setup, { id: undefined, tool: 'give_key', says }, async () => {
    const { hub } = setup.agent;
    if (secret === undefined) await addHeader(setup, server, key);
    else await hub.secrets.set({ name: secret, value: key });
    setup.turn.did({ kind: 'key', server });
    return { value: undefined, says: 'The key is in the vault' };
  });
}

async function addHeader({ agent, signal }: Setup, server: string, key: string): Promise<void> {
  const { servers, secrets } = agent.hub;
  const definition = await servers.definition({ id: server });
  const { endpoint } = definition;
  if (endpoint.kind === 'stdio') {
    throw new PlugError('usage', `${server} runs on this machine and names no key that it takes.`, {
      owner: 'you',
      remedy: { do: 'edit-server', server, field: 'env' },
    });
  }
  const name = `${server}/Authorization`;
  await secrets.set({ name, value: key.replace(/^bearer\s+/i, '') });
  const headers = { ...endpoint.headers, Authorization: `Bearer \${vault:${name}}` };
  try {
    await servers.add(
      { definition: { ...definition, endpoint: { ...endpoint, headers } }, replace: true },
      { signal },
    );
  } catch (thrown) {
    await secrets.remove({ name });
    throw toPlugError(thrown);
  }
}
