import type { Cancel, Clock } from '../base/clock.ts';
import type { ChatEvent } from '../hub/hub.ts';

/** Tells what happens, in order. Pieces of text that come together are told as one. */
export class Events {
  readonly #tell: (event: ChatEvent) => void;
  readonly #clock: Clock;
  readonly #togetherMs: number;
  #kind: 'text' | 'reasoning' = 'text';
  #text = '';
  #cancel: Cancel | undefined;

  constructor(options: {
    readonly tell: ((event: ChatEvent) => void) | undefined;
    readonly clock: Clock;
    readonly togetherMs: number;
  }) {
    this.#tell = options.tell ?? (() => undefined);
    this.#clock = options.clock;
    this.#togetherMs = options.togetherMs;
  }

  readonly text = (kind: 'text' | 'reasoning', text: string): void => {
    if (text === '') return;
    if (kind !== this.#kind) this.flush();
    this.#kind = kind;
    this.#text += text;
    this.#cancel ??= this.#clock.after(this.#togetherMs, () => this.flush());
  };

  /** Whatever was said before is told before. */
  tell(event: ChatEvent): void {
    this.flush();
    this.#tell(event);
  }

  note(text: string): void {
    this.tell({ kind: 'note', text });
  }

  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const text = this.#text;
    this.#text = '';
    if (text !== '') this.#tell({ kind: this.#kind, text });
  }
}
