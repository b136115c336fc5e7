/** Who asks, and what they may do. It travels with every operation, from the door to the implementation. */
export interface Principal {
  readonly id: string;
  readonly role: Role;
  /** Absent in a hub of one user. */
  readonly team?: TeamPlace;
}

/** `owner` runs the hub; `member` uses it. */
export type Role = 'owner' | 'member';

/** Somebody's part in a team. `auditor` reads what others did, and what the team has. */
export type TeamRole = 'owner' | 'admin' | 'member' | 'auditor';

export const TEAM_ROLES: readonly TeamRole[] = ['owner', 'admin', 'member', 'auditor'];

/** In whose rows somebody works: their own, what all of the team share, or another person's. */
export type Space = 'own' | 'team' | 'other';

export interface TeamPlace {
  readonly role: TeamRole;
  readonly space: Space;
}

/** A hub of one user: every caller that is let in is its owner. */
export const LOCAL: Principal = { id: 'local', role: 'owner' };

const RANKS: Readonly<Record<Role, number>> = { member: 0, owner: 1 };

export function mayCall({ role }: Principal, needed: Role): boolean {
  return RANKS[role] >= RANKS[needed];
}
