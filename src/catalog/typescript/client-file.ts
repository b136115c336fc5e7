import { createHash } from 'node:crypto';
import { type JsonObject, isObject } from '../../base/json.ts';
import { hashTool } from '../pin.ts';
import type { Tool } from '../tool.ts';
import { typescriptLimits as limits } from './limits.ts';
import { comment, propertyKey, words } from './literals.ts';
import { SchemaTypes } from './schema-types.ts';

export type TypedTool = Pick<
  Tool,
  'ref' | 'server' | 'name' | 'title' | 'description' | 'schema' | 'definition'
>;

export interface ClientFileOptions {
  readonly version: string;
  readonly learned: ReadonlyMap<string, { readonly schema: JsonObject; readonly seen: number }>;
  /** By server, such as “GitHub 1.2.3”. */
  readonly about: ReadonlyMap<string, string>;
  readonly program: boolean;
}

export interface ClientFile {
  readonly text: string;
  /** Tools whose names can't be methods. */
  readonly leftOut: readonly string[];
}

/** Identifies a generated file before it is overwritten. */
export const CLIENT_FILE_MARK = '// Types of the tools that Plugboard offers';

/** Deterministic. Servers' texts appear only in comments and strings, and can't end them. */
export function clientFile(given: readonly TypedTool[], options: ClientFileOptions): ClientFile {
  const all = given.toSorted((a, b) => compare(a.server, b.server) || compare(a.name, b.name));
  const tools = all.filter(({ server, name }) => !UNREACHABLE.has(name) && !UNREACHABLE.has(server));
  const names = nameTypes(tools);
  const taken = new Set([...names.values()].flatMap(({ args, result }) => [args, result]));
  const byServer = Map.groupBy(tools, ({ server }) => server);
  const parts = [
    header(byServer, options),
    servers(byServer, names, options),
    ...tools.map((tool) => typesOf(tool, names, taken, options)),
    ...(options.program ? [PROGRAM] : []),
  ];
  const leftOut = all.filter((tool) => !tools.includes(tool)).map(({ ref }) => ref);
  return { text: `${parts.join('\n\n')}\n`, leftOut };
}

type ByServer = ReadonlyMap<string, readonly TypedTool[]>;

function header(byServer: ByServer, { version, about, program }: ClientFileOptions): string {
  const lines = [...byServer].map(([server, tools]) => {
    const hash = createHash('sha256');
    for (const { definition } of tools) hash.update(hashTool(definition));
    const said = words(about.get(server) ?? '', limits.sentenceCharsMax);
    const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
    return `//   ${server}: ${said === '' ? '' : `${said}, `}${count}, sha256 ${hash.digest('hex').slice(0, 16)}`;
  });
  const imported = program
    ? "import { typedClient, type Hub, type TypedCallOptions } from 'plugboard';"
    : "import type { TypedCallOptions } from 'plugboard';";
  return [
    `${CLIENT_FILE_MARK}, by plug types (plugboard ${words(version, 40)}).`,
    ...lines,
    ...(program ? [] : ['//', '//   const servers = typedClient<Servers>(hub);']),
    '',
    imported,
  ].join('\n');
}

function servers(byServer: ByServer, names: ReadonlyMap<string, TypeNames>, { about }: ClientFileOptions) {
  const blocks = [...byServer].map(([server, tools]) => {
    const said = about.get(server);
    const lines = tools.map((tool) => `    ${method(tool, names)}`);
    const head = said === undefined ? '' : `  ${comment(words(said, limits.sentenceCharsMax))}\n`;
    return `${head}  readonly ${propertyKey(server)}: {\n${lines.join('\n')}\n  };`;
  });
  return `/** Every server with its tools. */\nexport interface Servers {\n${blocks.join('\n')}\n}`;
}

