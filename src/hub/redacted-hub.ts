import { PlugError, toPlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { lazyObject } from '../base/lazy-object.ts';
import type { Hub, HubEvent, WatchOptions } from './hub.ts';
import type { Operation } from './operations/operation.ts';
import { AREAS, operations, type Apis } from './operations/table.ts';
import { redactAnswer, type Redaction } from './redaction.ts';

interface RedactedHubOptions {
  readonly redaction: Redaction;
  /** Whether a text is the name of a server, which must stay as it is. */
  readonly isName: (text: string) => boolean;
}

/** All answers, failures, events and progress pass here on their way out. Servers' own answers stay whole. */
export function redactedHub(hub: Hub, options: RedactedHubOptions): Hub {
  const out = new WayOut(options);
  return Object.assign(
    // The same names, each with a method of the same type.
    lazyHub((name) => {
      const part: unknown = hub[name];
      return typeof part === 'function' ? out.method(name, part as Method) : out.api(name, part as Api);
    }),
    {
      watch: (given: WatchOptions) => out.events(hub.watch(given)),
      close: () => hub.close(),
      [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
    },
  );
}

const lazyHub = lazyObject<Apis & Pick<Hub, 'status'>>([...AREAS, 'status']);

type Method = (...args: unknown[]) => Promise<unknown>;
type Api = Readonly<Record<string, Method>>;
type Told = (note: unknown) => void;

class WayOut {
  readonly #redaction: Redaction;
  readonly #isName: (text: string) => boolean;
  // Once for all methods: a team has a face for each person.
  readonly #fail = (error: unknown): never => {
    throw this.#error(error);
  };
  readonly #answer = (value: unknown): unknown => redactAnswer(value, this.#redaction, this.#isName);
  readonly #answerLists = (value: unknown): unknown => this.#lists(value);

  constructor({ redaction, isName }: RedactedHubOptions) {
    this.#redaction = redaction;
    this.#isName = isName;
  }

  api(name: string, api: Api): Api {
    return Object.fromEntries(
      Object.entries(api).map(([method, run]) => [method, this.method(`${name}.${method}`, run)]),
    );
  }

  method(name: string, run: Method): Method {
    const redact = redactedIn(name);
    const fail = this.#fail;
    const answer = redact === 'lists' ? this.#answerLists : this.#answer;
    return (...args) => {
      try {
        // The list is this call's own, and is changed in place: every call of a tool comes here.
        for (let index = 0; index < args.length; index += 1) {
          args[index] = this.#withProgress(args[index], redact === 'answer');
        }
        const running = run(...args);
        return redact === 'progress' ? running.then(undefined, fail) : running.then(answer, fail);
      } catch (error) {
        return Promise.reject(this.#error(error));
      }
    };
  }

  async *events(events: AsyncIterable<HubEvent>): AsyncGenerator<HubEvent, void, void> {
    for await (const event of events) yield redactAnswer(event, this.#redaction, this.#isName);
  }

  /** Progress and logs are redacted too. */
  #withProgress(arg: unknown, whole: boolean): unknown {
    if (!isObject(arg)) return arg;
    const [told, logged] = [arg['onProgress'], arg['onLog']];
    if (typeof told !== 'function' && typeof logged !== 'function') return arg;
    return {
      ...arg,
      ...(typeof told === 'function' ? { onProgress: whole ? told : this.#redacting(told as Told) } : {}),
      ...(typeof logged === 'function' ? { onLog: this.#redacting(logged as Told) } : {}),
    };
  }

  #redacting(told: Told): Told {
    return (note) => told(redactAnswer(note, this.#redaction, this.#isName));
  }

  /** Definitions stay as the server sent them, so that schemas keep their meaning. */
  #lists(value: unknown): unknown {
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([field, list]) => [
        field,
        DEFINITIONS.has(field) ? this.#offers(list) : redactAnswer(list, this.#redaction, this.#isName),
      ]),
    );
  }

  #offers(list: unknown): unknown {
    if (!Array.isArray(list)) return list;
    const { redactForeign, redactDefinition } = this.#redaction;
    return list.map((offer: unknown) => {
      const definition = isObject(offer) ? offer['definition'] : undefined;
      // The rest of an offer is taken from its definition, which is looked at once.
      return isObject(definition) && redactDefinition(definition) === definition
        ? offer
        : redactForeign(offer);
    });
  }

  /** The same error when there is nothing to hide in it. */
  #error(thrown: unknown): unknown {
    const error = toPlugError(thrown);
    const view = error.toView();
    const shown = redactAnswer(view, this.#redaction, this.#isName);
    const trace = traceOf(thrown);
    const shownTrace = this.#redaction.redactText(trace);
    if (shown === view && shownTrace === trace) return thrown;
    const safe = PlugError.fromView(shown);
    // Where it happened is worth keeping; the causes' own objects are not, they hold the secret.
    safe.stack = shownTrace;
    return safe;
  }
}

/** What of an operation is redacted, as its row says; everything where it says nothing. */
function redactedIn(name: string): Operation['redact'] {
  const [area = '', method = ''] = name.split('.');
  const rows: Readonly<Record<string, Readonly<Record<string, Operation>>>> = operations;
  return rows[area]?.[method]?.redact;
}

function traceOf(error: unknown, depth = 0): string {
  if (depth > CAUSES_MAX) return '';
  if (!(error instanceof Error)) return typeof error === 'string' ? error : '';
  const cause = error.cause === undefined ? '' : `\nCause: ${traceOf(error.cause, depth + 1)}`;
  return `${error.stack ?? error.message}${cause}`;
}

const CAUSES_MAX = 8;

const DEFINITIONS: ReadonlySet<string> = new Set(['tools', 'resources', 'templates', 'prompts']);
