import type { AuditRecord } from '../../src/calls/audit-record.ts';

export function auditRecord(callId: string, at: number): AuditRecord {
  return {
    callId,
    at,
    principal: 'local',
    requester: { kind: 'program', id: 'test' },
    server: 'github',
    tool: 'search',
    risk: 'read',
    args: { q: callId },
    effect: 'allow',
    by: { kind: 'default', path: 'call.read' },
    durationMs: 1,
    outcome: 'ok',
    argsBytes: 10,
  };
}
