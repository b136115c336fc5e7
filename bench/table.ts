import { ratioOf, verdictOf, type Figure } from './figure.ts';

const HEADINGS = ['what', 'measured', 'floor', 'ratio', 'target', ''] as const;

/** One readable table; numbers stand to the right. */
export function renderTable(figures: readonly Figure[]): string {
  const rows = [HEADINGS, ...figures.map(rowOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column >= 1 && column <= 4 ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function rowOf(figure: Figure): readonly string[] {
  const { name, unit, measured, floor, target } = figure;
  const ratio = ratioOf(figure);
  const verdict = verdictOf(figure);
  const aim = !target ? '–' : 'max' in target ? `≤ ${target.max} ${unit}` : `≤ ${target.ratioMax}×`;
  return [
    name,
    `${shown(measured)} ${unit}`,
    floor === undefined ? '–' : `${shown(floor)} ${unit}`,
    ratio === undefined ? '–' : `${ratio.toFixed(2)}×`,
    aim,
    verdict === 'no target' ? '' : verdict,
  ];
}

function shown(value: number): string {
  if (value === 0 || value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
