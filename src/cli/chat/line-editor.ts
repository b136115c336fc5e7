import { createInterface, type Interface, type Key } from 'node:readline';
import { Readable, type Writable } from 'node:stream';
import type { Keyboard } from './keyboard.ts';
import { chatLimits } from './limits.ts';

export type Read =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'leave' | 'interrupt' };

interface ReadOptions {
  readonly keyboard: Keyboard;
  readonly output: Writable;
  readonly prompt: string;
  readonly preset: string;
  /** Newest first. */
  readonly history: readonly string[];
  readonly complete: (line: string) => Promise<Completion>;
  readonly signal: AbortSignal;
}

export type Completion = readonly [choices: readonly string[], end: string];

/** Ctrl-C clears the line, and leaves when pressed twice on an empty one; Ctrl-D leaves at once. */
export async function readMessage(options: ReadOptions): Promise<Read> {
  const { keyboard, output, signal } = options;
  signal.throwIfAborted();
  using borrowed = keyboard.borrow();
  const { promise, resolve, reject } = Promise.withResolvers<Read>();
  // The reason is whatever the caller aborts with.
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  output.write(MARK_PASTES);
  const close = edit(options, borrowed.input, resolve);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    close();
    output.write(MARK_NO_PASTES);
  }
}

function edit(options: ReadOptions, typed: Readable, settle: (read: Read) => void): () => void {
  const { prompt, preset, history, keyboard } = options;
  const before: string[] = [];
  const filter = new PasteFilter();
  // Line ends inside a paste would each send a message: readline gets keys only, handed on by hand.
  const keys = new Readable({ read: () => undefined });
  let marks = lineMarksFor(history.join('') + preset);
  const lines = open(options, keys, marks);
  const warning = { given: false };
  typed.on('data', (chunk: Buffer) => {
    for (const { kind, text } of filter.take(chunk.toString())) {
      if (kind === 'keys') keys.emit('data', Buffer.from(text));
      else {
        if (!marks.fit(text)) marks = remark(lines, marks, text);
        lines.write(marks.shown(text));
      }
    }
  });
  typed.once('end', () => settle({ kind: 'leave' }));
  keys.on('keypress', (_text: string | undefined, { name, ctrl }: Key) => {
    if (!(ctrl && name === 'c')) warning.given = false;
  });
  lines.on('line', (line) => {
    const text = marks.meant(line);
    if (text.endsWith('\\')) {
      before.push(text.slice(0, -1));
      lines.setPrompt('… ');
      return lines.prompt();
    }
    return settle({ kind: 'message', text: [...before, text].join('\n') });
  });
  lines.on('SIGINT', () => interrupt({ lines, before, warning }, options, settle));
  lines.on('SIGTSTP', () => suspend(lines, keyboard));
  const onClose = (): void => settle({ kind: 'leave' }); // Ctrl-D
  lines.on('close', onClose);
  lines.setPrompt(prompt);
  lines.prompt();
  if (preset !== '') lines.write(marks.shown(preset));
  return () => {
    lines.off('close', onClose);
    lines.close();
  };
}

function open({ output, history, complete }: ReadOptions, keys: Readable, marks: LineMarks): Interface {
  return createInterface({
    input: keys,
    output,
    terminal: true,
    history: history.map((text) => marks.shown(text)),
    historySize: history.length + 1,
    removeHistoryDuplicates: true,
    completer: (line: string, answer: (error: null, found: [string[], string]) => void) => {
      complete(line).then(
        ([choices, end]) => answer(null, [[...choices], end]),
        () => answer(null, [[], line]), // names that cannot be had are not completed
      );
    },
  });
}

/** A paste may hold the very sign that stands for a line end: then another one stands for it. */
function remark(lines: Interface, marks: LineMarks, pasted: string): LineMarks {
  const meant = marks.meant(lines.line);
  const next = lineMarksFor(meant + pasted);
  const line = next.shown(meant);
  if (line === lines.line) return next;
  clearLine(lines);
  lines.write(line);
  return next;
}

function interrupt(args: Editing, { output, prompt }: ReadOptions, settle: (read: Read) => void): void {
  const { lines, before, warning } = args;
  const isEmpty = lines.line === '' && before.length === 0;
  if (isEmpty && warning.given) {
    output.write('\n');
    return settle({ kind: 'interrupt' });
  }
  warning.given = isEmpty;
  before.length = 0;
  clearLine(lines);
  output.write(isEmpty ? '\n(Ctrl-C again to leave)\n' : '\n');
  lines.setPrompt(prompt);
  return lines.prompt();
}

interface Editing {
  readonly lines: Interface;
  readonly before: string[];
  readonly warning: { given: boolean };
}

function clearLine(lines: Interface): void {
  lines.write(null, { ctrl: true, name: 'e' });
  lines.write(null, { ctrl: true, name: 'u' });
}

/** Ctrl-Z: the shell gets its terminal back as it was, and we take it again afterwards. */
function suspend(lines: Interface, keyboard: Keyboard): void {
  process.once('SIGCONT', () => {
    keyboard.raw(true);
    lines.prompt(true);
  });
  keyboard.raw(false);
  process.kill(process.pid, 'SIGTSTP');
}

/** Shows line ends and tabs as signs that the text doesn't contain, and turns them back when sent. */
interface LineMarks {
  readonly shown: (text: string) => string;
  readonly meant: (shown: string) => string;
  readonly fit: (text: string) => boolean;
}

export function lineMarksFor(text: string): LineMarks {
  const end = LINE_ENDS.find((sign) => !text.includes(sign)) ?? '\ue00a';
  const tab = TABS.find((sign) => !text.includes(sign)) ?? '\ue009';
  return {
    shown: (plain) =>
      plain
        .replaceAll(/\r\n?|\n/g, end)
        .replaceAll('\t', tab)
        .replaceAll(/\p{Cc}/gu, ''),
    fit: (plain) => !plain.includes(end) && !plain.includes(tab),
    meant: (shown) => shown.replaceAll(end, '\n').replaceAll(tab, '\t'),
  };
}

const LINE_ENDS = ['↵', '⏎', '␤'];
const TABS = ['⇥', '↹', '␉'];

type Typed = { readonly kind: 'keys' | 'paste'; readonly text: string };

export class PasteFilter {
  #held = '';
  #pasted: string | undefined;

  take(chunk: string): readonly Typed[] {
    const found: Typed[] = [];
    let text = this.#held + chunk;
    this.#held = '';
    while (text !== '') {
      const mark = this.#pasted === undefined ? BEGIN : END;
      const at = text.indexOf(mark);
      const before = at >= 0 ? text.slice(0, at) : text.slice(0, text.length - beginningOf(mark, text));
      if (this.#pasted === undefined) {
        if (before !== '') found.push({ kind: 'keys', text: before });
      } else this.#pasted = (this.#pasted + before).slice(0, chatLimits.pasteChars);
      if (at < 0) {
        this.#held = text.slice(before.length);
        break;
      }
      if (this.#pasted === undefined) this.#pasted = '';
      else {
        found.push({ kind: 'paste', text: this.#pasted });
        this.#pasted = undefined;
      }
      text = text.slice(at + mark.length);
    }
    // A bare Esc is a key of its own; only what has more of a mark than that waits for its rest.
    if (this.#pasted === undefined && this.#held === '\u001b') {
      found.push({ kind: 'keys', text: this.#held });
      this.#held = '';
    }
    return found;
  }
}

const BEGIN = '\u001b[200~';
const END = '\u001b[201~';

const MARK_PASTES = '\u001b[?2004h';
const MARK_NO_PASTES = '\u001b[?2004l';

function beginningOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}
