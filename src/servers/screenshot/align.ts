import type { Cell } from './cells.ts';

/** A character as the engine read it, with its middle in pixels of the picture. */
export interface ReadSymbol {
  readonly char: string;
  readonly x: number;
  readonly confidence: number;
}

/**
 * Gives each cell of a line the symbol that was read there. Symbols that were invented, and
 * cells that were overlooked, stay alone. Both keep their order.
 */
export function alignSymbols(
  cells: readonly Cell[],
  symbols: readonly ReadSymbol[],
  pitch: number,
): readonly (ReadSymbol | undefined)[] {
  const rows = cells.length + 1;
  const columns = symbols.length + 1;
  const cost = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i += 1) {
    for (let j = 0; j < columns; j += 1) {
      if (i === 0 || j === 0) cost[i * columns + j] = (i + j) * ALONE;
      else {
        cost[i * columns + j] = Math.min(
          at(cost, (i - 1) * columns + j - 1) + apart(cells[i - 1], symbols[j - 1], pitch),
          at(cost, (i - 1) * columns + j) + ALONE,
          at(cost, i * columns + j - 1) + ALONE,
        );
      }
    }
  }
  const found: (ReadSymbol | undefined)[] = cells.map(() => undefined);
  let [i, j] = [cells.length, symbols.length];
  while (i > 0 && j > 0) {
    const here = at(cost, i * columns + j);
    if (here === at(cost, (i - 1) * columns + j - 1) + apart(cells[i - 1], symbols[j - 1], pitch)) {
      found[i - 1] = symbols[j - 1];
      i -= 1;
      j -= 1;
    } else if (here === at(cost, (i - 1) * columns + j) + ALONE) i -= 1;
    else j -= 1;
  }
  return found;
}

/** What it costs to leave a cell or a symbol alone, in columns of distance. */
const ALONE = 0.75;

function at(cost: Float64Array, index: number): number {
  return cost[index] ?? Infinity;
}

function apart(cell: Cell | undefined, symbol: ReadSymbol | undefined, pitch: number): number {
  if (!cell || !symbol) return Infinity;
  return Math.abs(cell.x - symbol.x) / pitch;
}
