import { faint, strong, type Output, type Piece } from '../output.ts';
import { printTable } from '../render/table.ts';
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
  printTable(out, columns, rows);
  if (usages.every(({ usage }) => usage.cost === undefined))
    out.note(faint('A model has no price here until you give it one: plug help model add.'));
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

function rowOf(turn: string, model: string, usage: TurnUsage['usage']): readonly Piece[] {
  return [
    strong(turn),
    model,
    String(usage.inputTokens),
    String(usage.outputTokens),
    String(usage.calls),
    usage.cost === undefined ? '–' : dollars(usage.cost),
  ];
}

function dollars(cost: number): string {
  return `$${cost.toFixed(cost < 0.01 ? 6 : cost < 1 ? 4 : 2)}`;
}
