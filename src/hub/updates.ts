import type { NextStep } from '../base/remedy.ts';

export interface VersionView {
  /** As the server says it. */
  readonly reported?: string;
  /** The package that is started; without a version, each start may get another. */
  readonly package?: { readonly registry: string; readonly name: string; readonly version?: string };
  /** When this version was first seen running. */
  readonly since?: number;
  readonly latest?: string;
  readonly checkedAt?: number;
}

export interface UpdateView extends VersionView, NextStep {
  readonly server: string;
  readonly state: 'newer' | 'newest' | 'unpinned' | 'unknown';
  /** Why nothing is known. */
  readonly why?: string;
}

export interface ToolChange {
  readonly tool: string;
  readonly fields: readonly { readonly field: string; readonly before?: string; readonly after?: string }[];
}

export interface UpdatePlan {
  /** To be given to `apply`; forgotten after a while. */
  readonly update: string;
  readonly server: string;
  readonly from: string;
  readonly to: string;
  /** How many tools the version that is here has; absent when it was never connected. */
  readonly compared: boolean;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly ToolChange[];
  readonly warnings: readonly string[];
}

export interface UpdateOutcome {
  readonly server: string;
  readonly from: string;
  readonly to: string;
  readonly change?: string;
  readonly warnings: readonly string[];
}