function method(tool: TypedTool, names: ReadonlyMap<string, TypeNames>): string {
  const { args, result } = names.get(tool.ref) ?? { args: 'unknown', result: 'unknown' };
  const about = words(tool.description ?? tool.title ?? '', limits.toolTextCharsMax);
  const optional = needsArguments(inputOf(tool)) ? '' : '?';
  const line = `${propertyKey(tool.name)}(args${optional}: ${args}, options?: TypedCallOptions): Promise<${result}>;`;
  return about === '' ? line : `${comment(about)}\n    ${line}`;
}

function typesOf(
  tool: TypedTool,
  names: ReadonlyMap<string, TypeNames>,
  taken: Set<string>,
  { learned }: ClientFileOptions,
): string {
  const { args, result } = names.get(tool.ref) ?? { args: '', result: '' };
  const output = tool.definition['outputSchema'];
  const known = isObject(output) ? undefined : learned.get(tool.ref);
  const from = known
    ? ` Learned from ${known.seen} ${known.seen === 1 ? 'result' : 'results'}: the server declares none.`
    : '';
  return [
    comment(`The arguments of ${words(tool.ref, limits.sentenceCharsMax)}.`),
    ...declared(args, inputOf(tool), taken),
    comment(`The result of ${words(tool.ref, limits.sentenceCharsMax)}.${from}`),
    ...declared(result, isObject(output) ? output : known?.schema, taken),
  ].join('\n');
}

function declared(name: string, schema: unknown, taken: Set<string>): readonly string[] {
  const root = isObject(schema) ? schema : undefined;
  if (!root) return [`export type ${name} = unknown;`];
  const types = new SchemaTypes({ root, prefix: name, taken });
  const { text } = types.typeOf(root, { depth: 0, indent: '', followed: new Set() });
  return [`export type ${name} = ${text};`, ...types.declarations];
}

function inputOf({ schema, definition }: TypedTool): unknown {
  return schema ?? definition['inputSchema'];
}

function needsArguments(schema: unknown): boolean {
  return isObject(schema) && Array.isArray(schema['required']) && schema['required'].length > 0;
}

/** The same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** An object with `then` is taken for a promise. */
const UNREACHABLE: ReadonlySet<string> = new Set(['then']);

const PROGRAM = `/** The tools of a hub, as methods. */
export function typed(hub: Hub): Servers {
  return typedClient<Servers>(hub);
}`;

interface TypeNames {
  readonly args: string;
  readonly result: string;
}

/** From the tool's name if unique, else with the server's, else with a hash. Independent of order. */
function nameTypes(tools: readonly { ref: string; server: string; name: string }[]) {
  const short = groupedBy(tools, ({ name }) => pascal(name));
  const long = groupedBy(tools, ({ server, name }) => `${pascal(server)}${pascal(name)}`);
  const taken = new Set<string>(RESERVED);
  const named = new Map<string, TypeNames>();
  for (const tool of tools) {
    const plain = pascal(tool.name);
    const full = `${pascal(tool.server)}${plain}`;
    const alone = (groups: ReadonlyMap<string, number>, name: string): boolean =>
      groups.get(name) === 1 && !/^_*\d*$/.test(name);
    const base =
      alone(short, plain) && !long.has(plain) ? plain : alone(long, full) && !short.has(full) ? full : '';
    const free = base !== '' && !taken.has(`${base}Args`) && !taken.has(`${base}Result`);
    const hash = createHash('sha256').update(JSON.stringify(tool.ref)).digest('hex').slice(0, 8);
    const name = free ? base : `${full}_${hash}`;
    const types = { args: `${name}Args`, result: `${name}Result` };
    taken.add(types.args).add(types.result);
    named.set(tool.ref, types);
  }
  return named;
}

function groupedBy<T>(items: readonly T[], nameOf: (item: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return counts;
}

/** `create-issue`, `create_issue` and `createIssue` are `CreateIssue`. */
function pascal(name: string): string {
  const words = name
    .slice(0, limits.identifierCharsMax)
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const text = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^\d/.test(text) || text === '' ? `_${text}` : text;
}

const RESERVED: readonly string[] = ['Servers', 'Hub', 'TypedCallOptions', 'Promise', 'Array'];
