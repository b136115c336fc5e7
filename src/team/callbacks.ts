import { PlugError } from '../base/errors.ts';
import type { CallbackListener, ListenOptions } from '../connections/sign-in/callback-listener.ts';
import type { Callbacks } from '../connections/sign-in/callbacks.ts';
import { TEAM_OWNER } from './owners.ts';

/** Where the authorization servers of servers send people back to, who work in this space. */
const PATHS = { own: '/callback', team: '/callback/team' } as const;

export function callbackIn(path: string): 'own' | 'team' | undefined {
  if (path === PATHS.own) return 'own';
  return path === PATHS.team ? 'team' : undefined;
}

/**
 * Sign-ins at servers that wait for their person's browser. An answer counts only in a browser that is
 * signed in here as the owner who began: else a link would let somebody give us another person's account.
 */
export class TeamCallbacks {
  readonly #url: string;
  readonly #waiting = new Map<string, Map<string, (answer: URLSearchParams) => void>>();

  constructor(url: string) {
    this.#url = url;
  }

  for(owner: string): Callbacks {
    return { listen: (where) => Promise.resolve(this.#listen(owner, where)) };
  }

  waitsFor(owner: string): boolean {
    return this.#waiting.has(owner);
  }

  /** False when nobody there waits for it. */
  answer(owner: string, answer: URLSearchParams): boolean {
    const waiting = this.#waiting.get(owner)?.get(answer.get('state') ?? '');
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
    const redirectUri = `${this.#url}${owner === TEAM_OWNER ? PATHS.team : PATHS.own}`;
    return { redirectUri, answer, close, [Symbol.asyncDispose]: close };
  }
}

const WAITING_MAX = 32;

function tooMany(): PlugError {
  return new PlugError('unavailable', 'Too many sign-ins wait for your browser already.', { owner: 'you' });
}
