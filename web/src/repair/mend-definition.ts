import type { ServerDefinition } from '../../../src/servers/definition.ts';
import type { Repair, RepairInput } from './repair.ts';

export interface Mended {
  readonly definition: ServerDefinition;
  /** New secrets by their names in the vault. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** The definition with the values that a person gave. A secret goes into the vault and is referred to. */
export function withValues(
  before: ServerDefinition,
  given: readonly { readonly input: RepairInput; readonly value: string }[],
): Mended {
  const secrets: Record<string, string> = {};
  let definition = before;
  for (const { input, value } of given) {
    const { to, kind } = input;
    if (to.in === 'vault') {
      secrets[to.secret] = value;
      continue;
    }
    const [scheme, bare] = to.in === 'header' ? schemeOf(to.name, value) : ['', value];
    const secret = `${before.id}/${plain(to.name)}`;
    if (kind === 'secret') secrets[secret] = bare;
    const text = kind === 'secret' ? `${scheme}\${vault:${secret}}` : value;
    definition = put(definition, to, text);
  }
  return { definition, secrets };
}

type Target = Exclude<RepairInput['to'], { in: 'vault' }>;

function put(definition: ServerDefinition, to: Target, text: string): ServerDefinition {
  const { endpoint } = definition;
  if (to.in === 'placeholder') return replaced(definition, to.placeholder, text);
  if (endpoint.kind !== 'stdio') {
    return { ...definition, endpoint: { ...endpoint, headers: { ...endpoint.headers, [to.name]: text } } };
  }
  if (to.in === 'env') {
    const args = passedOn(endpoint.command, endpoint.args, to.name);
    return { ...definition, endpoint: { ...endpoint, args, env: { ...endpoint.env, [to.name]: text } } };
  }
  const arg = to.name.startsWith('-') ? `${to.name}=${text}` : text;
  return { ...definition, endpoint: { ...endpoint, args: [...endpoint.args, arg] } };
}

/** In the place of a path that is not there; a server that named none gets it as its last argument. */
export function withFolder(
  definition: ServerDefinition,
  { path }: Extract<Repair, { form: 'folder' }>,
  folder: string,
): ServerDefinition {
  const { endpoint } = definition;
  if (endpoint.kind !== 'stdio') return definition;
  if (path !== undefined && JSON.stringify(endpoint).includes(inJson(path))) {
    return replaced(definition, path, folder);
  }
  return { ...definition, endpoint: { ...endpoint, args: [...endpoint.args, folder] } };
}

/** In the place of the taken one; a server that names no port may read the usual variable. */
export function withPort(definition: ServerDefinition, taken: number, port: number): ServerDefinition {
  const { endpoint } = definition;
  if (endpoint.kind !== 'stdio') return definition;
  const old = new RegExp(String.raw`(?<!\d)${taken}(?!\d)`, 'g');
  const change = (text: string): string => text.replaceAll(old, String(port));
  const args = endpoint.args.map(change);
  const env = Object.fromEntries(Object.entries(endpoint.env).map(([name, text]) => [name, change(text)]));
  const isNamed = JSON.stringify([args, env]) !== JSON.stringify([endpoint.args, endpoint.env]);
  return {
    ...definition,
    endpoint: { ...endpoint, args, env: isNamed ? env : { ...env, PORT: String(port) } },
  };
}

/** Everywhere in the endpoint. */
function replaced(definition: ServerDefinition, old: string, text: string): ServerDefinition {
  const change = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(old, () => text);
    if (Array.isArray(value)) return value.map(change);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(each)]));
  };
  // Only texts change, so it is still an endpoint of the same kind.
  return { ...definition, endpoint: change(definition.endpoint) as ServerDefinition['endpoint'] };
}

/** A container sees only the variables that its command names. */
function passedOn(command: string, args: readonly string[], name: string): readonly string[] {
  const at = args.indexOf('run');
  const isContainer = /(?:^|[/\\])(?:docker|podman|nerdctl)(?:\.exe)?$/i.test(command);
  const isNamed = args.some((arg) => arg === name || arg.endsWith(`=${name}`));
  return isContainer && at >= 0 && !isNamed ? args.toSpliced(at + 1, 0, '-e', name) : args;
}

/** People paste keys with and without the scheme in front. */
function schemeOf(header: string, value: string): readonly [scheme: string, bare: string] {
  const [, scheme, bare] = /^(bearer|basic|token)\s+(\S+)$/i.exec(value) ?? [];
  if (scheme !== undefined && bare !== undefined) return [`${scheme} `, bare];
  return [header.toLowerCase() === 'authorization' ? 'Bearer ' : '', value];
}

/** What may stand in the name of a secret. */
function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_.-]+/g, '-').replace(/^-+/, '');
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
