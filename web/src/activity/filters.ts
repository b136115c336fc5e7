import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { AuditRecord } from '../hub/hub-context.tsx';

export type Span = '1h' | '24h' | '7d' | '30d';

/** What is looked at. It stands in the address, so that it can be kept and sent. */
export interface Filters {
  readonly server: string;
  readonly tool: string;
  /** As the hub names who asked: `person`, or the name of an app. */
  readonly app: string;
  readonly outcome: AuditRecord['outcome'] | '';
  readonly span: Span;
}

export const SPANS: Readonly<
  Record<Span, { readonly ms: number; readonly parts: number; readonly label: string }>
> = {
  '1h': { ms: 3_600_000, parts: 60, label: 'Last hour' },
  '24h': { ms: 86_400_000, parts: 48, label: 'Last 24 hours' },
  '7d': { ms: 604_800_000, parts: 56, label: 'Last 7 days' },
  '30d': { ms: 2_592_000_000, parts: 60, label: 'Last 30 days' },
};

export const OUTCOMES: Readonly<
  Record<
    AuditRecord['outcome'],
    { readonly tone: 'good' | 'bad' | 'warn' | 'quiet'; readonly word: string; readonly symbol: string }
  >
> = {
  ok: { tone: 'good', symbol: '✓', word: 'done' },
  tool_error: { tone: 'bad', symbol: '✖', word: 'error' },
  failed: { tone: 'bad', symbol: '✖', word: 'failed' },
  timed_out: { tone: 'bad', symbol: '✖', word: 'too slow' },
  cancelled: { tone: 'quiet', symbol: '–', word: 'cancelled' },
  refused: { tone: 'warn', symbol: '▲', word: 'refused' },
  unknown: { tone: 'bad', symbol: '?', word: 'unknown' },
};

export function useFilters(): readonly [Filters, (change: Partial<Filters>) => void] {
  const [query, setQuery] = useSearchParams();
  const filters = useMemo(
    () => ({
      server: query.get('server') ?? '',
      tool: query.get('tool') ?? '',
      app: query.get('app') ?? '',
      outcome: outcomeOf(query.get('outcome')),
      span: spanOf(query.get('span')),
    }),
    [query],
  );
  const change = useCallback(
    (next: Partial<Filters>) =>
      setQuery(
        (now) => {
          const then = new URLSearchParams(now);
          for (const [name, value] of Object.entries(next)) {
            if (value === '') then.delete(name);
            else then.set(name, value);
          }
          return then;
        },
        { replace: true },
      ),
    [setQuery],
  );
  return [filters, change];
}

function outcomeOf(text: string | null): Filters['outcome'] {
  return text !== null && Object.hasOwn(OUTCOMES, text) ? (text as AuditRecord['outcome']) : ''; // a key of it
}

function spanOf(text: string | null): Span {
  return text !== null && Object.hasOwn(SPANS, text) ? (text as Span) : '24h'; // a key of it
}
