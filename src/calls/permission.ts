import type { Clock } from '../base/clock.ts';
import { PlugError, toPlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Entry } from '../catalog/catalog.ts';
import type { PooledServer } from '../connections/pool.ts';
import type { Approval, ApprovalOutcome } from '../policy/approval.ts';
import type { Approvals } from '../policy/approvals/approvals.ts';
import { approvalRequired } from '../policy/approvals/headless.ts';
import { refusalOf } from '../policy/approvals/refusal.ts';
import { callQuestion } from '../policy/call-question.ts';
import { decide } from '../policy/decide.ts';
import type { CallQuestion, DataOrigin, Decision } from '../policy/decision.ts';
import type { Grants } from '../policy/grants.ts';
import { permitAtOnce, permitFrom, permitFromApproval, type CallPermit } from '../policy/permit.ts';
import type { PolicySnapshot } from '../policy/policy.ts';
import type { TrustBook } from '../policy/trust-book.ts';
import { isLocal } from '../servers/definition.ts';
import type { AuditRecord } from './audit-record.ts';
import { rememberAnswer } from './remember-answer.ts';
import type { ToolCall } from './tool-call.ts';

export interface PermissionOptions {
  readonly policy: () => PolicySnapshot;
  readonly grants: Grants;
  readonly trust: TrustBook;
  readonly approvals: Approvals;
  readonly clock: Clock;
  /** What other servers' answers stand in these arguments; nothing when no rule cares. */
  readonly origins: (call: ToolCall, server: PooledServer, args: JsonObject) => readonly DataOrigin[];
  /** Pins a tool as somebody has just approved it. */
  readonly pin: (server: PooledServer, entry: Entry) => Promise<void>;
}

export interface Asked {
  readonly call: ToolCall;
  readonly server: PooledServer;
  readonly entry: Entry;
  /** Throws what is wrong with arguments that were edited. */
  readonly check: (args: JsonObject) => void;
  /** The tool as it is now: it may have changed while somebody thought. */
  readonly again: () => Entry;
  /** Told when the call begins to wait for a person. */
  readonly onWaiting: () => void;
}

export type Permission =
  | (Grounds & { readonly kind: 'permitted'; readonly permit: CallPermit; readonly args: JsonObject })
  | (Grounds & { readonly kind: 'refused'; readonly error: PlugError });

/** What is recorded of a decision. */
export interface Grounds {
  readonly decision: Decision;
  readonly approval?: AuditRecord['approval'];
}

/** Decides about a call, and asks a person where the decision says so. */
export class Permissions {
  readonly #options: PermissionOptions;

  constructor(options: PermissionOptions) {
    this.#options = options;
  }

  /** At once, unless a grant has to be claimed or a person asked. */
  get(asked: Asked): Permission | Promise<Permission> {
    const { grants, policy } = this.#options;
    const question = this.#question(asked, asked.entry, asked.call.args);
    const decision = decide(question, policy());
    if (decision.effect === 'deny') return { kind: 'refused', decision, error: denied(question, decision) };
    if (decision.effect === 'allow') {
      const permit = permitAtOnce(decision, question, grants);
      if (permit) return { kind: 'permitted', decision, permit, args: question.args };
      return this.#claim(asked, question, decision);
    }
    if (asked.call.approval === 'refuse') {
      return { kind: 'refused', decision, error: approvalRequired(question, decision) };
    }
    return this.#askPerson(asked, question, decision);
  }

  async #claim(asked: Asked, question: CallQuestion, decision: Decision): Promise<Permission> {
    const permit = await permitFrom(decision, question, this.#options.grants);
    if (permit) return { kind: 'permitted', decision, permit, args: question.args };
    return this.get(asked); // a parallel call has used up the grant
  }

