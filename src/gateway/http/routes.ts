import { scopeOf, wrongQuery, type Scope } from '../scope.ts';

export interface Route {
  /** `mcp`: Streamable HTTP; `sse` and `messages`: the older transport. */
  readonly kind: 'mcp' | 'sse' | 'messages';
  /** Without the query. */
  readonly path: string;
  readonly scope: Scope;
  readonly query: URLSearchParams;
  /** Why nothing is shown at this address. */
  readonly wrong?: string;
}

/** Caches routes: hosts use few addresses. */
export class Routes {
  readonly #known = new Map<string, Route | undefined>();

  find(url: string): Route | undefined {
    if (!url.startsWith('/mcp') && !url.startsWith('/sse')) return undefined;
    const known = this.#known.get(url);
    if (known || this.#known.has(url)) return known;
    const route = readRoute(url);
    // These contain a session id.
    if (route?.kind !== 'messages' && url.length <= URL_CHARS_KEPT) {
      if (this.#known.size >= ROUTES_KEPT) this.#known.clear();
      this.#known.set(url, route);
    }
    return route;
  }
}

const ROUTES_KEPT = 256;
const URL_CHARS_KEPT = 256;

function readRoute(url: string): Route | undefined {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const query = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  const [, kind, rest = ''] = /^\/(mcp|sse)(\/.*)?$/.exec(path) ?? [];
  if (kind !== 'mcp' && kind !== 'sse') return undefined;
  const scope = scopeOf(rest, query);
  if (scope) return { kind, path, scope, query };
  const wrong = wrongQuery(rest, query);
  if (wrong !== undefined) return { kind, path, scope: {}, query, wrong };
  if (kind !== 'sse' || !rest.endsWith(MESSAGES)) return undefined;
  const of = scopeOf(rest.slice(0, -MESSAGES.length), query);
  return of && { kind: 'messages', path: path.slice(0, -MESSAGES.length), scope: of, query };
}

export const MESSAGES = '/messages';
