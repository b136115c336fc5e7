import type { Remedy } from '../base/remedy.ts';
import { defined } from '../base/defined.ts';
import type { Clock } from '../base/clock.ts';
import { PlugError, toPlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import { accountChanged } from '../connections/failures.ts';
import type { PooledServer } from '../connections/pool.ts';
import type { Answerer, Approval, ApprovalEnd, ApprovalOutcome } from '../policy/approval.ts';
import type { Approvals } from '../policy/approvals/approvals.ts';
import { approvalRequired, refusalOf } from '../policy/approvals/headless.ts';
import { callQuestion } from '../policy/call-question.ts';
import { decide } from '../policy/decide.ts';
import type { CallQuestion, Decision } from '../policy/decision.ts';
import type { GrantScope } from '../policy/grant.ts';
import type { Grants } from '../policy/grants.ts';
import { type CallPermit, permitAtOnce, permitFrom, permitFromApproval } from '../policy/permit.ts';
import { declaredNames } from '../policy/origins/declared-names.ts';
import type { DataOrigins } from '../policy/origins/data-origins.ts';
import type { PolicyInForce } from '../policy/policy-in-force.ts';
import type { TrustBook } from '../policy/trust-book.ts';
import { isLocal } from '../servers/definition.ts';
import { barWords, type ReadOnlyBar } from '../servers/read-only.ts';
import type { AuditRecord, Grounds } from './audit-record.ts';
import type { KnownTools } from './known-tools.ts';
import type { Begun, RunningCall } from './running-call.ts';
import type { ToolCall } from './tool-call.ts';
import type { UsedAccounts } from './used-accounts.ts';
import type { ArgumentCheck } from './validate.ts';

export interface PermissionOptions {
  readonly policy: PolicyInForce;
  readonly grants: Grants;
  readonly trust: TrustBook;
  readonly approvals: Approvals;
  readonly origins: DataOrigins;
  readonly accounts: UsedAccounts;
  readonly known: KnownTools;
  readonly check: ArgumentCheck;
  readonly clock: Clock;
}

export interface PermissionRequest extends Omit<Begun, 'callId'> {
  readonly running: RunningCall;
}

export type Permission =
  | (Grounds & { readonly kind: 'permitted'; readonly permit: CallPermit; readonly args: JsonObject })
  | (Grounds & { readonly kind: 'refused'; readonly error: PlugError });

type Allowed = Extract<ApprovalOutcome, { readonly kind: 'allowed' }>;

export class Permissions {
  readonly #options: PermissionOptions;

  constructor(options: PermissionOptions) {
    this.#options = options;
  }

  /** Synchronous unless a grant must be claimed or a person asked. */
  get(asked: PermissionRequest): Permission | Promise<Permission> {
    const { grants, policy } = this.#options;
    const question = this.#question(asked, asked.entry, asked.call.args);
    const decision = decide(question, policy.snapshot);
    if (decision.effect === 'deny') return { kind: 'refused', decision, error: denied(question, decision) };
    if (decision.effect === 'allow') {
      const permit = permitAtOnce(decision, question, grants);
      if (permit) return { kind: 'permitted', decision, permit, args: question.args };
      return this.#claim(asked, question, decision);
    }
    if (asked.call.approval === 'refuse') {
      return { kind: 'refused', decision, error: approvalRequired(question, decision) };
    }
    return this.#ask(asked, question, decision);
  }

  /** Throws if read-only mode was switched on since the decision. */
  checkBar(asked: Omit<Begun, 'callId'>): void {
    const { snapshot } = this.#options.policy;
    if (asked.entry.tool.risk === 'read' || !snapshot.readOnly) return;
    const question = this.#question(asked, asked.entry, asked.call.args);
    throw denied(question, decide(question, snapshot));
  }

  async #claim(asked: PermissionRequest, question: CallQuestion, decision: Decision): Promise<Permission> {
    const permit = await permitFrom(decision, question, this.#options.grants);
    if (permit) return { kind: 'permitted', decision, permit, args: question.args };
    return this.get(asked); // a parallel call has used up the grant
  }

  async #ask(asked: PermissionRequest, question: CallQuestion, decision: Decision): Promise<Permission> {
    const { call, server } = asked;
    const { approvals, check } = this.#options;
    let shown: Approval | undefined;
    const asking = approvals.request({
      principal: call.principal,
      requester: call.requester,
      server: { id: server.definition.id, key: server.key, local: isLocal(server.definition.endpoint) },
      account: call.as,
      tool: question.tool.name,
      risk: question.tool.risk,
      flags: question.tool.flags,
      args: call.args,
      decision,
      profile: call.profile?.name,
      batch: call.batch,
      signal: call.signal,
      check: (args) => check.assertFit(asked.entry.tool, args),
      onWaiting: (approval) => {
        shown = approval;
        asked.running.waits();
        call.onApproval?.(approval);
      },
    });
    // Without room for the question, the call still ends and is recorded.
    const outcome = await asking.catch((thrown: unknown) => toPlugError(thrown));
    asked.running.answered();
    if (outcome instanceof PlugError) return { kind: 'refused', decision, error: outcome };
    call.onApprovalEnd?.(endOf(outcome));
    const approval = recordOf(shown?.id ?? '', outcome);
    if (outcome.kind === 'withdrawn' && outcome.bar) {
      const barred = decide({ ...question, bar: outcome.bar }, this.#options.policy.snapshot);
      return { kind: 'refused', decision: barred, approval, error: denied(question, barred) };
    }
    if (outcome.kind !== 'allowed') {
      const card = shown ?? { id: '', server: server.definition.id, tool: question.tool.name };
      return { kind: 'refused', decision, approval, error: refusalOf(card, outcome) };
    }
    return this.#approved(asked, outcome, { decision, approval });
  }

  /** The answer holds for the tool and account that were shown; if either changed, it must be asked again. */
  async #approved(asked: PermissionRequest, outcome: Allowed, grounds: Grounds): Promise<Permission> {
    const entry = this.#stillThere(asked);
    if (entry?.hash !== asked.entry.hash) {
      return { ...grounds, kind: 'refused', error: changedMeanwhile(asked.entry.tool.ref, asked.server) };
    }
    const { call, server } = asked;
    const account = await this.#options.accounts.of(server, call.as?.name);
    if (account?.id !== call.as?.id) {
      return { ...grounds, kind: 'refused', error: accountChanged(server.definition.id) };
    }
    const question = this.#question(asked, entry, outcome.args);
    const approved = permitFromApproval(outcome, question, this.#options.policy.snapshot);
    if (approved.kind === 'denied') {
      const { decision } = approved;
      return { ...grounds, decision, kind: 'refused', error: denied(question, decision) };
    }
    await this.#remember(asked, entry, outcome, grounds.approval?.id ?? '');
    return { ...grounds, kind: 'permitted', permit: approved.permit, args: outcome.args };
  }

  /** Undefined when withheld or gone. */
  #stillThere({ server, entry, call }: PermissionRequest): CatalogTool | undefined {
    try {
      return this.#options.known.find(server, entry.tool.name, call.profile);
    } catch {
      return undefined;
    }
  }

  /** Approving a tool also approves its definition. */
  async #remember(
    asked: PermissionRequest,
    entry: CatalogTool,
    outcome: Allowed,
    approval: string,
  ): Promise<void> {
    const { call, server } = asked;
    const { remember, pattern } = outcome;
    if (remember === undefined) return;
    const { grants, known } = this.#options;
    await grants.add({
      principal: call.principal,
      server: server.key,
      fingerprint: server.fingerprint,
      ...(call.as ? { account: call.as.id } : {}),
      scope: scopeOf(entry, remember, pattern),
      session: remember === 'session',
      source: `approval ${approval}`,
    });
    await known.settings.approve(server.key, [entry.tool]);
  }

  #question(asked: Pick<Begun, 'call' | 'server'>, entry: CatalogTool, args: JsonObject): CallQuestion {
    const { call, server } = asked;
    const { trust, clock, origins } = this.#options;
    const { key, fingerprint, definition } = server;
    const { id } = definition;
    const { principal, requester, consent } = call;
    return callQuestion({
      principal,
      requester,
      now: clock.now(),
      server: { id, key, fingerprint, trust: trust.trustOf(key, fingerprint) },
      account: call.as,
      entry,
      args,
      origins: origins.enabled
        ? origins.originsIn({ principal, server: id, args, declared: declaredNames(entry.tool.definition) })
        : [],
      bar: barOf(call),
      consent,
    });
  }
}

