import { defined } from '../base/defined.ts';
import { ignore, messageOf } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { AttachedHost, HostOptions } from '../hub/hub.ts';
import type { HostRequestKind } from '../connections/host.ts';
import { askListener, openStream } from './exchange.ts';
import type { HostAnswer, HostMessage } from './listener-operations.ts';
import type { Send } from './send.ts';

const KINDS: readonly HostRequestKind[] = ['elicitation', 'sampling', 'roots'];

export async function attachHost(
  options: Pick<Serving, 'send' | 'clock' | 'host' | 'signal'>,
): Promise<AttachedHost> {
  const { send, host } = options;
  const answers = KINDS.filter((kind) => host.handlers[kind] !== undefined);
  const given = { name: host.name, ...defined({ cwd: host.cwd }), answers };
  const { id } = await askListener(send, 'hosts.attach', given);
  const closed = new AbortController();
  const signal = AbortSignal.any([options.signal, closed.signal]);
  const stream = await openStream(send, 'hosts.requests', { id }, signal);
  const serving = serve({ ...options, id, stream, signal });
  ignore(serving, 'if the hub is gone for good, calls say so themselves');
  const close = async (): Promise<void> => {
    if (closed.signal.aborted) return;
    closed.abort(new Error('the host has detached'));
    // A hub that can't be told detaches the host itself after its grace period.
    await Promise.allSettled([askListener(send, 'hosts.detach', { id }), serving]);
  };
  // Over HTTP a host's roots don't change while it is attached.
  return { id, rootsChanged: () => undefined, close, [Symbol.asyncDispose]: close };
}

interface Serving {
  readonly send: Send;
  readonly clock: Clock;
  readonly host: HostOptions;
  readonly id: string;
  readonly stream: AsyncGenerator<HostMessage>;
  readonly signal: AbortSignal;
}

/** Answers until detached. A broken stream is opened again: the hub keeps unanswered requests. */
async function serve({ send, clock, host, id, stream, signal }: Serving): Promise<void> {
  const open = new Map<string, AbortController>();
  let messages = stream;
  for (let attempt = 0; attempt < limits.watchRetriesMax; attempt += 1) {
    try {
      for await (const message of messages) {
        attempt = 0;
        const { requestId } = message;
        if (message.kind === 'cancel') open.get(requestId)?.abort(new Error('no longer wanted'));
        else if (!open.has(requestId)) {
          const cancel = new AbortController();
          open.set(requestId, cancel);
          const wanted = AbortSignal.any([signal, cancel.signal]);
          const answered = answerRequest(host, message, wanted)
            .then((answer) =>
              wanted.aborted ? undefined : askListener(send, 'hosts.answer', { id, requestId, ...answer }),
            )
            .finally(() => open.delete(requestId));
          ignore(answered, 'a question that is no longer open needs no answer');
        }
      }
    } catch {
      // The stream broke; opening it again tells whether the hub still knows us.
    }
    if (signal.aborted) return;
    await clock.sleep(limits.watchRetryBaseMs * 2 ** attempt, signal);
    messages = await openStream(send, 'hosts.requests', { id }, signal);
  }
}

async function answerRequest(
  host: HostOptions,
  message: Extract<HostMessage, { readonly kind: 'request' }>,
  signal: AbortSignal,
): Promise<HostAnswer> {
  const handler = host.handlers[message.asks];
  if (!handler) return { problem: `This host does not answer ${message.asks}.` };
  try {
    const { server, asks: kind, params } = message;
    return { result: await handler({ server, kind, params }, { signal }) };
  } catch (error) {
    return { problem: messageOf(error).slice(0, PROBLEM_CHARS_MAX) };
  }
}

const PROBLEM_CHARS_MAX = 2_000;
