import type { FixtureTool } from './tool.ts';

/** Somebody who hears of changes: a legacy session, a stdio connection, a handler's listen bus. */
export interface Listener {
  toolsChanged(): void;
  resourceUpdated(uri: string): void;
}

/** What all connections of one fixture process share. */
export interface World {
  /** Tools that a call of `change` added. */
  readonly added: Map<string, FixtureTool>;
  readonly listeners: Set<Listener>;
  /** How often `test://watched` was touched. */
  touched: number;
  /** Items per page of every list; absent means one page. */
  readonly page?: number;
  /** JSON answers have no stream of their own, so that requests to the host go beside the call. */
  readonly asksBesideCall: boolean;
}

export function newWorld(options: { readonly page?: number; readonly asksBesideCall?: boolean } = {}): World {
  return {
    added: new Map(),
    listeners: new Set(),
    touched: 0,
    asksBesideCall: options.asksBesideCall ?? false,
    ...(options.page === undefined || options.page === 0 ? {} : { page: options.page }),
  };
}
