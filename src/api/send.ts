/** One HTTP exchange, over a unix socket, the loopback port, or in a test. */
export type Send = (request: SendRequest) => Promise<SendResponse>;

export const FOLDER_HEADER = 'plug-folder';

export const CLIENT_HEADER = 'plug-client';

/** The half of a page's session that only our own origin has; the other is a cookie. */
export const PAGE_HEADER = 'x-plug-page';

export interface SendRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly accept?: 'application/json' | 'text/event-stream';
  readonly folder?: string;
  readonly client?: string;
  readonly signal?: AbortSignal;
}

export function headersOf(request: SendRequest): Record<string, string> {
  const { accept = 'application/json', folder, client, body } = request;
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
