import { PlugError } from '../base/errors.ts';
import type { CallbackListener, ListenOptions } from '../connections/sign-in/callback-listener.ts';
import type { Callbacks } from '../connections/sign-in/callbacks.ts';

/** Where the authorization servers of servers send people back to. */
export const CALLBACK_PATH = '/callback';

/**
 * Sign-ins at servers that wait for their person's browser. An answer counts only in a browser that is
 * signed in here as the owner who began: else a link would let somebody give us another person's account.
 */
export class TeamCallbacks {
  readonly #url: () => string;
  readonly #waiting = new Map<string, Map<string, (answer: URLSearchParams) => void>>();

  constructor(url: () => string) {
    this.#url = url;
  }

  for(owner: string): Callbacks {
    return { listen: (where) => Promise.resolve(this.#listen(owner, where)) };
  }

  /** False when nobody of these owners waits for it. */
  answer(owners: readonly string[], answer: URLSearchParams): boolean {
    const state = answer.get('state') ?? '';
    const waiting = owners.map((owner) => this.#waiting.get(owner)?.get(state)).find(Boolean);
    waiting?.(answer);
    return waiting !== undefined;
  }

  #listen(owner: string, { state }: ListenOptions): CallbackListener {
    const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>();
    const own = this.#waiting.get(owner) ?? new Map<string, (answer: URLSearchParams) => void>();
    if (own.size >= WAITING_MAX) throw tooMany();
    this.#waiting.set(owner, own.set(state, resolve));
    const close = (): Promise<void> => {
      own.delete(state);
      if (own.size === 0) this.#waiting.delete(owner);
      return Promise.resolve();
    };
    const redirectUri = `${this.#url()}${CALLBACK_PATH}`;
    return { redirectUri, answer, close, [Symbol.asyncDispose]: close };
  }
}

const WAITING_MAX = 32;

function tooMany(): PlugError {
  return new PlugError('unavailable', 'Too many sign-ins wait for your browser already.', { owner: 'you' });
}
