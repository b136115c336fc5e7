import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { canonicalJson, type Json, type JsonObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { Approval, ArgumentChange } from '../approval.ts';
import { hashArguments } from '../args-hash.ts';
import { previewOf } from './preview.ts';
import { leavesOf } from './leaves.ts';
import type { Flag } from '../../catalog/tool.ts';
import type { Risk } from '../../catalog/risk.ts';
import type { AskedAccount, Decision, Requester } from '../decision.ts';
import { PlugError } from '../../base/errors.ts';

export interface CardOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  /** Masks by field name and by known value. */
  readonly mask: (args: JsonObject, server: string) => JsonObject;
  /** Text of a local file, for previews. */
  readonly readText?: (
    path: string,
    options: { readonly server: string; readonly bytesMax: number },
  ) => Promise<string | undefined>;
}

/** A promise only when a file has to be read. */
export function cardOf(
  request: ApprovalRequest,
  { id, batch }: { readonly id: string; readonly batch: string },
  last: LastApproved,
  options: CardOptions,
): Approval | Promise<Approval> {
  const { clock, limits, mask } = options;
  const { args, server, tool, account, flags, decision } = request;
  const masked = mask(args, server.id);
  const changes = last.changes(server.key, tool, { args, masked });
  const now = clock.now();
  const card: Approval = {
    id,
    batch,
    createdAt: now,
    expiresAt: now + limits.approvalMs,
    requester: request.requester,
    server: server.id,
    ...(account === undefined ? {} : { account: account.shown }),
    tool,
    risk: request.risk,
    ...(flags && flags.length > 0 ? { flags } : {}),
    args: masked,
    argsHash: hashArguments(args),
    decision,
    ...(changes ? { changes } : {}),
    offers: decision.offers,
  };
  const preview = request.risk === 'read' ? undefined : previewFor(request, masked, options);
  if (!preview) return card;
  return preview instanceof Promise
    ? preview.then((drawn) => ({ ...card, preview: drawn }))
    : { ...card, preview };
}

/** A caller that can't read a file must not learn its text from the approval. */
export function withoutDisk(approval: Approval): Approval {
  if (!approval.preview?.fromDisk) return approval;
  const { preview: _, ...rest } = approval;
  return rest;
}

function previewFor({ server }: ApprovalRequest, masked: JsonObject, options: CardOptions) {
  const reads = options.readText !== undefined && server.local === true;
  const read = reads ? (path: string) => fileText(path, server.id, options) : undefined;
  return previewOf(masked, { limits: options.limits, read });
}

/** A file that can't be read in time is treated as new. */
async function fileText(path: string, server: string, { clock, limits, mask, readText }: CardOptions) {
  const done = new AbortController();
  try {
    const text = await Promise.race([
      readText?.(path, { server, bytesMax: limits.previewFileBytesMax }),
      clock.sleep(limits.previewReadMs, done.signal).then(() => undefined),
    ]);
    const shown = text === undefined ? undefined : mask({ text }, server)['text'];
    return typeof shown === 'string' ? shown : undefined;
  } catch {
    return undefined; // a missing file is the usual case: the call makes it
  } finally {
    done.abort();
  }
}

export interface ShownArguments {
  readonly args: JsonObject;
  readonly masked: JsonObject;
}

/** Arguments of each tool's last approved call, secrets only as hashes. */
export class LastApproved {
  readonly #limits: Limits;
  readonly #kept = new Map<string, ReadonlyMap<string, Remembered>>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  remember(serverKey: string, tool: string, shown: ShownArguments): void {
    const key = toolKey(serverKey, tool);
    this.#kept.delete(key);
    if (canonicalJson(shown.masked).length > this.#limits.approvalLastArgsBytesMax) return;
    this.#kept.set(key, remembered(shown));
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > this.#limits.approvalLastToolsMax && !oldest.done) this.#kept.delete(oldest.value);
  }

  changes(serverKey: string, tool: string, shown: ShownArguments): readonly ArgumentChange[] | undefined {
    const before = this.#kept.get(toolKey(serverKey, tool));
    return before && differences(before, remembered(shown)).slice(0, this.#limits.approvalChangesMax);
  }

  clear(): void {
    this.#kept.clear();
  }
}

interface Remembered {
  readonly value: Json;
  /** Equal for equal values, also hidden ones. */
  readonly mark: string;
}

function toolKey(serverKey: string, tool: string): string {
  return JSON.stringify([serverKey, tool]);
}

function remembered({ args, masked }: ShownArguments): ReadonlyMap<string, Remembered> {
  const given = new Map(leavesOf(args).map(({ path, value }) => [path, canonicalJson(value)]));
  return new Map(
    leavesOf(masked).map(({ path, value }) => {
      const shown = canonicalJson(value);
      const real = given.get(path);
      const hidden = real !== undefined && real !== shown;
      return [path, { value, mark: hidden ? createHash('sha256').update(real).digest('hex') : shown }];
    }),
  );
}

function differences(before: ReadonlyMap<string, Remembered>, after: ReadonlyMap<string, Remembered>) {
  const changes: ArgumentChange[] = [];
  for (const [path, { value, mark }] of after) {
    const old = before.get(path);
    if (!old) changes.push({ path, after: value });
    else if (old.mark !== mark) changes.push({ path, before: old.value, after: value });
  }
  for (const [path, { value }] of before) if (!after.has(path)) changes.push({ path, before: value });
  return changes;
}

export interface ApprovalRequest {
  /** On whose behalf: they are none of those others who may have to approve. */
  readonly principal: string;
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
    const message = `The arguments of ${server.id}/${tool} have ${bytes} bytes; a card shows at most ${approvalArgsBytesMax}.`;
    const remedy = 'Split the call into smaller ones.';
    throw new PlugError('too_large', message, {
      owner: 'you',
      server: server.id,
      remedy,
      details: { bytes },
    });
  }
}

function full({ server }: ApprovalRequest, message: string): PlugError {
  const remedy = 'Answer those first, then call again.';
  return new PlugError('unavailable', message, { owner: 'you', server: server.id, remedy });
}
