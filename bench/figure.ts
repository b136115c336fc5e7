/** One measured number, beside the least that it could be. */
export interface Figure {
  readonly name: string;
  readonly unit: 'ms' | 'µs' | 'ns' | 'MB' | 'kB' | 'processes';
  readonly measured: number;
  /** What the bare minimum costs, measured in the same run on the same machine. */
  readonly floor?: number;
  /** What we aim at: so many times the floor, or so many units. Absent where nothing was promised. */
  readonly target?: { readonly ratioMax: number } | { readonly max: number };
}

export function ratioOf({ measured, floor }: Figure): number | undefined {
  return floor === undefined ? undefined : measured / floor;
}

export type Verdict = 'ok' | 'over' | 'no target';

export function verdictOf(figure: Figure): Verdict {
  const { target, measured } = figure;
  if (!target) return 'no target';
  const within =
    'max' in target
      ? measured <= target.max
      : (ratioOf(figure) ?? Number.POSITIVE_INFINITY) <= target.ratioMax;
  return within ? 'ok' : 'over';
}

/** Hands the figures of one benchmark to whoever started it. */
export function report(figures: readonly Figure[]): void {
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}
