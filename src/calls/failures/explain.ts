import { PlugError, type Owner } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { sentence } from '../../base/sentence.ts';
import { hintIn, type Hint } from './hints.ts';
import { FAILURES, ofHttpStatus, ofRpcCode, type FailureContext } from './table.ts';

export type { FailureContext } from './table.ts';

/**
 * Finishes a call's failure: whose move it is, the cause, and the next command. What its place of
 * origin has said already is kept, as it knew most; here only the gaps are filled.
 */
export function explainFailure(error: PlugError, context: FailureContext): PlugError {
  const { adds, next, owner } = findings(error, context);
  const message = adds === undefined ? error.message : `${sentence(error.message)} ${adds}`;
  const complete = {
    owner: owner ?? error.owner,
    next: next ?? error.next ?? FAILURES[error.code].next(context),
    server: error.server ?? context.server,
  };
  if (
    message === error.message &&
    complete.owner === error.owner &&
    complete.next === error.next &&
    complete.server === error.server
  ) {
    return error;
  }
  return new PlugError(error.code, message, {
    ...complete,
    ...(error.details === undefined ? {} : { details: error.details }),
    cause: error,
  });
}

/** A tool's own failure is a result and stays one; this says what a person could do about it. */
export function explainToolError(result: JsonObject, context: FailureContext): Hint | undefined {
  if (result['isError'] !== true) return undefined;
  const content: readonly unknown[] = Array.isArray(result['content']) ? result['content'] : [];
  const text = content.map(textOf).join('\n');
  const named = context.tool === undefined ? context.server : `${context.server}/${context.tool}`;
  return (
    hintIn(text, context) ?? {
      owner: 'server',
      says: `${named} reported a failure of its own.`,
      next: 'Read what it says, correct the arguments, and try again.',
    }
  );
}

interface Findings {
  readonly adds?: string | undefined;
  readonly next?: string | undefined;
  readonly owner?: Owner | undefined;
}

function findings(error: PlugError, context: FailureContext): Findings {
  const { code, details } = error;
  const status = details?.['httpStatus'];
  if (code === 'protocol_error' && typeof status === 'number') {
    const row = ofHttpStatus(status, context);
    if (row) return row;
  }
  if (code === 'server_error') return ofRpcCode(error, context) ?? guess(error.message, context);
  // The last words of a process tell more than its exit code.
  if (code === 'start_failed' || code === 'crashed') return guess(lastWords(details?.['stderr']), context);
  // A foreign error that nobody has translated: what the system calls it is the best we have.
  if (code === 'internal' && codeOf(error.cause) !== undefined) {
    return guess(`${error.message} ${codeOf(error.cause)}`, context);
  }
  // A row of the table speaks where the place of origin had no next step of its own.
  return error.next === undefined ? { owner: FAILURES[code].owner } : {};
}

function guess(text: string, context: FailureContext): Findings {
  const hint = text === '' ? undefined : hintIn(text, context);
  return hint ? { adds: hint.says, next: hint.next, owner: hint.owner } : {};
}

function lastWords(stderr: unknown): string {
  return Array.isArray(stderr) ? stderr.map(String).join('\n') : '';
}

function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

function textOf(block: unknown): string {
  return isObject(block) && typeof block['text'] === 'string' ? block['text'] : '';
}
