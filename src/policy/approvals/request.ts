import { canonicalJson, type JsonObject } from '../../base/json.ts';
import type { Flag } from '../../catalog/tool.ts';
import type { Risk } from '../../catalog/risk.ts';
import type { Approval } from '../approval.ts';
import type { AskedAccount, Decision, Requester } from '../decision.ts';
import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';

export interface ApprovalRequest {
  readonly requester: Requester;
  readonly server: {
    readonly id: string;
    readonly key: string;
    /** It runs on this machine, so its files can be previewed. */
    readonly local?: boolean;
  };
  readonly account?: AskedAccount | undefined;
  readonly tool: string;
  readonly risk: Risk;
  readonly flags?: readonly Flag[] | undefined;
  readonly args: JsonObject;
  readonly decision: Decision;
  readonly profile?: string | undefined;
  /** Calls that the caller counts as one, such as one turn of a model. */
  readonly batch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly check?: ((args: JsonObject) => Promise<void> | void) | undefined;
  readonly onWaiting?: ((approval: Approval) => void) | undefined;
}

/** Limits how many approvals wait, in total and per requester, and their size. */
export class Room {
  readonly #limits: Limits;
  readonly #perRequester = new Map<string, number>();
  #count = 0;
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Throws when full; the result frees the place. */
  enter(request: ApprovalRequest): () => void {
    const bytes = this.checkSize(request, request.args);
    const { id } = request.requester;
    const own = this.#perRequester.get(id) ?? 0;
    const { approvalsMax, approvalsPerRequesterMax, approvalsBytesMax } = this.#limits;
    if (own >= approvalsPerRequesterMax) {
      throw full(request, `${own} calls of ${request.requester.name ?? id} wait for an answer already.`);
    }
    if (this.#count >= approvalsMax || this.#bytes + bytes > approvalsBytesMax) {
      throw full(request, `${this.#count} calls wait for an answer already.`);
    }
    this.#count += 1;
    this.#bytes += bytes;
    this.#perRequester.set(id, own + 1);
    return () => {
      this.#count -= 1;
      this.#bytes -= bytes;
      const left = (this.#perRequester.get(id) ?? 1) - 1;
      if (left > 0) this.#perRequester.set(id, left);
      else this.#perRequester.delete(id);
    };
  }

  checkSize({ server, tool }: ApprovalRequest, args: JsonObject): number {
    const bytes = Buffer.byteLength(canonicalJson(args));
    const { approvalArgsBytesMax } = this.#limits;
    if (bytes <= approvalArgsBytesMax) return bytes;
    throw new PlugError(
      'too_large',
      `The arguments of ${server.id}/${tool} have ${bytes} bytes; nobody can look through more than ${approvalArgsBytesMax}.`,
      {
        owner: 'you',
        server: server.id,
        remedy: 'Make the call in smaller parts.',
        details: { bytes },
      },
    );
  }
}

function full({ server }: ApprovalRequest, message: string): PlugError {
  return new PlugError('unavailable', message, {
    owner: 'you',
    server: server.id,
    remedy: 'Answer those first, then make the call again.',
  });
}
