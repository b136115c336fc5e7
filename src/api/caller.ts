import type { Principal } from '../hub/principal.ts';
import { Refusal } from './answer.ts';
import type { Via } from './guard.ts';
import { CLIENT_HEADER, PAGE_HEADER } from './send.ts';

/**
 * Which connection speaks. It keeps the asker of an approval apart from whoever answers it; it
 * authenticates nobody: who may speak at all is the guard's business.
 */
export interface Caller {
  readonly kind: 'terminal' | 'page' | 'editor' | 'library';
  /** Drawn at random by each client for itself. */
  readonly id: string;
  /** For whom it acts, as the guard has found out. */
  readonly principal: Principal;
}

/** Whoever names no client is the same stranger as all others that do not: none answers another. */
const STRANGER = 'unnamed';

/** Reads who speaks. A browser always says so itself, so that only a page can be a page. */
export function callerOf(request: Request, via: Via): Omit<Caller, 'principal'> {
  const isPage = via === 'port' && isBrowser(request);
  const given = request.headers.get(CLIENT_HEADER);
  const [, kind, id] = /^(terminal|page|editor|library)\.([\w-]{8,64})$/.exec(given ?? '') ?? [];
  if (given !== null && (id === undefined || (kind === 'page' && !isPage))) {
    throw new Refusal(
      400,
      'usage',
      `The ${CLIENT_HEADER} header must be KIND.ID with an id of 8 to 64 characters.`,
    );
  }
  if (isPage) return { kind: 'page', id: id ?? STRANGER };
  // The expression above lets only these through.
  return { kind: (kind ?? 'library') as Caller['kind'], id: id ?? STRANGER };
}

/** Whoever comes in with a page's session is a page, also where a browser is too old to say more. */
function isBrowser({ headers }: Request): boolean {
  return headers.has('origin') || headers.has('sec-fetch-site') || headers.has(PAGE_HEADER);
}
