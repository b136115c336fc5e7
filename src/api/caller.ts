import type { Principal } from '../hub/principal.ts';
import { Refusal } from './answer.ts';
import type { ApiVia } from './guard.ts';
import { CLIENT_HEADER, PAGE_HEADER } from './send.ts';

/** Tells the asker of an approval from the one who answers it. Authentication is the guard's task. */
export interface Caller {
  readonly kind: 'terminal' | 'page' | 'editor' | 'library';
  /** Drawn at random by each client for itself. */
  readonly id: string;
  readonly principal: Principal;
}

/** All callers without a name are the same client: none can answer another. */
const STRANGER = 'unnamed';

/** A browser always says that it is one, so that only a page can be a page. */
export function callerOf(request: Request, via: ApiVia): Omit<Caller, 'principal'> {
  const isPage = via !== 'socket' && isBrowser(request);
  const given = request.headers.get(CLIENT_HEADER);
  const [, kind, id] = /^(terminal|page|editor|library)\.([\w-]{8,64})$/.exec(given ?? '') ?? [];
  if (given !== null && (id === undefined || (kind === 'page' && !isPage))) {
    const message = `The ${CLIENT_HEADER} header must be KIND.ID with an id of 8 to 64 characters.`;
    throw new Refusal(400, 'usage', message);
  }
  if (isPage) return { kind: 'page', id: id ?? STRANGER };
  // The expression above lets only these through.
  return { kind: (kind ?? 'library') as Caller['kind'], id: id ?? STRANGER };
}

/** An old browser may send only the header of a page's session. */
function isBrowser({ headers }: Request): boolean {
  return headers.has('origin') || headers.has('sec-fetch-site') || headers.has(PAGE_HEADER);
}
