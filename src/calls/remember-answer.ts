import type { Entry } from '../catalog/catalog.ts';
import type { ApprovalOutcome } from '../policy/approval.ts';
import type { GrantScope } from '../policy/grant.ts';
import type { Grants } from '../policy/grants.ts';
import type { Asked } from './permission.ts';

type Allowed = Extract<ApprovalOutcome, { readonly kind: 'allowed' }>;

interface Remembering {
  readonly grants: Grants;
  readonly pin: (server: Asked['server'], entry: Entry) => Promise<void>;
}

/** What the person chose to be asked about no more. Whoever approves a tool approves its definition. */
export async function rememberAnswer(
  { call, server }: Asked,
  entry: Entry,
  { remember, pattern }: Allowed,
  approval: string,
  { grants, pin }: Remembering,
): Promise<void> {
  if (remember === undefined) return;
  await grants.add({
    principal: call.principal,
    server: server.key,
    fingerprint: server.fingerprint,
    scope: scopeOf(entry, remember, pattern),
    session: remember === 'session',
    source: `approval ${approval}`,
  });
  await pin(server, entry);
}

function scopeOf(
  { tool: { name }, hash }: Entry,
  remember: NonNullable<Allowed['remember']>,
  pattern: Allowed['pattern'],
): GrantScope {
  if (remember === 'reads') return { kind: 'reads' };
  if (remember === 'arguments') return { kind: 'arguments', tool: name, hash, pattern: pattern ?? {} };
  return { kind: 'tool', tool: name, hash };
}
