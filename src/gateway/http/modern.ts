import type { Line } from '../../base/line.ts';
import type { Logger } from '../../base/logger.ts';
import type { Gateway, ModernRequest } from '../gateway.ts';
import { RpcError, rpcCodes } from '../rpc.ts';
import { checkEnvelope } from './envelope.ts';
import { HostExchange } from './host-exchange.ts';
import type { HostRequest, Message } from './message.ts';
import { Reply } from './reply.ts';
import { EVENTS_ONLY, invalidRequest, problem, respondEmpty, respondError } from './respond.ts';
import type { Posted } from './posted.ts';

export interface ModernOptions {
  readonly gateway: Gateway;
  readonly logger: Logger;
  /** Remembers what is under way, so that it ends when the hub does. */
  readonly open: Line<HostExchange>;
}

/** Answers one message of a host of 2026-07-28: nothing of it outlives its POST. */
export function answerModern(message: Message, posted: Posted, options: ModernOptions): void {
  const { response } = posted;
  switch (message.kind) {
    case 'request':
      return answerRequest(message, posted, options);
    case 'notification':
      // Cancelling is done by closing the stream, and nothing else is there to be told.
      return respondEmpty(response, 202);
    case 'response':
      return respondError(response, invalidRequest('This era has no questions that are answered by a POST.'));
    case 'invalid':
      return respondError(response, {
        ...invalidRequest(`The body was refused: ${message.why}.`),
        id: message.id,
      });
  }
}

function answerRequest(message: HostRequest, posted: Posted, { gateway, logger, open }: ModernOptions): void {
  const { response, header, accepted, scope, principal, cwd, stream } = posted;
  const { id, method, params } = message;
  const wrong =
    checkEnvelope(message, header) ??
    (gateway.knows(method) ? undefined : problem(404, rpcCodes.methodNotFound, 'There is no such method.')) ??
    (method === 'subscriptions/listen' && !accepted.events ? EVENTS_ONLY : undefined);
  if (wrong) return respondError(response, { ...wrong, id });
  const onGone = (): void => exchange.drop();
  const exchange = new HostExchange(id, new Reply(response, { stream, accepted, onGone }));
  const underWay = open.add(exchange);
  const request: ModernRequest = { id, method, params, scope, principal, header, cwd };
  const work = () => gateway.request(request, exchange);
  exchange.run(work, { logger, statusOf, onEnd: () => open.delete(underWay) });
}

/** Which errors of a method are errors of HTTP too; all others are ordinary answers. */
function statusOf(error: RpcError): number {
  return REFUSALS.has(error.code) ? 400 : 200;
}

const REFUSALS: ReadonlySet<number> = new Set([
  rpcCodes.headerMismatch,
  rpcCodes.missingCapability,
  rpcCodes.unsupportedVersion,
]);
