import type { LocalEndpoint, RemoteEndpoint, Endpoint, ServerDefinition } from './definition.ts';
import { defined } from '../base/defined.ts';
import type { Remedy } from '../base/remedy.ts';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { homedir } from 'node:os';
import { messageOf, PlugError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { judgeReference, textsOf, type TextPlace } from './outside-references.ts';
import {
  type MissingValue,
  type Placeholder,
  type PlaceholderKind,
  type PlaceholderSources,
  type ResolvedEndpoint,
  type ResolvedTexts,
  splitTemplate,
} from './placeholders.ts';
import { namesSecret } from '../base/secret-names.ts';
import { problemOfUrl } from './server-url.ts';

/**
 * Called when the server starts. Values are not expanded again. Invariant: every placeholder passes
 * `judgeReference` before any lookup, because the author of a definition receives what it sends.
 */
export async function resolveEndpoint(
  definition: Resolvable,
  sources: PlaceholderSources,
): Promise<ResolvedEndpoint> {
  const { endpoint } = definition;
  const run = new Resolution(sources, definition);
  const resolved = endpoint.kind === 'stdio' ? await run.local(endpoint) : await run.remote(endpoint);
  if (run.missing.length > 0) return { kind: 'missing', missing: run.missing };
  checkResolved(resolved);
  return { kind: 'ok', endpoint: resolved, secrets: [...run.secrets] };
}

/** For texts sent with a sign-in; values may span lines. */
export async function resolveSent(
  texts: Readonly<Record<string, string>>,
  definition: Resolvable,
  sources: PlaceholderSources,
): Promise<ResolvedTexts> {
  const run = new Resolution(sources, definition);
  const values = await run.record(texts, 'config.oauth');
  if (run.missing.length > 0) return { kind: 'missing', missing: run.missing };
  return { kind: 'ok', values, secrets: [...run.secrets] };
}

export type Resolvable = Pick<ServerDefinition, 'id' | 'endpoint' | 'source' | 'config'>;

/** Resolved values are checked like written ones, and not repeated. */
function checkResolved(endpoint: Endpoint): void {
  const refuse = (where: string, problem: string): never => {
    const message = `With its placeholders filled in, ${where} cannot be used: ${problem}.`;
    throw new PlugError('bad_config', message, { owner: 'you', details: { where } });
  };
  if (endpoint.kind === 'stdio') {
    const { command, args, cwd = '', env } = endpoint;
    if (command.trim() === '') refuse('command', 'it is empty');
    const fields = { command: [command], args, cwd: [cwd], env: Object.values(env) };
    for (const [field, texts] of Object.entries(fields))
      if (texts.some((text) => text.includes('\0'))) refuse(field, 'it holds a NUL character');
    return;
  }
  const problem = problemOfUrl(endpoint.url);
  if (problem !== undefined) refuse('url', problem);
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const bad = Object.entries(endpoint.headers).find(([, value]) => /[\0\r\n]/.test(value));
  if (bad) refuse(`headers.${bad[0]}`, 'it holds a line end or a NUL character');
}

class Resolution {
  readonly missing: MissingValue[] = [];
  readonly secrets = new Set<string>();
  readonly #sources: PlaceholderSources;
  readonly #definition: Resolvable;
  readonly #places: ReadonlyMap<string, TextPlace>;
  readonly #folder: string | undefined;
  readonly #values = new Map<string, Promise<string | Error | undefined>>();
  #chars = 0;

  constructor(sources: PlaceholderSources, definition: Resolvable) {
    const { file } = definition.source;
    this.#sources = sources;
    this.#definition = definition;
    this.#places = new Map(textsOf(definition.endpoint).map((place) => [place.where, place]));
    this.#folder = file === undefined ? undefined : dirname(file);
  }

  async local(endpoint: LocalEndpoint): Promise<Endpoint> {
    const command = await this.#text(endpoint.command, 'command');
    const args: string[] = [];
    for (const [index, arg] of endpoint.args.entries()) args.push(await this.#text(arg, `args[${index}]`));
    const env = await this.record(endpoint.env, 'env');
    if (endpoint.cwd === undefined) return { kind: 'stdio', command, args, env };
    return { kind: 'stdio', command, args, cwd: this.#path(await this.#text(endpoint.cwd, 'cwd')), env };
  }

  async remote(endpoint: RemoteEndpoint): Promise<Endpoint> {
    const url = await this.#text(endpoint.url, 'url');
    return { kind: endpoint.kind, url, headers: await this.record(endpoint.headers, 'headers') };
  }

  async record(record: Readonly<Record<string, string>>, field: string): Promise<Record<string, string>> {
    const resolved: [string, string][] = [];
    for (const [key, value] of Object.entries(record))
      resolved.push([key, await this.#text(value, `${field}.${key}`)]);
    return Object.fromEntries(resolved);
  }

  async #text(template: string, where: string): Promise<string> {
    let text = '';
    for (const part of splitTemplate(template)) {
      text += typeof part === 'string' ? part : ((await this.#value(part, where)) ?? '');
    }
    this.#chars += text.length;
    if (this.#chars > limits.configBytesMax) {
      throw new PlugError('too_large', `With its placeholders filled in, ${where} becomes too long.`, {
        owner: 'you',
        details: { where, max: limits.configBytesMax },
      });
    }
    return text;
  }

  async #value(placeholder: Placeholder, where: string): Promise<string | undefined> {
    const { kind, name, text, fallback } = placeholder;
    const miss = (reason: string, remedy?: Remedy): undefined => {
      this.missing.push({ placeholder: text, where, kind, reason, ...defined({ remedy }) });
    };
    if (kind === 'unknown') return miss('this placeholder is not understood');
    // A text outside the endpoint is sent.
    const place = this.#places.get(where) ?? { where, leaves: true };
    const { refused, asInput } = judgeReference(placeholder, place, this.#definition);
    if (refused) return miss(refused.reason, refused.remedy);
    const value = await this.#look(asInput ? 'input' : kind, name);
    if (value instanceof Error) return miss(value.message);
    const chosen = value === undefined || value === '' ? (fallback ?? value) : value;
    if (chosen === undefined) return asInput ? miss(asInput.reason, asInput.remedy) : miss(NOTHING[kind]);
    const secret =
      kind !== 'env' || asInput !== undefined || namesSecret(name) || (where !== 'url' && namesSecret(where));
    if (secret && chosen !== '' && chosen !== fallback) this.secrets.add(chosen);
    return chosen;
  }

  /** Each value is looked up once, so that all uses agree. */
  #look(kind: Exclude<PlaceholderKind, 'unknown'>, name: string): Promise<string | Error | undefined> {
    const key = `${kind}:${name}`;
    const look = async () => await this.#sources[kind](kind === 'file' ? this.#path(name) : name);
    const found = this.#values.get(key) ?? look().catch((error: unknown) => new Error(messageOf(error)));
    this.#values.set(key, found);
    return found;
  }

  #path(path: string): string {
    if (path === '~' || /^~[/\\]/.test(path)) return join(homedir(), path.slice(1));
    return isAbsolute(path) || this.#folder === undefined ? path : resolve(this.#folder, path);
  }
}

const NOTHING = {
  env: 'the variable is not set',
  input: 'no value was given',
  file: 'there is no such file',
  vault: 'the vault holds no such secret',
  command: 'the command printed nothing',
} as const;
