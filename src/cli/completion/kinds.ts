import type { Argument, Option } from 'commander';
import { defined } from '../../base/defined.ts';
import { isObject } from '../../base/json.ts';
import type { Approval, Hub, Offered } from '../../hub/hub.ts';
import { connectableClients } from '../../servers/clients/clients.ts';
import { settingKeys, settingValues } from '../config/settings.ts';
import { topics } from '../help/topics.ts';
import { firstSentence } from '../render/tool.ts';
import { canonicalRef, formsOf } from '../tool-lookup.ts';

export interface Candidate {
  readonly value: string;
  readonly description?: string | undefined;
}

export interface Kind {
  readonly kind: keyof typeof STATIC | keyof typeof HUB_NAMES;
  readonly list?: boolean;
  readonly choices?: readonly string[];
  readonly files?: boolean;
}

export type NamesOf = (
  kind: Kind,
  context: { readonly operands: readonly string[]; readonly typed: string },
) => Promise<readonly Candidate[]>;

const ANYTHING: Kind = { kind: 'anything' };

export function kindOfOption({ long = '', argChoices }: Option): Kind {
  if (argChoices) return { kind: 'choice', choices: argChoices };
  return OPTIONS[long ?? ''] ?? ANYTHING;
}

/** By the words that lead to the command, and by the argument's own name. */
export function kindOfArgument(path: string, argument: Argument): Kind {
  if (argument.argChoices) return { kind: 'choice', choices: argument.argChoices };
  const name = argument.name();
  return ARGUMENTS[`${path} ${name}`] ?? ARGUMENTS[name] ?? ANYTHING;
}

export function staticValues(kind: Kind, operands: readonly string[]): readonly Candidate[] | undefined {
  const values: Readonly<Record<string, StaticValues>> = STATIC;
  return values[kind.kind]?.(kind, operands);
}

type StaticValues = (kind: Kind, operands: readonly string[]) => readonly Candidate[];

const STATIC = {
  anything: () => [],
  files: () => [],
  choice: ({ choices = [] }) => choices.map((value) => ({ value })),
  client: () => connectableClients.map(({ name, title }) => named(name, title)),
  setting: () => settingKeys().map(({ key, says }) => named(key, says)),
  'setting-value': (_kind, [key = '']) => settingValues(key).map((value) => ({ value })),
  help: () => Object.entries(topics).map(([value, { says }]) => named(value, says)),
} satisfies Readonly<Record<string, StaticValues>>;

const FILES: Kind = { kind: 'files' };
const MODES = ['auto', 'all', 'servers', 'search', 'code'];

const OPTIONS: Readonly<Record<string, Kind>> = {
  '--server': { kind: 'server' },
  '--servers': { kind: 'server', list: true },
  '--profile': { kind: 'profile' },
  '--account': { kind: 'account' },
  '--tool': { kind: 'tool' },
  '--allow': { kind: 'tool', list: true },
  '--deny': { kind: 'tool', list: true },
  '--model': { kind: 'model' },
  '--mode': { kind: 'choice', choices: MODES },
  '--transport': { kind: 'choice', choices: ['http', 'sse', 'ws'] },
  '--to': { kind: 'client' },
  '--registry': { kind: 'choice', choices: ['official', 'smithery', 'both'], list: true },
  '--cwd': FILES,
  '--output': FILES,
  '--export': FILES,
};

const ARGUMENTS: Readonly<Record<string, Kind>> = {
  server: { kind: 'server' },
  'server/tool': { kind: 'tool' },
  client: { kind: 'client' },
  file: FILES,
  account: { kind: 'account' },
  uri: { kind: 'uri' },
  prompt: { kind: 'prompt' },
  'add anything': FILES,
  'add more': FILES,
  'call key=value': { kind: 'argument' },
  'grants revoke id': { kind: 'grant' },
  'host revoke name': { kind: 'host' },
  'read-only server': { kind: 'server', choices: ['on', 'off'] },
  'read-only on|off': { kind: 'choice', choices: ['on', 'off'] },
  'results id': { kind: 'result' },
  'approvals id': { kind: 'approval' },
  'approve id': { kind: 'approval' },
  'deny id': { kind: 'approval' },
  'profile show name': { kind: 'profile' },
  'profile save name': { kind: 'profile' },
  'profile remove name': { kind: 'profile' },
  'secrets set name': { kind: 'secret' },
  'secrets rm name': { kind: 'secret' },
  'model use name': { kind: 'model' },
  'model remove name': { kind: 'model' },
  'model test name': { kind: 'model' },
  'config get key': { kind: 'setting' },
  'config set key': { kind: 'setting' },
  'config set value': { kind: 'setting-value' },
  'rules default place': { kind: 'setting' },
  'rules default effect': { kind: 'choice', choices: ['allow', 'ask', 'deny'] },
  'help words': { kind: 'help' },
};

/** Without a running hub only the grammar completes: none is started for it. */
export function namesFrom(running: () => Promise<Hub | undefined>): NamesOf {
  const listers: Readonly<Record<string, Lister>> = HUB_NAMES;
  return async ({ kind }, { operands, typed }) => {
    const hub = await running();
    if (!hub) return [];
    await using open = hub;
    return (await listers[kind]?.(open, operands, typed)) ?? [];
  };
}

type Lister = (hub: Hub, operands: readonly string[], typed: string) => Promise<readonly Candidate[]>;

const HUB_NAMES = {
  server: async (hub) =>
    (await hub.servers.list()).servers.map(({ id, state }) => named(id, `${state.kind}: ${state.reason}`)),
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
  argument: async (hub, [typed = '']) => {
    const ref = await canonicalRef(hub, typed);
    const [server = ''] = ref.split('/', 1);
    const { tools } = await hub.tools.list({ server });
    const schema = tools.find((tool) => tool.ref === ref)?.definition['inputSchema'];
    const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
    return Object.entries(properties).map(([name, property]) =>
      named(`${name}=`, isObject(property) ? property['description'] : undefined),
    );
  },
  profile: async (hub) => (await hub.profiles.list()).map(({ name }) => named(name)),
  account: async (hub, [server]) =>
    (await hub.accounts.list(defined({ server }))).map((one) => named(one.account, one.displayName)),
  approval: async (hub) => (await hub.approvals.list()).map(withTool),
  grant: async (hub) => (await hub.grants.list()).map(({ id, says }) => named(id, says)),
  host: async (hub) => (await hub.hosts.list()).map(({ name, profile }) => named(name, profile ?? 'all')),
  result: async (hub) => (await hub.results.list()).map(withTool),
  secret: async (hub) => (await hub.secrets.list()).map((name) => named(name)),
  model: async (hub) => (await hub.models.list()).map(({ name, model }) => named(name, model)),
  uri: async (hub, [server]) => offered((await hub.resources.list(defined({ server }))).resources, 'uri'),
  prompt: async (hub, [server]) => offered((await hub.prompts.list(defined({ server }))).prompts, 'name'),
} satisfies Readonly<Record<string, Lister>>;

function withTool({ id, server, tool }: Pick<Approval, 'id' | 'server' | 'tool'>): Candidate {
  return named(id, `${server}/${tool}`);
}

function offered(all: readonly Offered[], field: string): readonly Candidate[] {
  return all.flatMap(({ definition }) => {
    const value = definition[field];
    return typeof value === 'string' ? [named(value, definition['description'])] : [];
  });
}

function named(value: string, description?: unknown): Candidate {
  return { value, description: typeof description === 'string' ? description : '' };
}
