import { mapValues, type Endpoint } from './definition.ts';
import { isAbsolute, resolve } from 'node:path';
import { wrong, type EntryFields } from './_entry-fields.ts';
import { kindOfUrl, problemOfUrlTemplate } from './server-url.ts';
import { joinTemplate, splitTemplate, type TemplatePart } from './placeholders.ts';

export function readEndpoint(fields: EntryFields, folder: string | undefined): Endpoint {
  const command = fields.peek('command') !== undefined;
  const url = fields.peek('url') !== undefined;
  if (command && url) return wrong('command', 'left out where “url” is given: a server has one of the two');
  if (!command && !url) return wrong('command', 'given, or “url”: nothing says how to reach this server');
  const kind = readKind(fields);
  return withFiles(command ? readLocal(fields, kind, folder) : readRemote(fields, kind), folder);
}

const KINDS: Readonly<Record<string, Endpoint['kind']>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamable_http: 'http',
  streamableHttp: 'http',
  remote: 'http',
  sse: 'sse',
  ws: 'ws',
  websocket: 'ws',
};

function readKind(fields: EntryFields): Endpoint['kind'] | undefined {
  const [type, transport] = [
    fields.oneOf('type', Object.keys(KINDS)),
    fields.oneOf('transport', Object.keys(KINDS)),
  ];
  if (type !== undefined && transport !== undefined && KINDS[type] !== KINDS[transport])
    return wrong('transport', 'the same as “type”');
  const word = type ?? transport;
  return word === undefined ? undefined : KINDS[word];
}

function readLocal(
  fields: EntryFields,
  kind: Endpoint['kind'] | undefined,
  folder: string | undefined,
): Endpoint {
  if (kind !== undefined && kind !== 'stdio') return wrong('type', '“stdio” for a server with a “command”');
  const cwd = fields.text('cwd');
  const env = fields.record('env') ?? {};
  const badName = Object.keys(env).find((name) => name === '' || /[=\0]/.test(name));
  if (badName !== undefined) return wrong(`env.${badName}`, 'a name without “=” and NUL');
  return {
    kind: 'stdio',
    command: fields.text('command') ?? '',
    args: fields.texts('args') ?? [],
    ...(cwd === undefined ? {} : { cwd: absolute(cwd, folder) }),
    env,
  };
}

function readRemote(fields: EntryFields, kind: Endpoint['kind'] | undefined): Endpoint {
  if (kind === 'stdio') return wrong('type', 'http, sse or ws for a server with a “url”');
  const url = fields.text('url') ?? '';
  const problem = problemOfUrlTemplate(url);
  if (problem !== undefined) return wrong('url', `an address, but ${problem}`);
  const byScheme = kindOfUrl(url);
  const open = /^(\$\{|\{env:)/.test(url);
  if (!open && kind !== undefined && (kind === 'ws') !== (byScheme === 'ws')) {
    return wrong(
      'type',
      byScheme === 'ws' ? '“ws” for a ws:// address' : '“http” or “sse” for an http:// address',
    );
  }
  const headers = fields.record('headers') ?? {};
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name))
      return wrong(`headers.${name}`, 'named with letters, digits and dashes only');
    if (/[\r\n]/.test(value)) return wrong(`headers.${name}`, 'one line');
  }
  return { kind: kind ?? byScheme, url, headers };
}

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** A path that starts with `~` or a placeholder is resolved when the server starts. */
function absolute(path: string, folder: string | undefined): string {
  if (folder === undefined || isAbsolute(path) || /^(~($|[/\\])|\$\{|\{env:)/.test(path)) return path;
  return resolve(folder, path);
}

/** Makes `${file:key.txt}` absolute, so that the definition doesn't depend on its file. */
function withFiles(endpoint: Endpoint, folder: string | undefined): Endpoint {
  if (folder === undefined) return endpoint;
  const fix = (text: string): string => absoluteFiles(text, folder);
  if (endpoint.kind !== 'stdio')
    return { ...endpoint, url: fix(endpoint.url), headers: mapValues(endpoint.headers, fix) };
  return {
    ...endpoint,
    command: fix(endpoint.command),
    args: endpoint.args.map(fix),
    ...(endpoint.cwd === undefined ? {} : { cwd: fix(endpoint.cwd) }),
    env: mapValues(endpoint.env, fix),
  };
}

function absoluteFiles(text: string, folder: string): string {
  if (!text.includes('${file:')) return text;
  const rewrite = (part: TemplatePart): TemplatePart => {
    if (typeof part === 'string' || part.kind !== 'file') return part;
    const path = absolute(part.name, folder);
    // A brace in the path would end the placeholder early.
    if (path.includes('}') || path.includes('${')) return part;
    return { kind: 'file', name: path, text: `\${file:${path}}` };
  };
  return joinTemplate(splitTemplate(text).map(rewrite));
}
