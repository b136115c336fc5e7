import type { PastedRef } from '../paste.ts';
import type { Draft, Rank } from '../view.ts';

export type Words = readonly string[];

/** What one command line stands for. */
export interface CommandReading {
  readonly drafts: readonly Draft[];
  readonly rank: Rank;
  readonly format: string;
  /** For a server whose definition stands elsewhere in the text. */
  readonly name?: string;
}

/** A command that starts no server: nothing of it is read as something else. */
export function noServer(format: string): CommandReading {
  return { drafts: [], rank: 'command', format };
}

export function refReading(ref: PastedRef, format: string, more: Partial<Draft> = {}): CommandReading {
  const name = ref.id.split('/').at(-1) ?? ref.id;
  return { drafts: [{ name, transport: null, ref, extra: {}, ...more }], rank: 'link', format };
}
