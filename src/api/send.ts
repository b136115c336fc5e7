/** One HTTP exchange, whatever carries it: a unix socket, the loopback port, or a test. */
export type Send = (request: SendRequest) => Promise<SendResponse>;

/** The header that says where the caller stands, percent-encoded. */
export const FOLDER_HEADER = 'plug-folder';

/** The header that tells one client from another: what it is and the id that it drew. */
export const CLIENT_HEADER = 'plug-client';

/** The header with the half of a page's session that only our own origin has; the other is a cookie. */
export const PAGE_HEADER = 'x-plug-page';

export interface SendRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With its query. */
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  readonly accept?: 'application/json' | 'text/event-stream';
  /** Where the caller stands: the project whose file counts. An absolute path. */
  readonly folder?: string;
  /** Which client speaks, as `KIND.ID`. */
  readonly client?: string;
  readonly signal?: AbortSignal;
}

/** The headers that say what a request is, whatever carries it. */
export function headersOf({
  accept = 'application/json',
  folder,
  client,
  body,
}: SendRequest): Record<string, string> {
  return {
    accept,
    ...(folder === undefined ? {} : { [FOLDER_HEADER]: encodeURIComponent(folder) }),
    ...(client === undefined ? {} : { [CLIENT_HEADER]: client }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
}

export interface SendResponse {
  readonly status: number;
  readonly headers: (name: string) => string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}
