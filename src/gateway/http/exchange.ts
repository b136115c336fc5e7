import type { Scope } from '../scope.ts';
import type { Accepted } from './reply.ts';
import type { EventStreamOptions } from './event-stream.ts';
import type { HostAtDoor } from './knock.ts';
/** A request of a host's as the front sees it, whoever has read it from the connection. */
export interface Incoming {
  readonly method: string;
  readonly url: string;
  /** By its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** What it came in on: one that was let in before is known again. */
  readonly connection: object;
  /** Hands over the whole body, or says that it has too many bytes; neither when the host goes away. */
  body(bytesMax: number, done: (body: Buffer) => void, tooLarge: () => void): void;
  /** Nobody wants the body. */
  skip(): void;
}

/** The way of the answer to it, whoever writes that to the connection. */
export interface Outgoing {
  readonly isBegun: boolean;
  /** Bytes that the host has not taken yet. */
  readonly unread: number;
  /** Says everything at once. Headers are names and values in turn; the length is not among them. */
  whole(status: number, headers: readonly string[], text: string): void;
  /** Begins an answer that is said bit by bit. */
  begin(status: number, headers: readonly string[]): void;
  write(text: string): void;
  end(): void;
  /** Ends the connection in the middle. */
  destroy(): void;
  /** Told once: the answer has left, or the host has gone. */
  onClose(listener: () => void): void;
}

/** One POST of a host that was let in, and what an answer to it needs. */
export interface Posted {
  readonly response: Outgoing;
  readonly header: (name: string) => string | undefined;
  readonly accepted: Accepted;
  /** Without the query. */
  readonly path: string;
  readonly scope: Scope;
  readonly principal: string;
  /** The host, if it came with a token of its own. */
  readonly host: HostAtDoor | undefined;
  /** Where the host works, if it said so. */
  readonly cwd: string | undefined;
  readonly stream: EventStreamOptions;
}
