import { Refusal } from './answer.ts';
import type { Via } from './guard.ts';
import { CLIENT_HEADER } from './send.ts';

/**
 * Which connection speaks. It keeps the asker of an approval apart from whoever answers it; it
 * authenticates nobody: who may speak at all is the guard's business.
 */
export interface Caller {
  readonly kind: 'terminal' | 'page' | 'editor' | 'library';
  /** Drawn at random by each client for itself. */
  readonly id: string;
}

/** Whoever names no client is the same stranger as all others that do not: none answers another. */
const STRANGER = 'unnamed';

/** Reads who speaks. A browser always says so itself, so that only a page can be a page. */
export function callerOf(request: Request, via: Via): Caller {
  const given = request.headers.get(CLIENT_HEADER);
  const [, kind, id] = /^(terminal|editor|library)\.([\w-]{8,64})$/.exec(given ?? '') ?? [];
  if (given !== null && id === undefined) {
    throw new Refusal(
      400,
      'usage',
      `The ${CLIENT_HEADER} header must be KIND.ID with an id of 8 to 64 characters.`,
    );
  }
  if (via === 'port' && isBrowser(request)) return { kind: 'page', id: id ?? STRANGER };
  // The expression above lets only these three through.
  return { kind: (kind ?? 'library') as Caller['kind'], id: id ?? STRANGER };
}

function isBrowser(request: Request): boolean {
  return request.headers.has('origin') || request.headers.has('sec-fetch-site');
}
