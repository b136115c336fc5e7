import type { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { ChatRequest } from '../../hub/hub.ts';
import type { Document as Parsed, KeyPath } from '../../servers/clients/documents/document.ts';
import { parseYaml } from '../../servers/clients/documents/yaml.ts';
import { userError } from '../failures.ts';
import type { DocumentGrant } from './grants.ts';

export interface PromptDocument {
  readonly prompt: string;
  readonly model?: string;
  readonly servers?: readonly string[];
  readonly mode?: NonNullable<ChatRequest['mode']>;
  readonly profile?: string;
  readonly instructions?: string;
  readonly grants: readonly DocumentGrant[];
}

export function parseDocument(text: string, file: string): PromptDocument {
  const { matter, body } = split(text, file);
  const prompt = body.trim();
  const read = matter === undefined ? { grants: [] } : new Matter(matter, file).read();
  if (prompt !== '') return { prompt, ...read };
  throw userError('usage', `${file} holds no prompt.`, {
    remedy: 'Write what the model should do, below the front matter if there is one.',
  });
}

function split(text: string, file: string): { readonly matter?: string; readonly body: string } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== FENCE) return { body: lines.join('\n') };
  const end = lines.findIndex((line, index) => index > 0 && /^(---|\.\.\.)\s*$/.test(line));
  if (end < 0) throw wrong(`${file}:1: the front matter has no end.`, 'Close it with a line of ---.');
  return { matter: lines.slice(1, end).join('\n'), body: lines.slice(end + 1).join('\n') };
}

const FENCE = '---';
const KEYS = ['model', 'servers', 'mode', 'profile', 'instructions', 'grants'] as const;
const MODES = ['auto', 'all', 'servers', 'search', 'code'] as const;

/** Whatever is not understood is an error: a key that is overlooked in silence may be the one that limits. */
class Matter {
  readonly #file: string;
  readonly #document: Parsed;

  constructor(text: string, file: string) {
    this.#file = file;
    const parsed = parseYaml(text);
    if (parsed.kind === 'malformed')
      throw wrong(`${file}:${parsed.line + 1}: the front matter isn’t YAML: ${parsed.reason}.`);
    this.#document = parsed.document;
  }

  read(): Omit<PromptDocument, 'prompt'> {
    const root = this.#document.value([]) ?? {};
    if (!isObject(root)) throw this.#wrong([], 'the front matter isn’t a list of keys');
    this.#checkKeys(root, KEYS, []);
    const { model, servers, mode, profile, instructions, grants } = root;
    return {
      ...this.#text('model', model),
      ...this.#text('profile', profile),
      ...this.#text('instructions', instructions),
      ...(servers === undefined || servers === null ? {} : { servers: this.#servers(servers) }),
      ...(mode === undefined || mode === null ? {} : { mode: this.#mode(mode) }),
      grants: this.#grants(grants ?? []),
    };
  }

  #text<Key extends string>(key: Key, value: unknown): { readonly [K in Key]?: string } {
    if (value === undefined || value === null) return {};
    if (typeof value === 'string' && value.trim() !== '') return { [key]: value } as { [K in Key]: string }; // one key
    throw this.#wrong([key], `“${key}” is a text`);
  }

  #servers(value: unknown): readonly string[] {
    const list: readonly unknown[] = typeof value === 'string' ? value.split(',') : asList(value);
    const names = list.map((name) => (typeof name === 'string' ? name.trim() : ''));
    if (names.length > 0 && names.every((name) => name !== '')) return names;
    throw this.#wrong(['servers'], '“servers” is a list of names, such as [github, linear]');
  }

  #mode(value: unknown): NonNullable<ChatRequest['mode']> {
    const mode = MODES.find((known) => known === value);
    if (mode) return mode;
    throw this.#wrong(['mode'], `“mode” is one of ${MODES.join(', ')}`);
  }

  #grants(value: unknown): readonly DocumentGrant[] {
    const list = asList(value);
    if (!Array.isArray(value) || list.length > documentLimits.grantsMax)
      throw this.#wrong(['grants'], `“grants” is a list of at most ${documentLimits.grantsMax} tools`);
    return list.map((grant, index) => this.#grant(grant, ['grants', String(index)]));
  }

  #grant(given: unknown, path: KeyPath): DocumentGrant {
    const grant = typeof given === 'string' ? { tool: given } : given;
    if (!isObject(grant)) throw this.#wrong(path, 'a grant is server/tool, or has “tool” and “args”');
    this.#checkKeys(grant, ['tool', 'args'], path);
    const { tool, args } = grant;
    if (typeof tool !== 'string' || !/^[^/\s]+(\/\S+)?$/.test(tool))
      throw this.#wrong(path, 'a grant names server/tool, or a server for all its read-only tools');
    if (args === undefined || args === null) return { tool };
    return { tool, args: this.#pattern(args, tool, [...path, 'args']) };
  }

  #pattern(args: unknown, tool: string, path: KeyPath): Readonly<Record<string, string>> {
    const entries = isObject(args) ? Object.entries(args) : [];
    const plain = entries.every(([, glob]) => ['string', 'number', 'boolean'].includes(typeof glob));
    const few = entries.length > 0 && entries.length <= documentLimits.grantPathsMax;
    if (plain && few && tool.includes('/'))
      return Object.fromEntries(entries.map(([name, glob]) => [name, String(glob)]));
    throw this.#wrong(path, '“args” of a tool says what each argument may be, such as repo: acme/*');
  }

  #checkKeys(value: object, known: readonly string[], path: KeyPath): void {
    for (const key of Object.keys(value)) {
      if (known.includes(key)) continue;
      const near = didYouMean(suggest(key, known));
      throw this.#wrong([...path, key], `“${key.slice(0, 40)}” is not known here. ${near}`.trim());
    }
  }

  #wrong(path: KeyPath, what: string): PlugError {
    const line = (this.#document.position(path)?.line ?? 1) + 1;
    return wrong(`${this.#file}:${line}: ${what.replace(/([^.?])$/, '$1.')}`);
  }
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function wrong(message: string, text = `Front matter knows ${KEYS.join(', ')}.`): PlugError {
  return userError('bad_config', `${message} Nothing ran.`, { remedy: { do: 'say', text } });
}

export const documentLimits = {
  promptBytesMax: 1024 * 1024,
  grantsMax: 100,
  grantPathsMax: 20,
  /** Text that is held back until it is sure how it must be shown. */
  heldCharsMax: 4_096,
} as const;
