import type { Named, Target } from './targets.ts';
import type { Word } from './words.ts';

type Switch = 'enable' | 'disable';

const SAYS: ReadonlyMap<string, Switch> = new Map([
  ['on', 'enable'],
  ['an', 'enable'],
  ['ein', 'enable'],
  ['off', 'disable'],
  ['aus', 'disable'],
]);

export function switchSaid(word: string | undefined): Switch | undefined {
  return SAYS.get(word ?? '');
}

/** “Switch slack off and linear on”: the word behind each name says which. */
export function bySwitch<Given extends { readonly kind: string; readonly targets?: readonly Target[] }>(
  intent: Given,
  names: readonly Named[],
  words: readonly Word[],
  /** Parts of a phrase already: “not to have slack on”. */
  isTaken: (index: number) => boolean,
): readonly (Given | { readonly kind: Switch; readonly targets: readonly Target[] })[] {
  const { kind, targets = [] } = intent;
  if (kind !== 'enable' && kind !== 'disable') return [intent];
  const other = kind === 'enable' ? 'disable' : 'enable';
  const isOther = (target: Target): boolean => {
    const named = names.find((each) => each.target === target);
    if (named === undefined || isTaken(named.to + 1)) return false;
    return switchSaid(words[named.to + 1]?.text) === other;
  };
  const others = targets.filter(isOther);
  if (others.length === 0) return [intent];
  const own = targets.filter((target) => !others.includes(target));
  return [...(own.length > 0 ? [{ kind, targets: own } as const] : []), { kind: other, targets: others }];
}
