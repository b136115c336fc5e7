import type { ServerResponse } from 'node:http';
import type { Scope } from '../scope.ts';
import type { Accepted } from './accept.ts';
import type { EventStreamOptions } from './event-stream.ts';

/** One POST of a host that was let in, and what an answer to it needs. */
export interface Posted {
  readonly response: ServerResponse;
  readonly header: (name: string) => string | undefined;
  readonly accepted: Accepted;
  /** Without the query. */
  readonly path: string;
  readonly scope: Scope;
  readonly principal: string;
  /** Where the host works, if it said so. */
  readonly cwd?: string;
  readonly stream: EventStreamOptions;
}
