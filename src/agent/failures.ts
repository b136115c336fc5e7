import type { Remedy } from '../base/remedy.ts';
import { AISDKError, APICallError, InvalidPromptError } from 'ai';
import { messageOf, PlugError } from '../base/errors.ts';
import type { ModelView } from '../hub/hub.ts';
import { agentLimits } from './limits.ts';

export interface Failure {
  readonly error: PlugError;
  readonly passes: boolean;
  readonly waitMs?: number;
  readonly isTooLong: boolean;
}

export function readFailure(
  thrown: unknown,
  { view, now }: { readonly view: ModelView; readonly now: number },
): Failure {
  const { name, model } = view;
  if (thrown instanceof PlugError) {
    const passes = PASSING.has(thrown.code) && !isNobodyThere(thrown.details?.['cause']);
    return { error: thrown, passes, isTooLong: false };
  }
  const said = shortened(messageOf(thrownMessage(thrown)));
  if (InvalidPromptError.isInstance(thrown)) return unreadable(thrown, said);
  const status = APICallError.isInstance(thrown) ? thrown.statusCode : undefined;
  // A good status says nothing about the stream after it.
  if (status === undefined || status < 400) return withoutStatus(thrown, { said, name });
  const failure = (...[code, message, owner, remedy, more]: Parts): Failure => ({
    error: new PlugError(code, message, { owner, remedy, cause: thrown, details: { status } }),
    passes: false,
    isTooLong: false,
    ...more,
  });
  const retry = { passes: true, ...pause(thrown, now) };
  if (TOO_LONG.test(said) && TOO_LONG_STATUS.has(status)) {
    const message = `The conversation is too long for ${model}: ${said}`;
    const remedy: Remedy = { do: 'say', text: 'Begin a new conversation.' };
    return failure('too_large', message, 'you', remedy, { isTooLong: true });
  }
  if (status === 401 || status === 403) {
    const message = `${name}: the provider does not accept the key: ${said}`;
    return failure('sign_in_needed', message, 'you', { do: 'add-model', name, needs: 'key' });
  }
  if (status === 404) {
    const message = `${name}: the provider has no model “${model}”, or nothing is at its address: ${said}`;
    return failure('not_found', message, 'you', ANOTHER_MODEL);
  }
  if (status === 429) {
    const message = `${name}: the provider is asked too often: ${said}`;
    return failure('rate_limited', message, 'server', ANOTHER_MODEL, retry);
  }
  if (status >= 500 || status === 408 || status === 409) {
    const message = `${name}: the provider failed with status ${status}: ${said}`;
    return failure('server_error', message, 'server', ANOTHER_MODEL, retry);
  }
  const message = `${name}: the provider refused the request with status ${status}: ${said}`;
  return failure('server_error', message, 'server', { do: 'check' });
}

type Parts = [
  code: PlugError['code'],
  message: string,
  owner: PlugError['owner'],
  remedy: Remedy,
  more?: Partial<Failure>,
];

const ANOTHER_MODEL: Remedy = { do: 'show', what: 'models' };

const PASSING: ReadonlySet<string> = new Set(['unreachable', 'call_timeout', 'rate_limited', 'unavailable']);
const TOO_LONG_STATUS: ReadonlySet<number> = new Set([400, 413, 422, 500]);
const TOO_LONG =
  /context.{0,20}(length|window|size|limit)|prompt is too long|too many tokens|input (is )?too long|exceeds? .{0,60}tokens|token count .{0,40}exceeds|maximum .{0,30}tokens|request too large/i;

/** Nothing listens there, or the name is unknown: retrying doesn't help. */
function isNobodyThere(cause: unknown): boolean {
  return typeof cause === 'string' && /ECONNREFUSED|ENOTFOUND/.test(cause);
}

function withoutStatus(thrown: unknown, { said, name }: { said: string; name: string }): Failure {
  if (APICallError.isInstance(thrown) || NETWORK.test(said)) {
    const error = new PlugError('unreachable', `${name}: the connection to the model failed: ${said}`, {
      owner: 'network',
      remedy: ANOTHER_MODEL,
      cause: thrown,
    });
    return { error, passes: !isNobodyThere(said), isTooLong: false };
  }
  // Errors in a stream are errors of the SDK or plain values.
  if (thrown instanceof Error && !AISDKError.isInstance(thrown)) return unreadable(thrown, said);
  const message = `${name}: the provider failed in the middle of its answer: ${said}`;
  const remedy: Remedy = { do: 'retry' };
  const error = new PlugError('server_error', message, { owner: 'server', remedy, cause: thrown });
  return { error, passes: true, isTooLong: false };
}

/** The request was never sent: a message is malformed. */
function unreadable(cause: Error, said: string): Failure {
  const message = `The conversation could not be sent to the model: ${said}`;
  const error = new PlugError('usage', message, { owner: 'you', remedy: 'Begin a new conversation.', cause });
  return { error, passes: false, isTooLong: false };
}

const NETWORK = /terminated|socket|econn|fetch failed|network|aborted|other side closed/i;

function thrownMessage(thrown: unknown): unknown {
  if (APICallError.isInstance(thrown) && (thrown.statusCode ?? 0) < 400) return thrown.cause ?? thrown;
  if (thrown instanceof Error || typeof thrown !== 'object' || thrown === null) return thrown;
  const { message } = thrown as { readonly message?: unknown };
  return typeof message === 'string' ? message : JSON.stringify(thrown);
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const cut = line.slice(0, agentLimits.messageCharsMax);
  return cut.length < line.length ? `${cut}…` : cut;
}

/** `retry-after` in seconds or as a date, or `retry-after-ms`. */
function pause(thrown: unknown, now: number): { readonly waitMs?: number } {
  if (!APICallError.isInstance(thrown)) return {};
  const { 'retry-after-ms': exact, 'retry-after': given } = thrown.responseHeaders ?? {};
  const ms = Number(exact ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return { waitMs: ms };
  if (given === undefined) return {};
  const seconds = Number(given);
  if (Number.isFinite(seconds) && seconds >= 0) return { waitMs: seconds * 1_000 };
  const date = Date.parse(given);
  return Number.isNaN(date) ? {} : { waitMs: Math.max(0, date - now) };
}
