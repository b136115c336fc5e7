import type { PastedRef } from '../paste.ts';
import type { Draft, Rank } from '../view.ts';

export type Words = readonly string[];

/** What one command line stands for. */
export interface CommandReading {
  readonly drafts: readonly Draft[];
  readonly rank: Rank;
  readonly format: string;
}

export function refReading(ref: PastedRef, format: string, more: Partial<Draft> = {}): CommandReading {
  const name = ref.id.split('/').at(-1) ?? ref.id;
  return { drafts: [{ name, transport: null, ref, extra: {}, ...more }], rank: 'link', format };
}
