import type { Scope } from '../scope.ts';
import type { Accepted } from './reply.ts';
import type { EventStreamOptions } from './event-stream.ts';
import type { HostAtDoor } from './knock.ts';
/** A host's request, read by Node or by hand. */
export interface Incoming {
  readonly method: string;
  readonly url: string;
  /** By lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Identifies a connection that was admitted before. */
  readonly connection: object;
  /** Calls neither when the host goes away. */
  body(bytesMax: number, done: (body: Buffer) => void, tooLarge: () => void): void;
  skip(): void;
}

export interface Outgoing {
  readonly isBegun: boolean;
  /** Bytes not yet taken by the host. */
  readonly unread: number;
  /** Headers alternate names and values, without content-length. */
  whole(status: number, headers: readonly string[], text: string): void;
  begin(status: number, headers: readonly string[]): void;
  write(text: string): void;
  end(): void;
  destroy(): void;
  /** Once: the answer has left, or the host has gone. */
  onClose(listener: () => void): void;
}

/** An admitted request, with all that its answer needs. */
export interface Posted {
  readonly response: Outgoing;
  readonly header: (name: string) => string | undefined;
  readonly accepted: Accepted;
  /** Without the query. */
  readonly path: string;
  readonly scope: Scope;
  readonly principal: string;
  /** Set if it came with a token. */
  readonly host: HostAtDoor | undefined;
  readonly cwd: string | undefined;
  readonly stream: EventStreamOptions;
}
