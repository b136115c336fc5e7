import { ignore, messageOf } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { AttachedHost, HostOptions } from '../hub/hub.ts';
import type { HostRequestKind } from '../connections/host.ts';
import { askListener, openStream } from './exchange.ts';
import type { HostAnswer, HostMessage } from './listener-operations.ts';
import type { Send } from './send.ts';

const KINDS: readonly HostRequestKind[] = ['elicitation', 'sampling', 'roots'];

/** Attaches this process as a host: servers' requests stream in, answers are posted back. */
export async function attachHost(options: {
  readonly send: Send;
  readonly clock: Clock;
  readonly host: HostOptions;
  readonly signal: AbortSignal;
}): Promise<AttachedHost> {
  const { send, host } = options;
  const { id } = await askListener(send, 'hosts.attach', {
    name: host.name,
    ...(host.cwd === undefined ? {} : { cwd: host.cwd }),
    answers: KINDS.filter((kind) => host.handlers[kind] !== undefined),
  });
  const closed = new AbortController();
  const signal = AbortSignal.any([options.signal, closed.signal]);
  const stream = await openStream(send, 'hosts.requests', { id }, signal);
  const serving = serve({ ...options, id, stream, signal });
  ignore(serving, 'when the hub is gone for good, calls say so themselves');
  const close = async (): Promise<void> => {
    if (closed.signal.aborted) return;
    closed.abort(new Error('the host has detached'));
    // A hub that cannot be told any more lets the host go by itself after its grace.
    await Promise.allSettled([askListener(send, 'hosts.detach', { id }), serving]);
  };
  // Over HTTP a host's roots stay what they are while it is attached.
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

/** Answers until detached. A broken stream is opened again: the hub keeps what is unanswered. */
async function serve({ send, clock, host, id, stream, signal }: Serving): Promise<void> {
  const open = new Map<string, AbortController>();
  let messages = stream;
  for (let attempt = 0; attempt < limits.watchRetriesMax; attempt += 1) {
    try {
      for await (const message of messages) {
        attempt = 0;
        if (message.kind === 'cancel') open.get(message.requestId)?.abort(new Error('no longer wanted'));
        else if (!open.has(message.requestId)) {
          const cancel = new AbortController();
          open.set(message.requestId, cancel);
          const wanted = AbortSignal.any([signal, cancel.signal]);
          const answered = answerRequest(host, message, wanted)
            .then((answer) =>
              wanted.aborted
                ? undefined
                : askListener(send, 'hosts.answer', { id, requestId: message.requestId, ...answer }),
            )
            .finally(() => open.delete(message.requestId));
          ignore(answered, 'a question that is no longer open needs no answer');
        }
      }
    } catch {
      // The stream broke; whether the hub still knows us shows below.
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
