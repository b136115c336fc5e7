import type { Scope } from '../scope.ts';
import type { Accepted } from './accept.ts';
import type { Outgoing } from './exchange.ts';
import type { EventStreamOptions } from './event-stream.ts';

/** One POST of a host that was let in, and what an answer to it needs. */
export interface Posted {
  readonly response: Outgoing;
  readonly header: (name: string) => string | undefined;
  readonly accepted: Accepted;
  /** Without the query. */
  readonly path: string;
  readonly scope: Scope;
  readonly principal: string;
  /** Where the host works, if it said so. */
  readonly cwd: string | undefined;
  readonly stream: EventStreamOptions;
}
