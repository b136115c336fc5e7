import { nextStep } from '../../base/remedy-command.ts';
import type { NextStep, Remedy } from '../../base/remedy.ts';
import { PlugError, type Owner } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { sentence } from '../../base/sentence.ts';
import { replaceKey } from './edit-server.ts';
import { knownCause, type CauseContext, type KnownCause } from './known-causes.ts';
import { FAILURES, ofHttpStatus, ofRpcCode, type FailureContext } from './table.ts';

/**
 * Finishes a failure, for the caller and for the state of the server: whose move it is, the cause, and the next command. What its place of
 * origin has said already is kept, as it knew most; here only the gaps are filled.
 */
export function explainFailure(error: PlugError, context: FailureContext): PlugError {
  const { adds, remedy, owner } = findings(error, context);
  const message = adds === undefined ? error.message : `${sentence(error.message)} ${adds}`;
  const complete = {
    owner: owner ?? error.owner,
    remedy: remedy ?? error.remedy ?? FAILURES[error.code].remedy(context),
    server: error.server ?? context.server,
  };
  if (
    message === error.message &&
    complete.owner === error.owner &&
    complete.remedy === error.remedy &&
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

/** What a person could do about a tool's own error. */
export type Hint = Required<NextStep> & { readonly owner: Owner; readonly says: string };

/** A tool's own failure is a result and stays one; this says what a person could do about it. */
export function explainToolError(result: JsonObject, context: FailureContext): Hint | undefined {
  if (result['isError'] !== true) return undefined;
  const content: readonly unknown[] = Array.isArray(result['content']) ? result['content'] : [];
  const found = causeIn(content.map(textOf).join('\n'), context);
  if (found) return { owner: found.owner, says: found.says, ...nextStep(found.remedy) };
  const named = context.tool === undefined ? context.server : `${context.server}/${context.tool}`;
  return {
    owner: 'server',
    says: `${named} reported a failure of its own.`,
    ...nextStep({ do: 'say', text: 'Read what it says, correct the arguments, and try again.' }),
  };
}

interface Findings {
  readonly adds?: string | undefined;
  readonly remedy?: Remedy | undefined;
  readonly owner?: Owner | undefined;
}

function findings(error: PlugError, context: FailureContext): Findings {
  const { code, details } = error;
  const status = details?.['httpStatus'] ?? oldTransportStatus(error);
  if ((code === 'protocol_error' || code === 'internal') && typeof status === 'number') {
    const row = ofHttpStatus(status, context);
    if (row) return row;
  }
  // Turned away with a key of the user's own: another key helps, unless an account lacks a scope.
  if (code === 'sign_in_needed' && context.keyHeader !== undefined && status !== undefined) {
    if (details?.['scope'] === undefined) return { remedy: replaceKey(context), owner: 'you' };
  }
  if (code === 'server_error') return ofRpcCode(error, context) ?? guess(error.message, context);
  // The last words of a process tell more than its exit code.
  if (code === 'start_failed' || code === 'crashed') return guess(lastWords(details?.['stderr']), context);
  // A foreign error that nobody has translated: what the system calls it is the best we have.
  if (code === 'internal' && codeOf(error.cause) !== undefined) {
    return guess(`${error.message} ${codeOf(error.cause)}`, context);
  }
  // A row of the table speaks where the place of origin had no next step of its own.
  return error.remedy === undefined ? { owner: FAILURES[code].owner } : {};
}

function guess(text: string, context: FailureContext): Findings {
  const found = causeIn(text, context);
  return found ? { adds: found.says, remedy: found.remedy, owner: found.owner } : {};
}

function causeIn(text: string, context: CauseContext): KnownCause | undefined {
  return text === '' ? undefined : knownCause(text.slice(-LOOKED_CHARS).split('\n'), context);
}

const LOOKED_CHARS = 8 * 1024;

function lastWords(stderr: unknown): string {
  return Array.isArray(stderr) ? stderr.map(String).join('\n') : '';
}

/** A stream of the older transport that cannot be opened is an error of the SDK, whose code is the status. */
function oldTransportStatus({ code, cause }: PlugError): unknown {
  return code === 'internal' && cause instanceof Error && 'code' in cause ? cause.code : undefined;
}

function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

function textOf(block: unknown): string {
  return isObject(block) && typeof block['text'] === 'string' ? block['text'] : '';
}
