import { Line, type LinePlace } from '../base/line.ts';
import type { Json } from '../base/json.ts';
import type { HostHandlers, HostPlace } from './host.ts';

export interface LogEntry {
  readonly server: string;
  readonly level: string;
  readonly logger?: string;
  readonly data: Json;
}

/** As a link tells it to everybody. */
export interface LinkLog extends Omit<LogEntry, 'server'> {
  /** A request was under way on the link: it is told to whom that was for, and is nobody else's. */
  readonly inRequest?: true;
}

/** A host or person whose request a server is working on. */
export interface Asker {
  readonly handlers: HostHandlers;
  /** Equal for all requests of one host, undefined for the hub's owner. */
  readonly who: unknown;
  readonly host: HostPlace | undefined;
  readonly onLog: ((entry: LogEntry) => void) | undefined;
  readonly logLevel: string | undefined;
}

/** Requests in flight on one link: a legacy server's question or log message names none of them. */
export class InFlight {
  readonly #askers = new Line<Asker>();

  get askers(): Iterable<Asker> {
    return this.#askers;
  }

  begin(asker: Asker): LinePlace<Asker> {
    return this.#askers.add(asker);
  }

  end(place: LinePlace<Asker>): void {
    this.#askers.delete(place);
  }

  /**
   * Tells whoever a request is under way for; false where there is none.
   * Synchronous: an answer that follows on the link must not come first.
   */
  log(entry: LogEntry): boolean {
    for (const { onLog, logLevel } of this.#askers) {
      if (onLog && reachesLevel(entry.level, logLevel)) onLog(entry);
    }
    return this.#askers.size > 0;
  }
}

/** Severities of `notifications/message`, the most talkative first. */
const LEVELS: readonly string[] = 'debug info notice warning error critical alert emergency'.split(' ');

export function isLevel(text: unknown): text is string {
  return typeof text === 'string' && LEVELS.includes(text);
}

export function lowestLevel(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return LEVELS.indexOf(a) <= LEVELS.indexOf(b) ? a : b;
}

/** Unknown levels are let through. */
export function reachesLevel(level: string, wanted: string | undefined): boolean {
  const severity = LEVELS.indexOf(level);
  return wanted === undefined || severity < 0 || severity >= LEVELS.indexOf(wanted);
}
