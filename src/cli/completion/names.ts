import { isObject } from '../../base/json.ts';
import type { Hub } from '../../hub/hub.ts';
import { firstSentence } from '../render/tool.ts';
import { canonicalRef, formsOf } from '../tool-lookup.ts';
import type { Candidate } from './candidate.ts';
import type { NamesOf } from './complete.ts';

/** Names from a hub that runs. Without one only the grammar completes: none is started for it. */
export function namesFrom(running: () => Promise<Hub | undefined>): NamesOf {
  return async ({ kind }, { operands, typed }) => {
    const hub = await running();
    if (!hub) return [];
    await using open = hub;
    const lister = LISTERS[kind];
    return lister ? await lister(open, operands, typed) : [];
  };
}

type Lister = (hub: Hub, operands: readonly string[], typed: string) => Promise<readonly Candidate[]>;

const LISTERS: Readonly<Record<string, Lister>> = {
  server: async (hub) =>
    (await hub.servers.list()).servers.map(({ id, state }) => ({
      value: id,
      description: `${state.kind}: ${state.reason}`,
    })),
  tool: async (hub, _operands, typed) => {
    const { tools } = await hub.tools.list();
    // Names as models write them are offered to those who have begun one; else each would be there five times.
    const isCanonical = tools.some(({ ref }) => ref.startsWith(typed));
    const offered = await Promise.all(
      tools.map(async (tool) => {
        const values = isCanonical ? [tool.ref] : (await formsOf(tool)).forms;
        const description = firstSentence(tool.description ?? tool.title ?? '');
        return values.map((value) => ({ value, description }));
      }),
    );
    return offered.flat();
  },
  /** `plug call github/create_issue ti` is `title=`. */
  argument: async (hub, [typed = '']) => {
    const ref = await canonicalRef(hub, typed);
    const [server = ''] = ref.split('/', 1);
    const { tools } = await hub.tools.list({ server });
    const schema = tools.find((tool) => tool.ref === ref)?.definition['inputSchema'];
    const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
    return Object.entries(properties).map(([name, property]) => ({
      value: `${name}=`,
      description:
        isObject(property) && typeof property['description'] === 'string' ? property['description'] : '',
    }));
  },
  profile: async (hub) => (await hub.profiles.list()).map(({ name }) => ({ value: name })),
  account: async (hub, [server]) =>
    (await hub.accounts.list(server === undefined ? {} : { server })).map(({ account, displayName }) => ({
      value: account,
      description: displayName,
    })),
  approval: async (hub) =>
    (await hub.approvals.list()).map(({ id, server, tool }) => ({
      value: id,
      description: `${server}/${tool}`,
    })),
  grant: async (hub) => (await hub.grants.list()).map(({ id, says }) => ({ value: id, description: says })),
  host: async (hub) =>
    (await hub.hosts.list()).map(({ name, profile }) => ({ value: name, description: profile ?? 'all' })),
  result: async (hub) =>
    (await hub.results.list()).map(({ id, server, tool }) => ({
      value: id,
      description: `${server}/${tool}`,
    })),
  secret: async (hub) => (await hub.secrets.list()).map((value) => ({ value })),
  model: async (hub) =>
    (await hub.models.list()).map(({ name, model }) => ({ value: name, description: model })),
  uri: async (hub, [server]) =>
    texts((await hub.resources.list(server === undefined ? {} : { server })).resources, 'uri'),
  prompt: async (hub, [server]) =>
    texts((await hub.prompts.list(server === undefined ? {} : { server })).prompts, 'name'),
};

function texts(
  offered: readonly { readonly definition: Readonly<Record<string, unknown>> }[],
  field: string,
): readonly Candidate[] {
  return offered.flatMap(({ definition }) => {
    const value = definition[field];
    const description = definition['description'];
    if (typeof value !== 'string') return [];
    return [{ value, description: typeof description === 'string' ? description : '' }];
  });
}
