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

export interface TeamRuleList {
  /** Everybody's under the empty name. */
  readonly group: string;
  readonly text: string;
  readonly rules: readonly { readonly name: string; readonly says: string }[];
}

export interface TeamQuota {
  readonly calls: number;
  readonly per: 'minute' | 'hour' | 'day';
  readonly of?: 'each' | 'all';
  readonly server?: string;
  readonly person?: string;
  readonly group?: string;
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
