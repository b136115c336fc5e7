import { toldToModel } from '../../base/remedy-sentence.ts';
import { messageOf, PlugError } from '../../base/errors.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { ToolNames } from '../../catalog/typescript/identifiers.ts';
import type { CodeLimits } from './limits.ts';
import type { Answer, ThreadSaid } from './thread-messages.ts';

export interface AsksOptions {
  readonly tools: ToolNames;
  readonly call: (ref: string, args: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
  readonly lookups: Lookups;
  readonly limits: CodeLimits;
  readonly signal: AbortSignal;
}

/** Arguments are as the script wrote them. */
export interface Lookups {
  search(query: Json | undefined, options: Json | undefined): Promise<Json>;
  describe(names: readonly Json[]): Promise<Json>;
}

type Ask = Extract<ThreadSaid, { kind: 'ask' }>;

/** Calls run a few at a time; the others wait. */
export class Asks {
  readonly #options: AsksOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #calls = 0;

  constructor(options: AsksOptions) {
    this.#options = options;
  }

  get calls(): number {
    return this.#calls;
  }

  /** Never rejects: a failure is an answer that the script may catch. */
  async answer(ask: Ask): Promise<Answer> {
    try {
      const text = JSON.stringify(await this.#valueOf(ask));
      const { callResultCharsMax } = this.#options.limits;
      if (text.length <= callResultCharsMax) return { id: ask.id, ok: true, text };
      const message = `The result has ${text.length} characters, and a script takes ${callResultCharsMax}. Ask the tool for less.`;
      return { id: ask.id, ok: false, message, code: 'too_large' };
    } catch (error) {
      if (!(error instanceof PlugError)) return { id: ask.id, ok: false, message: messageOf(error) };
      const message = toldToModel(error.message, error.remedy);
      return { id: ask.id, ok: false, message, code: error.code };
    }
  }

  async #valueOf({ what, path, text }: Ask): Promise<Json> {
    const value = JSON.parse(text) as Json; // written by JSON.stringify
    const { lookups } = this.#options;
    if (what === 'call') return this.#call(path, isObject(value) ? value : {});
    const list = Array.isArray(value) ? value : [];
    return what === 'search' ? lookups.search(list[0], list[1]) : lookups.describe(list);
  }

  async #call([server = '', tool = '']: readonly string[], args: JsonObject): Promise<Json> {
    const { tools, call, signal, limits } = this.#options;
    const ref = tools.refOf(server, tool);
    if (ref === undefined) throw noSuchTool(server, tool, tools);
    if (this.#running >= limits.callsAtOnceMax) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      signal.throwIfAborted();
      this.#calls += 1;
      return toolValue(await call(ref, args, signal));
    } finally {
      // The slot goes to the longest waiter.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

function noSuchTool(server: string, tool: string, tools: ToolNames): PlugError {
  const own = tools.servers.get(server);
  const word = own === undefined ? server : tool;
  const guesses = didYouMean(suggest(word, own ?? [...tools.servers.keys()]));
  const what = own === undefined ? `There is no server “${server}”.` : `${server} has no tool “${tool}”.`;
  return new PlugError('not_found', guesses === '' ? what : `${what} ${guesses}`, {
    owner: 'you',
    remedy: "Look for it with tools.search('…').",
  });
}

/**
 * A tool's result in a script: structured content, else text, parsed if it is a JSON object or list (`1.10`
 * stays text). Other content is passed as is; an error result is thrown.
 */
function toolValue(result: JsonObject): Json {
  const content = Array.isArray(result['content']) ? result['content'] : [];
  const texts = content.flatMap((item: unknown) =>
    isObject(item) && item['type'] === 'text' && typeof item['text'] === 'string' ? [item['text']] : [],
  );
  const text = texts.join('\n');
  if (result['isError'] === true) {
    throw new PlugError('server_error', text === '' ? 'The tool failed and did not say why.' : text, {
      owner: 'server',
    });
  }
  if (result['structuredContent'] !== undefined) return result['structuredContent'];
  return texts.length === content.length ? parsed(text) : content;
}

function parsed(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as Json; // JSON.parse makes nothing but JSON
  } catch {
    return text; // it only looked like JSON
  }
}
