import { isObject } from '../../base/json.ts';
import { transportOfUrl } from './entry.ts';
import type { Draft } from './view.ts';

/** A registry's server.json: the first remote, else the first package that has an obvious command. */
export function readServerDocument(root: unknown): Draft | undefined {
  if (!isObject(root)) return undefined;
  const document =
    isObject(root['server']) && typeof root['server']['name'] === 'string' ? root['server'] : root;
  const { name, remotes, packages, version } = document;
  if (typeof name !== 'string' || !/^[\w.-]+\/[\w.-]+$/.test(name)) return undefined;
  const remote = Array.isArray(remotes)
    ? remotes.find((item) => isObject(item) && typeof item['url'] === 'string')
    : undefined;
  const base = {
    name: name.slice(name.indexOf('/') + 1),
    ref: { kind: 'mcp-registry' as const, id: name, ...(typeof version === 'string' ? { version } : {}) },
    extra: {},
  };
  if (isObject(remote) && typeof remote['url'] === 'string') {
    return {
      ...base,
      transport: remote['type'] === 'sse' ? 'sse' : transportOfUrl(remote['url']),
      url: remote['url'],
    };
  }
  const line = Array.isArray(packages)
    ? packages.map(commandOf).find((found) => found !== undefined)
    : undefined;
  return line || Array.isArray(packages) ? { ...base, transport: line ? 'stdio' : null, ...line } : undefined;
}

function commandOf(
  item: unknown,
): { command: string; args: readonly string[]; asked?: readonly string[] } | undefined {
  if (!isObject(item)) return undefined;
  const kind = item['registryType'] ?? item['registry_type'] ?? item['registry_name'];
  const id = item['identifier'] ?? item['name'];
  const version = item['version'];
  if (typeof id !== 'string') return undefined;
  const variables = item['environmentVariables'] ?? item['environment_variables'];
  const asked = Array.isArray(variables)
    ? variables
        .filter(isObject)
        .filter((variable) => variable['isRequired'] === true)
        .map((variable) => String(variable['name']))
    : [];
  const pinned = (sign: string): string =>
    typeof version === 'string' && version !== '' ? `${id}${sign}${version}` : id;
  const more = asked.length > 0 ? { asked } : {};
  if (kind === 'npm') return { command: 'npx', args: ['-y', pinned('@')], ...more };
  if (kind === 'pypi') return { command: 'uvx', args: [pinned('==')], ...more };
  if (kind === 'oci' || kind === 'docker') {
    const image = id.includes(':') ? id : pinned(':');
    return {
      command: 'docker',
      args: ['run', '-i', '--rm', ...asked.flatMap((name) => ['-e', name]), image],
      ...more,
    };
  }
  return undefined;
}
