import { joinedLines, viewsOf, type Span } from './encoded-views.ts';
import type { KnownValues } from './known-values.ts';
import type { Limits } from './limits.ts';

/** What is looked for, and how far. */
export interface Finding {
  readonly known: KnownValues;
  readonly limits: Limits;
}

/** Whether a known value stands in a text, encoded or not. */
export function holdsKnown(text: string, finding: Finding): boolean {
  return finding.known.size > 0 && spansIn(text, finding, 1).length > 0;
}

/** Where known values stand in a text, encoded or not: in the order of the text, none within another. */
export function findKnown(text: string, finding: Finding): readonly Span[] {
  return finding.known.size === 0 ? [] : merged(spansIn(text, finding, Number.POSITIVE_INFINITY));
}

/** An encoding of an encoding is undone; what was encoded more often was meant to be hidden. */
const DEPTH_MAX = 2;

function spansIn(text: string, { known, limits }: Finding, spansMax: number): Span[] {
  const spans: Span[] = [];
  let left = limits.redactedDecodedCharsMax;
  const look = (shown: string, sourceOf: (from: number, to: number) => Span, depth: number): void => {
    for (let hit = known.next(shown, 0); hit; hit = known.next(shown, hit.to)) {
      spans.push(sourceOf(hit.from, hit.to));
      if (spans.length >= spansMax) return;
    }
    if (depth >= DEPTH_MAX) return;
    for (const view of viewsOf(shown)) {
      left -= view.text.length;
      if (left < 0) return;
      look(view.text, (from, to) => through(sourceOf, view.sourceOf(from, to)), depth + 1);
      if (spans.length >= spansMax) return;
    }
  };
  const joined = joinedLines(text);
  look(text, (from, to) => ({ from, to }), joined ? DEPTH_MAX : 0);
  // A line end can stand within any encoding, so that those of the joined lines are all there are.
  if (joined && spans.length < spansMax) look(joined.text, joined.sourceOf, 0);
  return spans;
}

function through(sourceOf: (from: number, to: number) => Span, { from, to }: Span): Span {
  return sourceOf(from, to);
}

function merged(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans;
  const apart: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = apart.at(-1);
    if (last && span.from < last.to) {
      apart[apart.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    } else apart.push(span);
  }
  return apart;
}
