import { Line, type Place } from '../base/line.ts';
import type { Json } from '../base/json.ts';
import type { HostHandlers, HostPlace } from './host.ts';

/** What a server wrote for its host with `notifications/message`. */
export interface LogEntry {
  /** Who wrote it. */
  readonly server: string;
  readonly level: string;
  readonly logger?: string;
  readonly data: Json;
}

/** Somebody whose request a server is working on. */
export interface Asker {
  readonly handlers: HostHandlers;
  /** Tells them apart: equal for all requests of one host, undefined for whoever owns the hub. */
  readonly who: unknown;
  readonly host: HostPlace | undefined;
  readonly onLog: ((entry: LogEntry) => void) | undefined;
  readonly logLevel: string | undefined;
}

/**
 * The requests that are made on somebody's behalf and run on one link: an old server's question
 * and its log messages name no request, so that these are all who can be meant.
 */
export class InFlight {
  /** In the order in which they came. */
  readonly #askers = new Line<Asker>();

  get askers(): Iterable<Asker> {
    return this.#askers;
  }

  begin(asker: Asker): Place<Asker> {
    return this.#askers.add(asker);
  }

  end(place: Place<Asker>): void {
    this.#askers.delete(place);
  }

  /** Tells at once: an answer that follows on the link must not come first. */
  log(entry: LogEntry): void {
    for (const { onLog, logLevel } of this.#askers) {
      if (onLog && reachesLevel(entry.level, logLevel)) onLog(entry);
    }
  }
}

/** Severities of `notifications/message`, the most talkative first. */
const LEVELS: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

export function isLevel(text: unknown): text is string {
  return typeof text === 'string' && LEVELS.includes(text);
}

/** The one of two wishes that lets more through. */
export function lowestLevel(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return LEVELS.indexOf(a) <= LEVELS.indexOf(b) ? a : b;
}

/** Whether whoever wants this level hears of that one. A level that nobody knows is not kept back. */
export function reachesLevel(level: string, wanted: string | undefined): boolean {
  const severity = LEVELS.indexOf(level);
  return wanted === undefined || severity < 0 || severity >= LEVELS.indexOf(wanted);
}
