import type { ClientName } from '../../../src/servers/clients/client.ts';

/** One entry of a client's file, as its documentation says it is to be understood. */
export interface ExpectedEntry {
  readonly client: ClientName;
  readonly scope: string;
  readonly id: string;
  readonly endpoint: object;
  /** On, unless the client has it off. */
  readonly enabled?: false;
  readonly timeouts?: object;
  readonly tools?: object;
  readonly config?: object;
  /** Where a key is readable. */
  readonly keys?: readonly string[];
  /** A word of what a person is told about it. */
  readonly warns?: RegExp;
}

/** The files of one client below a home and a project, and what stands in them. */
export interface ClientHome {
  readonly files: Readonly<Record<string, string>>;
  readonly entries: readonly ExpectedEntry[];
  /** Entries that only the client itself can use. */
  readonly leftOut?: readonly string[];
}

export interface Folders {
  readonly home: string;
  readonly cwd: string;
}

export function stdio(command: string, args: readonly string[] = [], env: object = {}, more: object = {}) {
  return { kind: 'stdio', command, args, env, ...more };
}

export function remote(kind: 'http' | 'sse' | 'ws', url: string, headers: object = {}) {
  return { kind, url, headers };
}
