import { nextStep } from '../../base/remedy-command.ts';
import type { NextStep, Remedy } from '../../base/remedy.ts';
import { PlugError, type ErrorCode, type Owner } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { sentence } from '../../base/sentence.ts';
import { replaceKey } from './edit-server.ts';
import { knownCause, type CauseContext, type KnownCause } from './known-causes.ts';

export interface FailureContext extends CauseContext {
  /** Without the server. */
  readonly tool?: string;
}

/** Fills the gaps of a failure (owner, cause, next step). Its place of origin knew most, so its words stay. */
export function explainFailure(error: PlugError, context: FailureContext): PlugError {
  const { adds, remedy, owner } = findings(error, context);
  const message = adds === undefined ? error.message : `${sentence(error.message)} ${adds}`;
  const complete = {
    owner: owner ?? error.owner,
    remedy: remedy ?? error.remedy ?? FAILURES[error.code].remedy(context),
    server: error.server ?? context.server,
  };
  const same =
    message === error.message &&
    complete.owner === error.owner &&
    complete.remedy === error.remedy &&
    complete.server === error.server;
  if (same) return error;
  const details = error.details && { details: error.details };
  return new PlugError(error.code, message, { ...complete, ...details, cause: error });
}

export type Hint = Required<NextStep> & { readonly owner: Owner; readonly says: string };

/** A tool's own failure stays a result; this says what a person could do about it. */
export function explainToolError(result: JsonObject, context: FailureContext): Hint | undefined {
  if (result['isError'] !== true) return undefined;
  const content: readonly unknown[] = Array.isArray(result['content']) ? result['content'] : [];
  const found = causeIn(content.map(blockText).join('\n'), context);
  if (found) return { owner: found.owner, says: found.says, ...nextStep(found.remedy) };
  const says = `${toolName(context)} reported a failure of its own.`;
  return { owner: 'server', says, ...nextStep('Read what it says, correct the arguments, and try again.') };
}

function toolName({ server, tool }: FailureContext): string {
  return tool === undefined ? server : `${server}/${tool}`;
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
  // The last output of a process tells more than its exit code.
  if (code === 'start_failed' || code === 'crashed') {
    const stderr = details?.['stderr'];
    return guess(Array.isArray(stderr) ? stderr.map(String).join('\n') : '', context);
  }
  // For a foreign error that was never translated, the system's own code is the best we have.
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

/** When the older transport cannot open its stream, the code of the SDK's error is the HTTP status. */
function oldTransportStatus({ code, cause }: PlugError): unknown {
  return code === 'internal' && cause instanceof Error && 'code' in cause ? cause.code : undefined;
}

function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

function blockText(block: unknown): string {
  return isObject(block) && typeof block['text'] === 'string' ? block['text'] : '';
}

interface Row {
  readonly remedy: (where: FailureContext) => Remedy;
  /** Where the code tells the owner better than the place that threw. */
  readonly owner?: Owner;
}

const listTools: Row['remedy'] = ({ server }) => ({ do: 'list-tools', server });
const showLogs: Row['remedy'] = ({ server }) => ({ do: 'show-logs', server });
const restart: Row['remedy'] = ({ server }) => ({ do: 'restart', server });
const check: Row['remedy'] = ({ server }) => ({ do: 'check', server });
const showServers: Row['remedy'] = () => ({ do: 'show', what: 'servers' });

/** A row for every kind of failure: a new code does not compile without its words. */
export const FAILURES: Readonly<Record<ErrorCode, Row>> = {
  usage: { remedy: listTools },
  bad_config: { remedy: showServers },
  bad_arguments: { remedy: listTools },
  not_found: { remedy: listTools },
  already_exists: { remedy: showServers },
  disabled: { remedy: ({ server }) => ({ do: 'enable', server }) },
  untrusted: { remedy: ({ server }) => ({ do: 'trust', server }) },
  missing_command: { remedy: check, owner: 'you' },
  missing_input: { remedy: check, owner: 'you' },
  sign_in_needed: { remedy: ({ server }) => ({ do: 'sign-in', server }), owner: 'you' },
  approval_required: { remedy: (where) => ({ do: 'grant', tool: toolName(where) }), owner: 'you' },
  denied: { remedy: ({ server }) => ({ do: 'review-tools', server }) },
  start_failed: { remedy: showLogs },
  start_timeout: { remedy: showLogs },
  crashed: { remedy: showLogs },
  unreachable: { remedy: restart, owner: 'network' },
  rate_limited: { remedy: () => ({ do: 'wait', seconds: 60 }) },
  protocol_error: { remedy: showLogs },
  server_error: { remedy: showLogs },
  unsupported: { remedy: listTools },
  call_timeout: { remedy: showLogs },
  cancelled: { remedy: () => ({ do: 'say', text: 'Make the call again when you need it.' }) },
  too_large: {
    remedy: () => ({ do: 'say', text: 'Ask the tool for less: a filter, a page, a smaller range.' }),
  },
  unavailable: { remedy: restart },
  hub_unavailable: { remedy: () => ({ do: 'start-hub' }) },
  storage_failed: { remedy: () => ({ do: 'say', text: 'Check the disk and the database, then try again.' }) },
  internal: { remedy: () => ({ do: 'show', what: 'hub' }) },
};

/** HTTP answers that mean more than “the server broke the rules”. */
function ofHttpStatus(status: number, { server }: FailureContext): Findings | undefined {
  const editAddress: Findings = { owner: 'you', remedy: { do: 'edit-server', server, field: 'url' } };
  const say = (text: string): Remedy => ({ do: 'say', text });
  // The place that saw the redirect has said where it leads.
  if (status >= 300 && status < 400) return editAddress;
  switch (status) {
    case 404:
    case 410:
      return { ...editAddress, adds: 'There is no MCP server at this address, or not any more.' };
    case 405:
    case 406:
    case 415:
      return { ...editAddress, adds: 'The address answers, but not like an MCP server.' };
    case 408:
    case 504:
      return { owner: 'server', adds: 'It took too long.', remedy: { do: 'retry' } };
    case 413:
      return { owner: 'you', adds: 'The arguments are too large for it.', remedy: say('Send less at once.') };
    case 429:
      return { owner: 'server', adds: 'Too many requests.', remedy: { do: 'wait', seconds: 60 } };
    case 502:
    case 503: {
      const remedy = say('Try again in a few minutes.');
      return { owner: 'server', adds: 'The service is down for now.', remedy };
    }
    default: {
      if (status < 500) return undefined;
      const remedy = say('Try again, or tell whoever runs it.');
      return { owner: 'server', adds: 'It broke on its side.', remedy };
    }
  }
}

/** JSON-RPC codes with a meaning of their own (spec, error codes). */
function ofRpcCode(error: PlugError, { server, tool }: FailureContext): Findings | undefined {
  switch (error.details?.['rpcCode']) {
    case -32_601:
      return { adds: 'It does not offer this.', remedy: { do: 'list-tools', server } };
    case -32_602:
      return {
        owner: 'you',
        adds: 'It does not accept these arguments.',
        remedy: { do: 'list-tools', server, ...(tool === undefined ? {} : { search: tool }) },
      };
    case -32_002:
      return { owner: 'you', adds: 'There is no such resource.', remedy: { do: 'list-resources', server } };
    case -32_700:
    case -32_600:
      return { adds: 'It could not read our request.', remedy: { do: 'show-logs', server } };
    default:
      return undefined;
  }
}
