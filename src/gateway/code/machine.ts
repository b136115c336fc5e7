import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';
import type { QuickJSContext, QuickJSHandle, QuickJSSyncVariant } from 'quickjs-emscripten-core';
import type { Clock } from '../../base/clock.ts';
import type { CodeLimits } from './limits.ts';
import { failureAtEnd, failureOfError, TROUBLES } from './machine-failure.ts';
import { PRELUDE } from './prelude.ts';
import type { Answer, AskKind, ThreadSaid } from './thread-messages.ts';

export interface MachineOptions {
  readonly limits: CodeLimits;
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly clock: Clock;
  /** The last message is exactly one `returned` or `failed`. */
  readonly onSaid: (said: ThreadSaid) => void;
}

export async function openMachine(options: MachineOptions): Promise<Machine> {
  const { limits } = options;
  // The runtime limit counts used memory; this bounds fragmentation too.
  const wasmMemory = new WebAssembly.Memory({
    initial: PAGES_AT_START,
    maximum: Math.max(PAGES_AT_START, Math.ceil((limits.memoryBytes + limits.machineBytes) / PAGE_BYTES)),
  });
  // The package's types describe its CommonJS build, where this is one `default` deeper.
  const machine = newVariant(variant as unknown as QuickJSSyncVariant, { wasmMemory });
  const module = await newQuickJSWASMModuleFromVariant(machine);
  const runtime = module.newRuntime();
  runtime.setMemoryLimit(limits.memoryBytes);
  runtime.setMaxStackSize(limits.stackBytes);
  return new Machine(runtime.newContext(), options);
}

/** Never disposed: its thread ends, and everything with it. */
export class Machine {
  readonly #context: QuickJSContext;
  readonly #options: MachineOptions;
  readonly #door: HostDoor;
  readonly #prelude: QuickJSHandle;
  #ownMs = 0;
  #since = 0;
  #isLate = false;
  #hasEnded = false;

  constructor(context: QuickJSContext, options: MachineOptions) {
    this.#context = context;
    this.#options = options;
    const { limits } = options;
    this.#door = { limits, asked: { call: 0, lookup: 0 }, open: 0, logged: { lines: 0, chars: 0 } };
    const host = context.newFunction('host', (...handles) => {
      const { said, refused } = answerHost(context, handles, this.#door);
      if (said) this.#say(said);
      return refused === undefined ? context.undefined : context.newString(refused);
    });
    const names = context.newFunction('names', (server) => {
      const known = server ? (options.names.get(context.getString(server)) ?? []) : [...options.names.keys()];
      return context.newString(JSON.stringify(known));
    });
    const make = context.unwrapResult(context.evalCode(PRELUDE, 'plugboard'));
    this.#prelude = context.unwrapResult(context.callFunction(make, context.undefined, host, names));
    context.runtime.setInterruptHandler(() => this.#isOverdue());
  }

  /** `text`: an expression whose value is an async function. */
  run(text: string): void {
    this.#enter(() => {
      const script = this.#context.evalCode(text, 'script.ts', { strict: true });
      if (script.error) return this.#threw(script.error);
      const started = this.#context.callMethod(this.#prelude, 'run', [script.value]);
      if (started.error) this.#threw(started.error);
    });
  }

