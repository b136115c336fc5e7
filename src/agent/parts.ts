import type { Cancel, Clock } from '../base/clock.ts';
import type { ErrorView } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { ToolSearch } from '../gateway/surfaces/parts.ts';
import type { ChatEvent, ChatRequest, Hub, ModelView, ServerSuggestion } from '../hub/hub.ts';
import type { ChatSurface } from './chat-surface.ts';
import type { AgentLimits } from './limits.ts';

export interface AgentParts {
  readonly hub: Hub;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: AgentLimits;
  readonly search: ToolSearch;
  readonly suggest: (text: string) => Promise<readonly ServerSuggestion[]>;
}

export interface LoopParts extends Pick<AgentParts, 'clock' | 'ids' | 'limits'> {
  readonly view: ModelView;
  readonly events: Events;
  readonly signal: AbortSignal;
  readonly counts: { calls: number };
}

export interface TurnParts extends AgentParts, LoopParts {
  readonly request: ChatRequest;
  readonly surface: ChatSurface;
  /** The host that answers servers just now: it may be another one after a reload of the page. */
  readonly host: () => string | undefined;
  /** Calls that needed an approval nobody could give. */
  readonly refused: ErrorView[];
}

/** Reports events in order; text that comes close together is one event. */
export class Events {
  readonly #tell: (event: ChatEvent) => void;
  readonly #clock: Clock;
  readonly #togetherMs: number;
  #kind: 'text' | 'reasoning' = 'text';
  #text = '';
  #cancel: Cancel | undefined;

  constructor({ clock, limits }: Pick<AgentParts, 'clock' | 'limits'>, tell?: (event: ChatEvent) => void) {
    this.#tell = tell ?? (() => undefined);
    this.#clock = clock;
    this.#togetherMs = limits.textTogetherMs;
  }

  readonly text = (kind: 'text' | 'reasoning', text: string): void => {
    if (text === '') return;
    if (kind !== this.#kind) this.flush();
    this.#kind = kind;
    this.#text += text;
    this.#cancel ??= this.#clock.after(this.#togetherMs, () => this.flush());
  };

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
