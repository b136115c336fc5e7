import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '../base/json.ts';
import type { Paths } from '../base/paths.ts';

export interface HubAddress {
  readonly pid: number;
  readonly startedAt: number;
  readonly version: string;
  readonly url: string;
  readonly socket: string;
  readonly tokenFile: string;
}

/** The files of a hub, derived from the paths, so that a client finds them without asking. */
export interface HubFiles {
  readonly lock: string;
  readonly address: string;
  readonly token: string;
  readonly pageSessions: string;
  readonly log: string;
  /** Private folder of the socket: its mode is what keeps other users out. */
  readonly socketFolder: string;
  readonly socket: string;
}

export function hubFiles(paths: Paths, platform: NodeJS.Platform = process.platform): HubFiles {
  const { state } = paths;
  return {
    lock: join(state, 'hub.lock'),
    address: join(state, 'hub.json'),
    token: join(state, 'hub.token'),
    pageSessions: join(state, 'page-sessions.json'),
    log: join(state, 'hub.log'),
    ...socketOf(state, platform),
  };
}

/** The version of the hub that wrote its address last: only a hint, but the fastest one. */
export function versionSaid(file: string): string | undefined {
  try {
    return parseAddress(readFileSync(file, 'utf8'))?.version;
  } catch {
    return undefined; // no hub runs, or the file is not readable
  }
}

export function parseAddress(text: string): HubAddress | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isAddress(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** By hand: every command loads this file, and a schema library would slow its start. */
function isAddress(value: unknown): value is HubAddress {
  if (!isObject(value)) return false;
  const texts = ['version', 'url', 'socket', 'tokenFile'].every((field) => typeof value[field] === 'string');
  return texts && Number.isInteger(value['pid']) && typeof value['startedAt'] === 'number';
}

/** sun_path has 104 bytes on macOS and 108 on Linux, the final zero included. */
const SOCKET_PATH_BYTES_MAX = 100;

function socketOf(state: string, platform: NodeJS.Platform): Pick<HubFiles, 'socketFolder' | 'socket'> {
  if (platform === 'win32') return { socketFolder: state, socket: `\\\\.\\pipe\\plugboard-${hashOf(state)}` };
  const near = join(state, 'run');
  const socket = join(near, 'hub.sock');
  if (Buffer.byteLength(socket) <= SOCKET_PATH_BYTES_MAX) return { socketFolder: near, socket };
  const far = join(tmpdir(), `plugboard-${hashOf(state)}`);
  return { socketFolder: far, socket: join(far, 'hub.sock') };
}

/** Loaded only here: every command reads this file, and hardly any needs a hash. */
function hashOf(state: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(state).digest('hex').slice(0, 24);
}
