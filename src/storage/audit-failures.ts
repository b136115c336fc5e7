import type { AuditRecord } from '../calls/audit-record.ts';

/** Calls that ended badly. One that was refused or cancelled ended as somebody wanted it. */
export const FAILURES: readonly AuditRecord['outcome'][] = ['failed', 'timed_out', 'tool_error'];
