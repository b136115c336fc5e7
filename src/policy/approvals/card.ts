import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { Approval } from '../approval.ts';
import { hashArguments } from '../args-hash.ts';
import type { LastApproved } from './changes.ts';
import { previewOf } from './preview.ts';
import type { ApprovalRequest } from './request.ts';

export interface CardOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  /** A copy without secrets: by what a field is called, and by known value. */
  readonly mask: (args: JsonObject, server: string) => JsonObject;
  /** The text of a file on this machine, for the preview of a call that would change it. */
  readonly readText?: (
    path: string,
    options: { readonly server: string; readonly bytesMax: number },
  ) => Promise<string | undefined>;
}

/** The whole question. It is a promise only when a file has to be read for it. */
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

/** A caller that may not read a file must not learn its text from the question about it. */
export function withoutDisk(approval: Approval): Approval {
  if (!approval.preview?.fromDisk) return approval;
  const { preview: _, ...rest } = approval;
  return rest;
}

function previewFor(
  { server }: ApprovalRequest,
  masked: JsonObject,
  options: CardOptions,
): ReturnType<typeof previewOf> {
  const reads = options.readText !== undefined && server.local === true;
  return previewOf(masked, {
    limits: options.limits,
    read: reads ? (path) => fileText(path, server.id, options) : undefined,
  });
}

/** A file that cannot be read in time is shown as if it were new. */
async function fileText(
  path: string,
  server: string,
  { clock, limits, mask, readText }: CardOptions,
): Promise<string | undefined> {
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
