import { describeEndpoint, type ServerDefinition } from '../../servers/definition.ts';
import { freeId } from '../../servers/plans/id.ts';
import type { Workspace } from '../workspace.ts';

/** Another server under the same name is no error: the new one takes the next free name. */
export function freeIdFor(workspace: Workspace, definition: ServerDefinition, publisher?: string): string {
  const before = workspace.servers.find((server) => server.definition.id === definition.id)?.definition;
  if (!before || isSameServer(before, definition)) return definition.id;
  const isOther = before.package === undefined || before.package.name !== definition.package?.name;
  const maker = !isOther ? undefined : (publisher ?? /^@([^/]+)\//.exec(definition.package?.name ?? '')?.[1]);
  return freeId(definition.id, (id) => workspace.knows(id), maker);
}

/** The same package in another version, or the same address with another key, is the same server. */
function isSameServer(before: ServerDefinition, now: ServerDefinition): boolean {
  if (before.package && now.package)
    return before.package.name === now.package.name && operandsOf(before) === operandsOf(now);
  return describeEndpoint(before.endpoint) === describeEndpoint(now.endpoint);
}

/** Behind the package, without flags and their values: another folder, or another server that a runner runs. */
function operandsOf({ endpoint, package: pack }: ServerDefinition): string {
  if (endpoint.kind !== 'stdio' || !pack) return '';
  const at = endpoint.args.findIndex((arg) => arg === pack.name || arg.startsWith(`${pack.name}@`));
  const rest = endpoint.args.slice(at + 1);
  const isFlag = (word = ''): boolean => word.startsWith('-');
  return rest.filter((word, index) => !isFlag(word) && !isFlag(rest[index - 1])).join('\n');
}
