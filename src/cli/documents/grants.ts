import { permits } from '../../policy/arguments/fit.ts';
import { matchesGlob } from '../../servers/select.ts';
import type { Approval } from '../../hub/hub.ts';

/** What a file asks to be allowed for its run: as `plug grants add` takes it. */
export interface DocumentGrant {
  /** `server/tool`; a server alone means what only reads there. */
  readonly tool: string;
  /** Dotted path → glob. */
  readonly args?: Readonly<Record<string, string>>;
}

/** Whether the file asked for this very call. */
export function coversCall({ tool, args = {} }: DocumentGrant, approval: Approval): boolean {
  if (!tool.includes('/')) return tool === approval.server && isPlainRead(approval);
  if (tool !== `${approval.server}/${approval.tool}`) return false;
  return Object.entries(args).every(([path, glob]) =>
    permits(approval.args, path, (text) => matchesGlob(glob, text)),
  );
}

/**
 * A read about which nothing else is to be said. Who wrote a rule that asks, or a rule about where
 * data may go, wanted to be asked each time; and what is flagged is never one of many.
 */
export function isPlainRead({ risk, flags = [], decision }: Approval): boolean {
  const { kind } = decision.by;
  return risk === 'read' && flags.length === 0 && kind !== 'rule' && kind !== 'data_rule';
}

export function describeGrant({ tool, args }: DocumentGrant): string {
  if (!tool.includes('/')) return `${tool}: all that only reads`;
  const parts = Object.entries(args ?? {}).map(([path, glob]) => `${path} is ${glob}`);
  return parts.length === 0 ? tool : `${tool} where ${parts.join(' and ')}`;
}
