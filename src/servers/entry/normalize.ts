import { isAbsolute, resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { PlaceholderSyntax, TextField } from '../clients/dialect.ts';
import {
  type Endpoint,
  type LocalEndpoint,
  type RemoteEndpoint,
  type ServerDefinition,
  type Source,
  defineServer,
  mapValues,
} from '../definition.ts';
import { findPlaceholders, joinTemplate, splitTemplate, type TemplatePart } from '../placeholders.ts';
import { kindOfUrl, problemOfUrlTemplate } from '../server-url.ts';
import {
  blanksInArgument,
  blanksInHeader,
  blanksInText,
  blanksInUrl,
  blanksInVariable,
  type Blank,
} from './blanks.ts';
import { wrong } from './checks.ts';
import type { ServerFields } from './fields.ts';
import type { DeclaredInput } from './inputs.ts';
import { displayName } from './names.ts';
import { dangerousNames, notesOnKept } from './notes.ts';
import { passedVariables } from './passed-variables.ts';
import { programAt } from './program-text.ts';
import { readText, type TextContext } from './texts.ts';
import { unwrap } from './unwrap.ts';

export interface NormalizeContext {
  readonly id: string;
  /** The key, or a name found otherwise; the entry's own name is preferred. */
  readonly name: string;
  readonly source: Source;
  /** Of the file: relative paths start there. */
  readonly folder?: string | undefined;
  /** What `${workspaceFolder}` stands for. */
  readonly workspace?: string | undefined;
  readonly inputs?: readonly DeclaredInput[];
  readonly syntax?: PlaceholderSyntax | undefined;
  /** In our own files `$${` is a literal `${`. */
  readonly escapes?: boolean;
  /** A wrong address, header or variable name fails the entry. */
  readonly strict: boolean;
}

export interface Normalized {
  readonly definition: ServerDefinition;
  /** Everything that was changed or is not acted on. */
  readonly notes: readonly string[];
  /** Variables that can change what code runs, and that nobody has allowed. */
  readonly dangers: readonly string[];
}

/** The one way from an entry to a definition, whoever wrote it and however it came here. */
export function normalize(fields: ServerFields, context: NormalizeContext): Normalized {
  const { id, name, source, strict } = context;
  const raw = rawEndpoint(fields);
  const unwrapped = raw.kind === 'stdio' ? unwrap(raw) : { endpoint: raw, notes: [] };
  const texts = textsFor(context);
  const endpoint = withFiles(readEndpoint(unwrapped.endpoint, texts, context), context.folder);
  if (strict) checkEndpoint(endpoint);
  const { timeouts, readOnly, keepAlive, sharing, auth, package: pack, config } = fields;
  const declared = [...(fields.inputs ?? []), ...(context.inputs ?? [])];
  const inputs = usedInputs(endpoint, declared);
  const extra: JsonObject = {
    ...fields.extra,
    ...(raw.kind !== 'stdio' && fields.env ? { env: fields.env } : {}),
    ...(inputs.length > 0 ? { inputs: inputs.map((input) => ({ ...input })) } : {}),
  };
  const allowDangerousEnv = mayAllow(source) ? fields.allowDangerousEnv : undefined;
  const definition = defineServer({
    id,
    name: displayName(fields.title ?? name, id),
    endpoint,
    source,
    enabled: fields.disabled !== true,
    tools: toolsOf(fields, unwrapped.deny ?? []),
    config: { ...presets(inputs), ...config },
    ...defined({ timeouts, readOnly, keepAlive, sharing, auth, package: pack, allowDangerousEnv }),
    extra,
  });
  const isIgnored = fields.allowDangerousEnv !== undefined && allowDangerousEnv === undefined;
  const notes = [
    ...(fields.notes ?? []),
    ...unwrapped.notes,
    ...notesOnKept(extra, endpoint),
    ...(isIgnored ? ['“allowDangerousEnv” counts only in a config file of yours; it is left out.'] : []),
  ];
  const names = endpoint.kind === 'stdio' ? dangerousNames(endpoint.env) : [];
  return { definition, notes, dangers: names.filter((each) => !allowDangerousEnv?.includes(each)) };
}

/** Said of a server that nobody has looked at yet. */
export function warningsOf({ notes, dangers }: Normalized): readonly string[] {
  const names = dangers.slice(0, 5).join(', ');
  return dangers.length === 0 ? notes : [...notes, `It sets ${names}, which can change what code runs.`];
}

/** Only a file of the user's own may lift a protection. */
function mayAllow({ kind }: Source): boolean {
  return kind === 'file';
}

function toolsOf({ tools = {} }: ServerFields, hidden: readonly string[]): ServerDefinition['tools'] {
  return hidden.length === 0 ? tools : { ...tools, deny: [...(tools.deny ?? []), ...hidden] };
}

/** Texts as written, with the variables that are only named. */
function rawEndpoint(fields: ServerFields): Endpoint {
  const { transport, command, url, headers = {}, args = [], cwd } = fields;
  if (url !== undefined && transport !== 'stdio') return { kind: transport ?? 'http', url, headers };
  const local = { kind: 'stdio' as const, command: command ?? '', args, ...defined({ cwd }) };
  const named = [...passedVariables(local).values()].flatMap(({ name, value }) =>
    value === undefined && !Object.hasOwn(fields.env ?? {}, name) ? [name] : [],
  );
  const outside = [...new Set([...named, ...(fields.asked ?? [])])];
  const env = { ...fields.env, ...Object.fromEntries(outside.map((name) => [name, `\${${name}}`])) };
  return { ...local, env };
}

type ReadOne = (text: string, field: TextField, samples: readonly Blank[], more?: TextContext) => string;

function textsFor({ syntax, workspace, escapes = false }: NormalizeContext): ReadOne {
  const context: TextContext = { syntax, workspace, escapes };
  return (text, field, samples, more) => readText(text, field, { ...context, ...more }, samples);
}

function readEndpoint(raw: Endpoint, text: ReadOne, context: NormalizeContext): Endpoint {
  if (raw.kind !== 'stdio') {
    const url = text(raw.url, 'url', blanksInUrl(raw.url));
    return {
      ...raw,
      url,
      headers: mapValues(raw.headers, (value, name) => text(value, 'headers', blanksInHeader(name, value))),
    };
  }
  const { command, cwd, env } = raw;
  return {
    kind: 'stdio',
    command: text(command, 'command', blanksInText(command)),
    args: readArguments(raw, text),
    ...(cwd === undefined ? {} : { cwd: folderOf(text(cwd, 'cwd', blanksInText(cwd)), context) }),
    env: mapValues(env, (value, name) => variableValue(value, name, text)),
  };
}

function readArguments(raw: LocalEndpoint, text: ReadOne): readonly string[] {
  const passed = passedVariables(raw);
  const [script, program] = [scriptAt(raw), programAt(raw)];
  return raw.args.map((arg, index) => {
    const more = index === script ? { script: { env: raw.env } } : {};
    const variable = passed.get(index);
    if (!variable)
      return text(arg, 'args', index === program ? [] : blanksInArgument(arg, raw.args[index - 1]), more);
    if (variable.value === undefined) return arg;
    const { name, value } = variable;
    return arg.slice(0, arg.length - value.length) + variableValue(value, name, text);
  });
}

/** The argument that a shell reads. */
function scriptAt({ command, args }: LocalEndpoint): number {
  if (!/(?:^|[/\\])(?:sh|bash|zsh|dash|ash|ksh|fish)(?:\.exe)?$/.test(command)) return -1;
  const flag = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  return flag < 0 ? -1 : flag + 1;
}

function variableValue(value: string, name: string, text: ReadOne): string {
  // GitHub's agent hands on secrets of this prefix by their bare name.
  if (/^\$?COPILOT_MCP_[A-Z0-9_]+$/.test(value)) return `\${${value.replace('$', '')}}`;
  return text(value, 'env', blanksInVariable(name, value));
}

/** A path that starts with `~` or a placeholder is resolved when the server starts. */
function folderOf(path: string, { folder, workspace }: NormalizeContext): string {
  const from = folder ?? workspace;
  return from === undefined || isOpenPath(path) ? path : resolve(from, path);
}

function isOpenPath(path: string): boolean {
  return isAbsolute(path) || /^(~($|[/\\])|\$\{|\{env:|[A-Za-z]:[/\\])/.test(path);
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
    if (typeof part === 'string' || part.kind !== 'file' || isOpenPath(part.name)) return part;
    const path = resolve(folder, part.name);
    // A brace in the path would end the placeholder early.
    if (path.includes('}') || path.includes('${')) return part;
    return { kind: 'file', name: path, text: `\${file:${path}}` };
  };
  return joinTemplate(splitTemplate(text).map(rewrite));
}

function checkEndpoint(endpoint: Endpoint): void {
  if (endpoint.kind === 'stdio') {
    const badName = Object.keys(endpoint.env).find((name) => name === '' || /[=\0]/.test(name));
    if (badName !== undefined) wrong(`env.${badName}`, 'a name without “=” and NUL');
    return;
  }
  checkAddress(endpoint);
  for (const [name, value] of Object.entries(endpoint.headers)) {
    if (!HEADER_NAME.test(name)) wrong(`headers.${name}`, 'named with letters, digits and dashes only');
    if (/[\r\n]/.test(value)) wrong(`headers.${name}`, 'one line');
  }
}

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

function checkAddress({ url, kind }: RemoteEndpoint): void {
  const problem = problemOfUrlTemplate(url);
  if (problem !== undefined) wrong('url', `an address, but ${problem}`);
  const byScheme = kindOfUrl(url);
  const isOpen = /^(\$\{|\{env:)/.test(url);
  if (isOpen || (kind === 'ws') === (byScheme === 'ws')) return;
  wrong('type', byScheme === 'ws' ? '“ws” for a ws:// address' : '“http” or “sse” for an http:// address');
}

/** Inputs are declared at the top of a file; each server takes the ones it uses. */
function usedInputs(endpoint: Endpoint, declared: readonly DeclaredInput[]): readonly DeclaredInput[] {
  if (declared.length === 0) return [];
  const texts =
    endpoint.kind === 'stdio'
      ? [endpoint.command, ...endpoint.args, endpoint.cwd ?? '', ...Object.values(endpoint.env)]
      : [endpoint.url, ...Object.values(endpoint.headers)];
  const used = new Set(
    texts.flatMap((text) =>
      findPlaceholders(text).flatMap(({ kind, name }) => (kind === 'input' ? [name] : [])),
    ),
  );
  const byId = new Map(declared.filter(({ id }) => used.has(id)).map((input) => [input.id, input]));
  return [...byId.values()];
}

/** A default is the answer until somebody gives another; a password has none. */
function presets(inputs: readonly DeclaredInput[]): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    inputs.flatMap(({ id, default: preset, password }) =>
      preset === undefined || password === true ? [] : [[id, preset]],
    ),
  );
}
