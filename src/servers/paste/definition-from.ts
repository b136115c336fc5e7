import { defined } from '../../base/defined.ts';
import type { AuthKind, Endpoint, ServerDefinition, Source } from '../definition.ts';
import { mapValues, defineServer, plainId } from '../definition.ts';
import { PlugError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { namesSecret } from '../../base/secret-names.ts';
import { blanksInText, blanksInUrl, blanksInVariable, type Blank } from './blanks.ts';
import { blanksInArgument, blanksInHeader, passedVariables } from './needs.ts';
import type { PastedServer } from './paste.ts';

/** Sample text such as `your-key` becomes an input; `$VAR` and `{{VAR}}` become our placeholders. */
export function definitionFrom(
  pasted: PastedServer,
  { id, source }: { readonly id?: string; readonly source: Source },
): ServerDefinition {
  if (pasted.declined !== undefined) throw new PlugError('usage', pasted.declined, { owner: 'you' });
  const endpoint = endpointOf(pasted);
  const name = pasted.name ?? nameOf(pasted);
  const { timeouts, tools, inputs } = pasted;
  return defineServer({
    id: id ?? idFrom(name),
    name: name.slice(0, limits.serverNameCharsMax),
    endpoint,
    source,
    auth: authOf(endpoint),
    enabled: pasted.disabled !== true,
    ...defined({ timeouts, tools }),
    readOnly: pasted.readOnly === true,
    extra: { ...pasted.extra, ...defined({ inputs: inputs?.map((input) => ({ ...input })) }) },
  });
}

/** “My Server (beta)” is `my-server-beta`. */
export function idFrom(name: string): string {
  // A reserved word becomes an id with the prefix “server-”.
  return plainId(name) ?? plainId(`server-${name}`) ?? 'server';
}

function endpointOf(pasted: PastedServer): Endpoint {
  const { transport, command, url, ref } = pasted;
  if (url !== undefined && transport !== 'stdio') {
    const headers = mapValues(pasted.headers ?? {}, (value) => filled(value, blanksInHeader(value)));
    return { kind: transport ?? 'http', url: filled(url, blanksInUrl(url)), headers };
  }
  if (command === undefined) {
    const where = ref ? `${ref.kind} ${ref.id}` : 'this paste';
    const message = `${where} says where the server is published, not how to start or reach it.`;
    throw new PlugError('bad_config', message, {
      owner: 'you',
      remedy: ref
        ? { do: 'add-server', name: ref.id }
        : { do: 'say', text: 'Paste its config, its command or its address.' },
    });
  }
  return {
    kind: 'stdio',
    command: filled(command, blanksInText(command)),
    args: argumentsOf(pasted),
    ...(pasted.cwd === undefined ? {} : { cwd: filled(pasted.cwd, blanksInText(pasted.cwd)) }),
    env: variablesOf(pasted),
  };
}

function argumentsOf(pasted: PastedServer): readonly string[] {
  const passed = passedVariables(pasted);
  return (pasted.args ?? []).map((arg, index) => {
    const variable = passed.get(index);
    if (!variable) return filled(arg, blanksInArgument(arg));
    if (variable.value === undefined) return arg;
    const value = filled(variable.value, blanksInVariable(variable.name, variable.value));
    return arg.slice(0, arg.length - variable.value.length) + value;
  });
}

function variablesOf(pasted: PastedServer): Readonly<Record<string, string>> {
  const given = mapValues(pasted.env ?? {}, (value, name) => filled(value, blanksInVariable(name, value)));
  const isKnown = (name: string): boolean => Object.hasOwn(given, name);
  const bare = [...passedVariables(pasted).values()].flatMap(({ name, value }) =>
    value === undefined && !isKnown(name) ? [name] : [],
  );
  const text = JSON.stringify([pasted.command, pasted.args, pasted.env, pasted.cwd]);
  // Needed but used nowhere else: listed by name, as in goose's env_keys.
  const listed = pasted.needs.filter(
    (need) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(need) && !isKnown(need) && !text.includes(need),
  );
  return Object.fromEntries([
    ...Object.entries(given),
    ...[...bare, ...listed].map((name): [string, string] => [name, input(name)]),
  ]);
}

function filled(text: string, blanks: readonly Blank[]): string {
  let out = '';
  let at = 0;
  for (const { from, to, kind, name, source } of blanks) {
    if (from < at) continue;
    const written = text.slice(from, to);
    const ours =
      kind === 'reference' &&
      (/^\$\{(?:env:|input:)?[\w.-]+\}$/.test(written) || /^\{env:\w+\}$/.test(written));
    out += text.slice(at, from) + (ours ? written : source === 'env' ? `\${${name}}` : input(name));
    at = to;
  }
  return out + text.slice(at);
}

/** “your API key” becomes `your-API-key`. */
function input(name: string): string {
  const id = name
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 64);
  return `\${input:${id === '' ? 'value' : id}}`;
}

/** A remote server that names no key is probed later. */
function authOf(endpoint: Endpoint): AuthKind {
  if (endpoint.kind !== 'stdio')
    return Object.keys(endpoint.headers).some(namesSecret) ? 'header' : 'unknown';
  const names = Object.keys(endpoint.env);
  const has = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  if (has(/CLIENT_ID$/i) && has(/CLIENT_SECRET$/i)) return 'oauth';
  if (has(/(?:CREDENTIALS|KEY_?FILE|KEY_PATH|_PEM)(?:_(?:FILE|PATH))?$/i)) return 'key-file';
  if (names.some(namesSecret)) return 'key';
  return names.length === 0 ? 'none' : 'unknown';
}

function nameOf({ url, command, args = [], ref }: PastedServer): string {
  if (ref) return ref.id.split('/').at(-1) ?? ref.id;
  if (url !== undefined) {
    const host = /^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(url)?.[1] ?? 'server';
    const labels = /^[\d.]+$/.test(host) ? [host] : host.split('.');
    const parts = (labels.length > 1 ? labels.slice(0, -1) : labels).filter((part) => !GENERIC.test(part));
    return parts.at(-1) ?? host;
  }
  const isName = (arg: string): boolean =>
    !arg.startsWith('-') && /[a-z]/i.test(arg) && !/^(?:run|exec|dlx|tool|x)$/.test(arg);
  const target = (args.find(isName) ?? command ?? 'server').replace(/(?<=.)@[^/]*$/, '');
  const last = target.split(/[/\\]/).at(-1) ?? target;
  return last.replace(/\.(?:[cm]?[jt]s|py|exe)$/, '').replace(/^(?:mcp-server-|server-)/, '') || 'server';
}

const GENERIC = /^(?:www|mcp|api|server|app|com|co)$/i;
