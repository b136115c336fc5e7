import type { Remedy } from '../../base/remedy.ts';
import type { IncomingMessage } from 'node:http';

export type Via = 'socket' | 'port';

export interface Knock {
  readonly header: (name: string) => string | undefined;
  readonly path: string;
  /** Identifies a connection that was admitted before. */
  readonly connection?: object;
}

export interface HostAtDoor {
  readonly name: string;
  readonly profile?: string;
  readonly readOnly: boolean;
  readonly isRevoked: boolean;
}

export interface Admitted {
  readonly principal: string;
  /** Absent where no token is needed. */
  readonly host?: HostAtDoor;
  readonly folder?: string;
}

export interface Refused {
  readonly status: number;
  readonly message: string;
  readonly remedy?: Remedy | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** The guard of the hub's listeners, shared by all faces. */
export type Admit = (knock: Knock, via: Via) => Admitted | Refused;

/** Node joins repeated headers, except set-cookie, which isn't read here. */
export function headersOf(request: IncomingMessage): (name: string) => string | undefined {
  const { headers } = request;
  return (name) => headers[name] as string | undefined; // a list only for set-cookie
}
