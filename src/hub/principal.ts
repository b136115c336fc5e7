/** Who asks, and what they may do. It travels with every operation, from the door to the implementation. */
export interface Principal {
  readonly id: string;
  readonly role: Role;
}

/** `owner` runs the hub; `member` uses it. */
export type Role = 'owner' | 'member';

/** A hub of one user: every caller that is let in is its owner. */
export const LOCAL: Principal = { id: 'local', role: 'owner' };

const RANKS: Readonly<Record<Role, number>> = { member: 0, owner: 1 };

export function mayCall({ role }: Principal, needed: Role): boolean {
  return RANKS[role] >= RANKS[needed];
}
