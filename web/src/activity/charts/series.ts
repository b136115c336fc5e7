import type { AuditSummary } from '../../hub/hub-context.tsx';
import { duration, shortNumber } from '../../parts/words.ts';

/** One part of the time. */
export interface Part {
  readonly at: number;
  readonly calls: number;
  readonly failures: number;
  /** Undefined where nothing was called. */
  readonly meanMs: number | undefined;
  readonly slowestMs: number;
  readonly tokens: number;
}

export interface Series {
  readonly since: number;
  readonly partMs: number;
  readonly parts: readonly Part[];
}

export interface Measure {
  readonly id: 'calls' | 'failures' | 'time' | 'tokens';
  readonly label: string;
  readonly of: (part: Part) => number;
  /** All of the time in one number. */
  readonly total: (series: Series) => number;
  readonly write: (value: number) => string;
}

const sum = (of: (part: Part) => number) => (series: Series) =>
  series.parts.reduce((total, part) => total + of(part), 0);

export const MEASURES: readonly Measure[] = [
  {
    id: 'calls',
    label: 'Calls',
    of: (part) => part.calls,
    total: sum((part) => part.calls),
    write: shortNumber,
  },
  {
    id: 'failures',
    label: 'Failures',
    of: (part) => part.failures,
    total: sum((part) => part.failures),
    write: shortNumber,
  },
  {
    id: 'time',
    label: 'Mean time',
    of: (part) => part.meanMs ?? 0,
    total: ({ parts }) => meanOf(parts),
    write: duration,
  },
  {
    id: 'tokens',
    label: 'Tokens',
    of: (part) => part.tokens,
    total: sum((part) => part.tokens),
    write: shortNumber,
  },
];

/** Of one server, or of all when none is named. */
export function seriesOf({ since, partMs, rows }: AuditSummary, count: number, server = ''): Series {
  const parts: Part[] = Array.from({ length: count }, (_, part) => ({
    at: since + part * partMs,
    calls: 0,
    failures: 0,
    meanMs: undefined,
    slowestMs: 0,
    tokens: 0,
  }));
  for (const row of rows) {
    const part = parts[row.part];
    if (part === undefined || (server !== '' && row.server !== server)) continue;
    const calls = part.calls + row.calls;
    parts[row.part] = {
      at: part.at,
      calls,
      failures: part.failures + row.failures,
      // Weighed by calls: a server that is asked once does not count as much as one asked often.
      meanMs: ((part.meanMs ?? 0) * part.calls + row.meanMs * row.calls) / Math.max(1, calls),
      slowestMs: Math.max(part.slowestMs, row.slowestMs),
      tokens: part.tokens + row.tokens,
    };
  }
  return { since, partMs, parts };
}

/** Those that were called, the busiest first. */
export function serversOf({ rows }: AuditSummary): readonly string[] {
  const calls = new Map<string, number>();
  for (const row of rows) calls.set(row.server, (calls.get(row.server) ?? 0) + row.calls);
  return [...calls].toSorted((a, b) => b[1] - a[1]).map(([server]) => server);
}

function meanOf(parts: readonly Part[]): number {
  const calls = parts.reduce((total, part) => total + part.calls, 0);
  const time = parts.reduce((total, part) => total + (part.meanMs ?? 0) * part.calls, 0);
  return calls === 0 ? 0 : time / calls;
}

/** The hour within a day, the day beyond it. */
export function timeLabel(at: number, spanMs: number): string {
  const day = 86_400_000;
  return new Date(at).toLocaleString('en', {
    ...(spanMs > day ? { month: 'short', day: 'numeric' } : {}),
    ...(spanMs <= 8 * day ? { hour: '2-digit', minute: '2-digit', hour12: false } : {}),
  });
}
