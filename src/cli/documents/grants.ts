import { toPlugError, type ErrorView } from '../../base/errors.ts';
import { commandOf } from '../../base/remedy-command.ts';
import type { Approval, Hub } from '../../hub/hub.ts';
import { grantRemedy } from '../../policy/approvals/headless.ts';
import { permits } from '../../policy/arguments/fit.ts';
import { matchesGlob } from '../../servers/select.ts';
import { userError } from '../failures.ts';

export interface DocumentGrant {
  /** `server/tool`; a server alone means what only reads there. */
  readonly tool: string;
  /** Dotted path → glob. */
  readonly args?: Readonly<Record<string, string>>;
}

function coversCall({ tool, args = {} }: DocumentGrant, approval: Approval): boolean {
  if (!tool.includes('/')) return tool === approval.server && isPlainRead(approval);
  if (tool !== `${approval.server}/${approval.tool}`) return false;
  return Object.entries(args).every(([path, glob]) =>
    permits(approval.args, path, (text) => matchesGlob(glob, text)),
  );
}

/** Nothing else speaks for asking: no rule that wants to ask every time, and no flag. */
function isPlainRead({ risk, flags = [], decision }: Approval): boolean {
  const { kind } = decision.by;
  return risk === 'read' && flags.length === 0 && kind !== 'rule' && kind !== 'data_rule';
}

export function describeGrant({ tool, args }: DocumentGrant): string {
  if (!tool.includes('/')) return `${tool}: all read-only tools`;
  const parts = Object.entries(args ?? {}).map(([path, glob]) => `${path} is ${glob}`);
  return parts.length === 0 ? tool : `${tool} where ${parts.join(' and ')}`;
}

interface Permissions {
  readonly yesReads: boolean;
  readonly grants: readonly DocumentGrant[];
}

/** Answers approvals at once: calls not allowed beforehand are refused. */
export class ApprovalAnswers {
  readonly #hub: Hub;
  readonly #permissions: Permissions;
  readonly #answering = new Set<Promise<void>>();
  readonly #refused: ErrorView[] = [];
  readonly #failed = new AbortController();

  constructor(hub: Hub, permissions: Permissions) {
    this.#hub = hub;
    this.#permissions = permissions;
  }

  /** Aborts when an approval couldn't be answered: the call would wait forever. */
  get signal(): AbortSignal {
    return this.#failed.signal;
  }

  get refused(): readonly ErrorView[] {
    return this.#refused;
  }

  answer(approval: Approval): void {
    const answering = this.#send(approval).finally(() => this.#answering.delete(answering));
    this.#answering.add(answering);
  }

  async settled(): Promise<void> {
    await Promise.all(this.#answering);
  }

  async #send(approval: Approval): Promise<void> {
    const { id, argsHash } = approval;
    const allowed = this.#allows(approval);
    try {
      const answer = allowed ? { effect: 'allow' as const } : { effect: 'deny' as const, note: NOTE };
      await this.#hub.approvals.answer({ id, argsHash, ...answer });
      if (!allowed) this.#refused.push(refusalOf(approval));
    } catch (error) {
      const { code, details } = toPlugError(error);
      // Another face was faster, or the call is over: nothing is left to answer.
      if (code === 'already_exists') {
        if (details?.['outcome'] !== 'allowed') this.#refused.push(refusalOf(approval));
      } else if (code !== 'not_found') this.#failed.abort(error);
    }
  }

  #allows(approval: Approval): boolean {
    const { yesReads, grants } = this.#permissions;
    return (yesReads && isPlainRead(approval)) || grants.some((grant) => coversCall(grant, approval));
  }
}

const NOTE = 'not granted for this run';

function refusalOf(approval: Approval): ErrorView {
  const { server, tool, risk, flags = [], argsHash, decision } = approval;
  const grant = grantRemedy({ ref: `${server}/${tool}`, risk, flags, argsHash, decision });
  return userError(
    'approval_required',
    `${server}/${tool} needs approval, and isn’t granted for this run. ${decision.reason}`,
    {
      server,
      remedy: grant ?? { do: 'say', text: 'Call it from a terminal, the page or a host that can ask.' },
      details: { tool, server, risk, argsHash, decision, ...(grant && { grant: commandOf(grant) }) },
    },
  ).toView();
}
