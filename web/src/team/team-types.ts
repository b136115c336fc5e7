import type { Approval } from '../../../src/policy/approval.ts';
import type { TeamRole } from '../../../src/hub/principal.ts';

export type { TeamRole };

export interface Me {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: TeamRole;
  readonly groups: readonly string[];
  readonly url: string;
}

export interface TeamPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: TeamRole;
  readonly active: boolean;
}

export interface TeamGroup {
  readonly id: string;
  readonly name: string;
  readonly members: readonly string[];
}

export interface TeamPromotion {
  readonly id: string;
  readonly server: string;
  readonly by?: { readonly name: string; readonly email: string };
  readonly definition: { readonly endpoint: { readonly kind: string; readonly url?: string } };
}

export interface OthersApproval {
  readonly approval: Approval;
  readonly by?: { readonly name: string; readonly email: string };
}

export interface TeamUsage {
  readonly people: readonly {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly calls: number;
    readonly failures: number;
  }[];
}

export const ROLES = ['member', 'admin', 'owner', 'auditor'] as const satisfies readonly TeamRole[];

export function isAdmin({ role }: Pick<Me, 'role'>): boolean {
  return role === 'owner' || role === 'admin';
}
