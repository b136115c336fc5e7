import type { Remedy } from '../../base/remedy.ts';
import type { IncomingMessage } from 'node:http';

/** How a request came in: through the socket file, or on the loopback port. */
export type Via = 'socket' | 'port';

/** Who knocks, as far as it is known before anything of the body is read. */
export interface Knock {
  /** By its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** Without the query. */
  readonly path: string;
  /** What it came in on: one that was let in before is known again. */
  readonly connection?: object;
}

/** A host that came with a token of its own. */
export interface HostAtDoor {
  /** As the user calls it. */
  readonly name: string;
  /** The only profile that it reaches. */
  readonly profile?: string;
  /** Only what reads is offered to it, and runs. */
  readonly readOnly: boolean;
  readonly isRevoked: boolean;
}

/** Let in: for whom the host acts, and the folder from which it sees the servers. */
export interface Admitted {
  readonly principal: string;
  /** Absent for whoever needs no token. */
  readonly host?: HostAtDoor;
  readonly folder?: string;
}

/** Refused at the door, with what HTTP says about it. */
export interface Refused {
  readonly status: number;
  readonly message: string;
  readonly remedy?: Remedy | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** The guard of the hub's listeners. It is not the gateway's: all faces share it. */
export type Admit = (knock: Knock, via: Via) => Admitted | Refused;

/** Node joins what was sent twice, except for cookies; nothing here reads those. */
export function headersOf(request: IncomingMessage): (name: string) => string | undefined {
  const { headers } = request;
  return (name) => headers[name] as string | undefined; // a list only for set-cookie
}
