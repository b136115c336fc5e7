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
  /** Aborted when the script has ended. */
  readonly signal: AbortSignal;
}

/** What a script may ask without calling a tool, with the arguments as it wrote them. */
export interface Lookups {
  search(query: Json | undefined, options: Json | undefined): Promise<Json>;
  describe(names: readonly Json[]): Promise<Json>;
}

type Ask = Extract<ThreadSaid, { kind: 'ask' }>;

/** Answers what a script asks: calls go the given way, a few at a time, and the others wait. */
export class Asks {
  readonly #options: AsksOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #calls = 0;

  constructor(options: AsksOptions) {
    this.#options = options;
  }

  /** How many tools were called. */
  get calls(): number {
    return this.#calls;
  }

  /** Never fails: a failure is an answer that the script may catch. */
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
    // The text was written by the machine's JSON.stringify.
    const value = JSON.parse(text) as Json;
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
      // The place goes to whoever waits longest, or is free.
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
 * What a tool's result is inside a script: its structured content; else its text, parsed if it is a
 * JSON object or list. A text such as `1.10` stays a text, because as a number it would be another.
 * Content that is not text alone is given as it is. A result that is an error is thrown.
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
    // What JSON.parse gives is JSON.
    return JSON.parse(text) as Json;
  } catch {
    return text; // it only looked like JSON
  }
}
