import { PlugError } from '../../base/errors.ts';
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { ApprovalRequest } from './request.ts';

/** How many questions may wait, how many of one requester, and how much they may hold. */
export class Room {
  readonly #limits: Limits;
  readonly #perRequester = new Map<string, number>();
  #count = 0;
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Throws when there is none. What it answers gives the place free again. */
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
      { owner: 'you', server: server.id, next: 'Make the call in smaller parts.', details: { bytes } },
    );
  }
}

function full({ server }: ApprovalRequest, message: string): PlugError {
  return new PlugError('unavailable', message, {
    owner: 'you',
    server: server.id,
    next: 'Answer those first, then make the call again.',
  });
}