  async #askPerson(asked: Asked, question: CallQuestion, decision: Decision): Promise<Permission> {
    const { call, server } = asked;
    let shown: Approval | undefined;
    const asking = this.#options.approvals.request({
      requester: call.requester,
      server: { id: server.definition.id, key: server.key, local: isLocal(server.definition.endpoint) },
      account: call.accountName,
      tool: question.tool.name,
      risk: question.tool.risk,
      flags: question.tool.flags,
      args: call.args,
      decision,
      batch: call.batch,
      signal: call.signal,
      check: asked.check,
      onWaiting: (approval) => {
        shown = approval;
        asked.onWaiting();
        call.onApproval?.(approval);
      },
    });
    // Where there is no room for a question, the call has ended all the same, and is recorded.
    const outcome = await asking.catch((thrown: unknown) => toPlugError(thrown));
    if (outcome instanceof PlugError) return { kind: 'refused', decision, error: outcome };
    const approval = recordOf(shown?.id ?? '', outcome);
    if (outcome.kind !== 'allowed') {
      const card = shown ?? { id: '', server: server.definition.id, tool: question.tool.name };
      return { kind: 'refused', decision, approval, error: refusalOf(card, outcome) };
    }
    return this.#approved(asked, outcome, { decision, approval });
  }

  /** The answer is for the tool that was shown: if it has changed meanwhile, it has to be asked again. */
  async #approved(
    asked: Asked,
    outcome: Extract<ApprovalOutcome, { readonly kind: 'allowed' }>,
    grounds: Grounds,
  ): Promise<Permission> {
    const entry = stillThere(asked);
    if (entry?.hash !== asked.entry.hash) {
      return { ...grounds, kind: 'refused', error: changedMeanwhile(asked.entry.tool.ref, asked.server) };
    }
    const question = this.#question(asked, entry, outcome.args);
    const approved = permitFromApproval(outcome, question, this.#options.policy());
    if (approved.kind === 'denied') {
      const { decision } = approved;
      return { ...grounds, decision, kind: 'refused', error: denied(question, decision) };
    }
    await rememberAnswer(asked, entry, outcome, grounds.approval?.id ?? '', this.#options);
    return { ...grounds, kind: 'permitted', permit: approved.permit, args: outcome.args };
  }

  #question({ call, server }: Asked, entry: Entry, args: JsonObject): CallQuestion {
    const { trust, clock, origins } = this.#options;
    const { key, fingerprint, definition } = server;
    return callQuestion({
      principal: call.principal,
      requester: call.requester,
      now: clock.now(),
      server: { id: definition.id, key, fingerprint, trust: trust.trustOf(key, fingerprint) },
      entry,
      args,
      origins: origins(call, server, args),
    });
  }
}

/** Undefined when it is withheld or gone: whoever said yes did not say it to that. */
function stillThere({ again }: Asked): Entry | undefined {
  try {
    return again();
  } catch {
    return undefined;
  }
}

function recordOf(id: string, outcome: ApprovalOutcome): NonNullable<AuditRecord['approval']> {
  const answered = outcome.kind === 'allowed' || outcome.kind === 'denied';
  return {
    id,
    outcome: outcome.kind,
    ...(answered ? { answeredBy: `${outcome.by.kind} ${outcome.by.id}` } : {}),
    ...(outcome.kind === 'allowed' ? { edited: outcome.edited } : {}),
  };
}

function denied({ server, tool }: CallQuestion, { reason, by }: Decision): PlugError {
  return new PlugError('denied', reason, {
    owner: by.kind === 'quarantine' ? 'server' : 'you',
    server: server.id,
    details: { tool: `${server.id}/${tool.name}`, by },
    next: by.kind === 'quarantine' ? `plug tools approve ${server.id}/${tool.name}` : 'plug rules',
  });
}

function changedMeanwhile(ref: string, { definition: { id } }: PooledServer): PlugError {
  return new PlugError('denied', `${ref} changed while you decided, so it was not called.`, {
    owner: 'server',
    server: id,
    next: `plug tools --audit ${id}`,
  });
}
