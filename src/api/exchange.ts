import { PlugError, type ErrorView } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import type { InputOf, OutputOf } from '../hub/operations/operation.ts';
import type { listenerOperations } from './listener-operations.ts';
import { routes, usesQuery, type ListenerOperationName, type OperationName } from './routes.ts';
import type { Send, SendRequest, SendResponse } from './send.ts';

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: never) => void) | undefined;
  readonly onApproval?: ((approval: never) => void) | undefined;
  readonly onApprovalEnd?: ((end: never) => void) | undefined;
  /** Reads answers and approvals in place of `JSON.parse`. */
  readonly readJson?: ReadJson | undefined;
}

export type ReadJson = (text: string) => unknown;

type Rows = typeof listenerOperations;

export async function askListener<Name extends ListenerOperationName>(
  send: Send,
  name: Name,
  input: InputOf<Rows[Name]>,
): Promise<OutputOf<Rows[Name]>> {
  return (await ask(send, name, input)) as OutputOf<Rows[Name]>; // its answer
}

export async function ask(
  send: Send,
  name: OperationName,
  input: object,
  options: AskOptions = {},
): Promise<unknown> {
  const { signal, onProgress, onApproval, onApprovalEnd } = options;
  try {
    signal?.throwIfAborted();
    const response = await send({
      ...requestOf(name, input),
      accept: onProgress || onApproval || onApprovalEnd ? 'text/event-stream' : 'application/json',
      ...(signal ? { signal } : {}),
    });
    await throwUnlessOk(response);
    const streamed = response.headers('content-type')?.startsWith('text/event-stream') ?? false;
    return streamed ? await readResult(response, options) : parse(await readText(response), options.readJson);
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new PlugError('cancelled', 'It was cancelled before it ended.', { owner: 'you', cause: error });
  }
}

/** Opens a stream that ends only with its signal. Resolves when the hub has accepted it. */
export async function openStream<Name extends ListenerOperationName>(
  send: Send,
  name: Name,
  input: InputOf<Rows[Name]>,
  signal: AbortSignal,
): Promise<AsyncGenerator<OutputOf<Rows[Name]>>> {
  const response = await send({ ...requestOf(name, input), accept: 'text/event-stream', signal });
  await throwUnlessOk(response);
  return parsedEvents(response);
}

async function* parsedEvents<Out>(response: SendResponse): AsyncGenerator<Out> {
  for await (const { data } of readEvents(response.body, limits.httpAnswerBytesMax)) {
    yield parse(data) as Out; // the events of this very operation
  }
}

function requestOf(name: OperationName, input: object): Pick<SendRequest, 'method' | 'path' | 'body'> {
  const route = routes[name];
  const fields = new Map<string, unknown>(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = route.path.replaceAll(/:(\w+)/g, (_whole, field: string) => {
    const value = String(fields.get(field));
    fields.delete(field);
    return encodeURIComponent(value);
  });
  if (!usesQuery(route))
    return { method: route.method, path, body: JSON.stringify(Object.fromEntries(fields)) };
  const query = new URLSearchParams();
  for (const [field, value] of fields) query.set(field, String(value));
  return { method: route.method, path: query.size === 0 ? path : `${path}?${query.toString()}` };
}

async function readResult(
  response: SendResponse,
  { onProgress, onApproval, onApprovalEnd, readJson }: AskOptions,
): Promise<unknown> {
  for await (const { event, data } of readEvents(response.body, limits.httpAnswerBytesMax)) {
    if (event === 'result') return parse(data, readJson) ?? undefined;
    if (event === 'error') throw PlugError.fromView(parse(data) as ErrorView); // written by toView()
    if (event === 'progress') onProgress?.(parse(data) as never); // the progress of this very operation
    if (event === 'approval') onApproval?.(parse(data, readJson) as never); // likewise
    if (event === 'approval-end') onApprovalEnd?.(parse(data) as never); // likewise
  }
  throw new PlugError('hub_unavailable', 'The hub stopped before it answered.', {
    owner: 'plugboard',
    remedy: { do: 'start-hub' },
  });
}

async function throwUnlessOk(response: SendResponse): Promise<void> {
  if (response.status < 400) return;
  const body = parse(await readText(response));
  if (isObject(body) && isObject(body['error'])) {
    throw PlugError.fromView(body['error'] as unknown as ErrorView); // written by toView()
  }
  throw new PlugError('protocol_error', `The hub answered ${response.status} without a reason.`, {
    owner: 'plugboard',
  });
}

async function readText(response: SendResponse): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > limits.httpAnswerBytesMax) throw tooLarge('more than a face can hold');
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join('') + decoder.decode();
}

function parse(text: string, readJson: ReadJson = JSON.parse): unknown {
  if (text === '') return undefined;
  try {
    return readJson(text);
  } catch (cause) {
    throw new PlugError('protocol_error', 'What answered is not a Plugboard hub.', {
      owner: 'plugboard',
      remedy: { do: 'show', what: 'hub' },
      cause,
    });
  }
}

export interface ReceivedEvent {
  readonly event: string;
  readonly data: string;
}

/** Reads text/event-stream as the hub writes it, without comments. One event is bounded. */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  eventBytesMax: number,
): AsyncGenerator<ReceivedEvent> {
  const decoder = new TextDecoder();
  // Parts of an unfinished event are joined once, when it ends: no quadratic copying.
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of body) {
    let text = decoder.decode(chunk, { stream: true });
    // The end of an event may be split over two chunks.
    const last = parts.at(-1);
    if (last?.endsWith('\n') && text.startsWith('\n')) {
      parts.pop();
      text = last + text;
      length -= last.length;
    }
    const events = text.split('\n\n');
    const rest = events.pop() ?? '';
    for (const end of events) {
      const event = parseEvent(parts.join('') + end);
      parts = [];
      length = 0;
      if (event) yield event;
    }
    if (rest !== '') parts.push(rest);
    length += rest.length;
    if (length > eventBytesMax) throw tooLarge(`an event of more than ${eventBytesMax} bytes`);
  }
}

function parseEvent(block: string): ReceivedEvent | undefined {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) event = line.slice(7);
    else if (line.startsWith('data: ')) data.push(line.slice(6));
  }
  return data.length === 0 ? undefined : { event, data: data.join('\n') };
}

function tooLarge(what: string): PlugError {
  return new PlugError('too_large', `The hub sent ${what}.`, { owner: 'plugboard' });
}
