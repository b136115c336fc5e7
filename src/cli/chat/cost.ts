import type { Output } from '../output.ts';
import { renderTable, type Cell } from '../render/table.ts';
import type { TurnUsage } from './conversation.ts';

/** `/cost`: what each turn took, and all of them. */
export function renderCost(usages: readonly TurnUsage[], out: Output): void {
  if (usages.length === 0) {
    out.line('Nothing was asked yet.');
    return;
  }
  const rows = [
    ...usages.map(({ model, usage }, index) => rowOf(String(index + 1), model, usage)),
    ...(usages.length > 1 ? [rowOf('all', '', totalOf(usages))] : []),
  ];
  const columns = ['TURN', 'MODEL', 'IN', 'OUT', 'CALLS', 'COST'].map((title) => ({ title }));
  for (const line of renderTable({ columns, rows, width: out.width })) out.line(...line);
  if (usages.every(({ usage }) => usage.cost === undefined))
    out.note({
      style: 'faint',
      text: 'A model has no price here until you give it one: plug help model add.',
    });
}

export function totalOf(usages: readonly TurnUsage[]): TurnUsage['usage'] {
  const sum = (of: (usage: TurnUsage['usage']) => number | undefined): number =>
    usages.reduce((total, { usage }) => total + (of(usage) ?? 0), 0);
  const isPriced = usages.some(({ usage }) => usage.cost !== undefined);
  return {
    inputTokens: sum((usage) => usage.inputTokens),
    outputTokens: sum((usage) => usage.outputTokens),
    steps: sum((usage) => usage.steps),
    calls: sum((usage) => usage.calls),
    ...(isPriced ? { cost: sum((usage) => usage.cost) } : {}),
  };
}

function rowOf(turn: string, model: string, usage: TurnUsage['usage']): readonly Cell[] {
  return [
    { text: turn, style: 'strong' },
    { text: model },
    { text: String(usage.inputTokens) },
    { text: String(usage.outputTokens) },
    { text: String(usage.calls) },
    { text: usage.cost === undefined ? '–' : dollars(usage.cost) },
  ];
}

function dollars(cost: number): string {
  return `$${cost.toFixed(cost < 0.01 ? 6 : cost < 1 ? 4 : 2)}`;
}