function barOf({ readOnly, profile }: ToolCall): ReadOnlyBar | undefined {
  if (readOnly) return CALLER;
  return profile?.readOnly ? { by: 'profile', name: profile.name } : undefined;
}

const CALLER = { by: 'caller' } as const;

function scopeOf(
  { tool: { name }, hash }: CatalogTool,
  remember: NonNullable<Allowed['remember']>,
  pattern: Allowed['pattern'],
): GrantScope {
  if (remember === 'reads') return { kind: 'reads' };
  if (remember === 'arguments') return { kind: 'arguments', tool: name, hash, pattern: pattern ?? {} };
  return { kind: 'tool', tool: name, hash };
}

function endOf(outcome: ApprovalOutcome): ApprovalEnd {
  const { kind } = outcome;
  if (kind === 'allowed') {
    const { by, remember, edited } = outcome;
    return { outcome: kind, by: by.kind, ...defined({ remember }), ...(edited ? { edited } : {}) };
  }
  if (kind === 'denied') return { outcome: kind, by: outcome.by.kind, ...defined({ note: outcome.note }) };
  return { outcome: kind };
}

function recordOf(id: string, outcome: ApprovalOutcome): NonNullable<AuditRecord['approval']> {
  const answered = outcome.kind === 'allowed' || outcome.kind === 'denied';
  return {
    id,
    outcome: outcome.kind,
    ...(answered ? { answeredBy: nameOf(outcome.by) } : {}),
    ...(outcome.kind === 'allowed' ? { edited: outcome.edited } : {}),
  };
}

function nameOf({ kind, id, approver }: Answerer): string {
  return approver ? `approver ${approver.email} (${approver.id})` : `${kind} ${id}`;
}

function denied({ server, tool }: CallQuestion, { reason, by }: Decision): PlugError {
  return new PlugError('denied', reason, {
    owner: by.kind === 'quarantine' ? 'server' : 'you',
    server: server.id,
    details: { tool: `${server.id}/${tool.name}`, by },
    remedy: remedyFor(by, `${server.id}/${tool.name}`, tool),
  });
}

function remedyFor(by: Decision['by'], ref: string, tool: CallQuestion['tool']): Remedy {
  if (by.kind === 'quarantine') return { do: 'approve-tools', tools: [ref] };
  return by.kind === 'read_only' ? barWords(by.bar, tool).remedy : { do: 'show', what: 'rules' };
}

function changedMeanwhile(ref: string, { definition: { id } }: PooledServer): PlugError {
  return new PlugError('denied', `${ref} changed while you decided, so it was not called.`, {
    owner: 'server',
    server: id,
    remedy: { do: 'review-tools', server: id },
  });
}