  settle(answer: Answer): void {
    this.#enter(() => {
      this.#door.open -= 1;
      const context = this.#context;
      const { id, ok } = answer;
      const code = ok || answer.code === undefined ? context.undefined : context.newString(answer.code);
      const text = context.newString(ok ? answer.text : answer.message);
      const number = context.newNumber(id);
      const args = [number, ok ? context.true : context.false, text, code];
      const settled = context.callMethod(this.#prelude, 'settle', args);
      text.dispose();
      number.dispose();
      if (settled.error) this.#threw(settled.error);
    });
  }

  /** Counts time; a machine that breaks ends the script. */
  #enter(work: () => void): void {
    if (this.#hasEnded) return;
    const { clock } = this.#options;
    this.#since = clock.monotonic();
    try {
      work();
      this.#drain();
    } catch {
      this.#fail('broken');
    } finally {
      this.#ownMs += clock.monotonic() - this.#since;
    }
  }

  #drain(): void {
    const { runtime } = this.#context;
    while (!this.#hasEnded && runtime.hasPendingJob()) {
      const done = runtime.executePendingJobs(this.#options.limits.jobsAtOnce);
      if (done.error) this.#threw(done.error);
      else if (this.#isOverdue()) this.#fail('late');
    }
    // Nothing is left that could wake it.
    if (!this.#hasEnded && this.#door.open === 0) this.#fail('stuck');
  }

  #isOverdue(): boolean {
    const { clock, limits } = this.#options;
    this.#isLate ||= this.#ownMs + clock.monotonic() - this.#since > limits.ownMs;
    return this.#isLate;
  }

  #threw(error: QuickJSHandle): void {
    this.#say({ kind: 'failed', failure: failureOfError(this.#context.dump(error)) });
  }

  #fail(trouble: keyof typeof TROUBLES): void {
    this.#say({ kind: 'failed', failure: TROUBLES[trouble] });
  }

  #say(said: ThreadSaid): void {
    if (this.#hasEnded) return;
    this.#hasEnded = said.kind === 'returned' || said.kind === 'failed';
    const { onSaid, limits } = this.#options;
    // An async function turns an interruption into a rejection, which the script may catch.
    if (!this.#hasEnded || !this.#isLate) return onSaid(said);
    const { line, column } = said.kind === 'failed' ? said.failure : {};
    const message = `The script worked for longer than ${limits.ownMs / 1000} s.`;
    const place = { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
    onSaid({ kind: 'failed', failure: { kind: 'time', message, ...place } });
  }
}

/** Missing from Node's types. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => object;
};

const PAGE_BYTES = 65_536;
const PAGES_AT_START = 256;

interface HostDoor {
  readonly limits: CodeLimits;
  readonly asked: { call: number; lookup: number };
  open: number;
  readonly logged: { lines: number; chars: number };
}

interface DoorAnswer {
  readonly said?: ThreadSaid;
  readonly refused?: string;
}

/** Trust boundary: the script isn't believed, and no text is copied before its length is known. */
function answerHost(context: QuickJSContext, handles: readonly QuickJSHandle[], door: HostDoor): DoorAnswer {
  const { limits } = door;
  const charsMax = Math.max(limits.valueCharsMax, limits.argumentsCharsMax);
  const textIn = (handle: QuickJSHandle | undefined): string | undefined => {
    if (handle === undefined || context.typeof(handle) !== 'string') return undefined;
    const length = context.getProp(handle, 'length').consume((number) => context.getNumber(number));
    return length > charsMax ? undefined : context.getString(handle);
  };
  const [kind = '', ...texts] = [handles[0], ...handles.slice(2)].map(textIn);
  const id = handles[1] ? context.getNumber(handles[1]) : 0;
  const [first, second = '', third = ''] = texts;
  switch (kind) {
    case 'log':
      return logged(first ?? TOO_LONG, door);
    case 'returned':
      return returned(handles.length > 2, first, limits);
    case 'failed':
      return { said: { kind: 'failed', failure: failureAtEnd(first ?? '', cut(second, limits), third) } };
    case 'call':
    case 'search':
    case 'describe': {
      const refused = refusal(kind, first, door);
      if (refused !== undefined || first === undefined) return { refused: refused ?? TOO_LONG };
      door.open += 1;
      const path = texts.slice(1).map((text) => text ?? '');
      return { said: { kind: 'ask', id, what: kind, path, text: first } };
    }
    default:
      return {};
  }
}

function returned(hasValue: boolean, text: string | undefined, limits: CodeLimits): DoorAnswer {
  if (!hasValue) return { said: { kind: 'returned', text: undefined } };
  if (text !== undefined && text.length <= limits.valueCharsMax) return { said: { kind: 'returned', text } };
  const message = `The script returned more than ${limits.valueCharsMax} characters. Return less: pick the fields and rows that you need.`;
  return { said: { kind: 'failed', failure: { kind: 'too_large', message } } };
}

function refusal(kind: AskKind, text: string | undefined, door: HostDoor): string | undefined {
  const { asked } = door;
  const { callsMax, lookupsMax, argumentsCharsMax } = door.limits;
  const isTooLong = text === undefined || text.length > argumentsCharsMax;
  if (kind === 'call') {
    if (asked.call >= callsMax) return `A script may make ${callsMax} calls, and has made them.`;
    if (isTooLong) return `The arguments are longer than ${argumentsCharsMax} characters.`;
    asked.call += 1;
    return undefined;
  }
  if (asked.lookup >= lookupsMax) return `A script may look up tools ${lookupsMax} times, and has done so.`;
  asked.lookup += 1;
  return isTooLong ? TOO_LONG : undefined;
}

function logged(text: string, { limits, logged: sum }: HostDoor): DoorAnswer {
  const room = limits.logCharsMax - sum.chars;
  if (sum.lines > limits.logLinesMax || room < 0) return {};
  sum.lines += 1;
  sum.chars += text.length;
  if (sum.lines <= limits.logLinesMax && text.length <= room) return { said: { kind: 'log', text } };
  sum.chars = limits.logCharsMax + 1;
  const shown = sum.lines <= limits.logLinesMax ? text.slice(0, room) : '';
  return { said: { kind: 'log', text: `${shown}… (the rest of the console is left out)` } };
}

function cut(text: string, limits: CodeLimits): string {
  return text.length > limits.errorCharsMax ? `${text.slice(0, limits.errorCharsMax)}…` : text;
}

const TOO_LONG = 'This is too long.';
