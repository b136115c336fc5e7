import { createHash } from 'node:crypto';
import { typescriptLimits as limits } from './limits.ts';

/** The names of the two types of a tool: `CreateIssueArgs` and `CreateIssueResult`. */
export interface TypeNames {
  readonly args: string;
  readonly result: string;
}

/**
 * Names for the types of tools. A name that only one tool has is taken from the tool; tools of
 * several servers that are called alike take their server's name along, and where that is not
 * enough all of them end in a hash. Who else is there in which order changes nothing.
 */
export function nameTypes(
  tools: readonly { readonly ref: string; readonly server: string; readonly name: string }[],
): ReadonlyMap<string, TypeNames> {
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
    const name = free ? base : `${full}_${hashOf(tool.ref)}`;
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

/** `create-issue`, `create_issue` and `createIssue` are all `CreateIssue`. */
function pascal(name: string): string {
  const words = name
    .slice(0, limits.identifierCharsMax)
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const text = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^\d/.test(text) || text === '' ? `_${text}` : text;
}

function hashOf(ref: string): string {
  return createHash('sha256').update(JSON.stringify(ref)).digest('hex').slice(0, 8);
}

/** Names that the file itself uses. */
const RESERVED: readonly string[] = ['Servers', 'Hub', 'TypedCallOptions', 'Promise', 'Array'];
