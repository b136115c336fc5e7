import { nextStep } from '../../base/remedy-command.ts';
import type { NextStep, Remedy } from '../../base/remedy.ts';
import { PlugError, type ErrorCode, type Owner } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { sentence } from '../../base/sentence.ts';
import { needsOf } from '../../servers/plans/needs.ts';
import { editServer, replaceKey } from './edit-server.ts';
import { ofRemote } from './remote-causes.ts';
import { knownCause, type CauseContext, type KnownCause } from './known-causes.ts';

export interface FailureContext extends CauseContext {
  /** Without the server. */
  readonly tool?: string;
  /** It was started, not asked for anything yet. */
  readonly starting?: boolean;
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
  const says = `${toolName(context)} reported an error.`;
  return { owner: 'server', says, ...nextStep('Read its message, correct the arguments and try again.') };
}

function toolName({ server, tool }: FailureContext): string {
  return tool === undefined ? server : `${server}/${tool}`;
}

export interface Findings {
  readonly adds?: string | undefined;
  readonly remedy?: Remedy | undefined;
  readonly owner?: Owner | undefined;
}

function findings(error: PlugError, context: FailureContext): Findings {
  const { code, details } = error;
  const status = details?.['httpStatus'] ?? oldTransportStatus(error);
  const remote = context.remote
    ? ofRemote(error, typeof status === 'number' ? status : undefined, context)
    : undefined;
  if (remote) return remote;
  // Turned away with a key of the user's own: another key helps, unless an account lacks a scope.
  if (code === 'sign_in_needed' && context.keyHeader !== undefined && status !== undefined) {
    if (details?.['scope'] === undefined) return { remedy: replaceKey(context), owner: 'you' };
  }
  const header = neededHeader(error);
  if (code === 'sign_in_needed' && header !== undefined)
    return { remedy: editServer(context, `headers.${header}`), owner: 'you' };
  if (code === 'server_error' && context.starting === true) return ofRefusedStart(error, context);
  if (code === 'server_error') return ofRpcCode(error, context) ?? guess(error.message, context);
  if (code === 'start_timeout') return ofSlowStart(details?.['connected'] === true, context);
  // The last output of a process tells more than its exit code.
  if (code === 'start_failed' || code === 'crashed') {
    const stderr = details?.['stderr'];
    const said = Array.isArray(stderr) ? stderr.map(String).join('\n') : '';
    if (Array.isArray(stderr) && said.trim() === '' && code === 'start_failed')
      return ofSilentEnd(error, context);
    return guess(said, context);
  }
  // For a foreign error that was never translated, the system's own code is the best we have.
  if (code === 'internal' && codeOf(error.cause) !== undefined) {
    return guess(`${error.message} ${codeOf(error.cause)}`, context);
  }
  // A row of the table speaks where the place of origin had no next step of its own.
  return error.remedy === undefined ? { owner: FAILURES[code].owner } : {};
}

/** The header in which a server wants a key that is still missing. */
function neededHeader({ details }: PlugError): string | undefined {
  const values = needsOf(details).flatMap(({ oneOf }) => oneOf);
  return values.find(({ where }) => where === 'header')?.name;
}

function guess(text: string, context: FailureContext): Findings {
  const found = causeIn(text, context);
  return found ? { adds: found.says, remedy: found.remedy, owner: found.owner } : {};
}

function causeIn(text: string, context: CauseContext): KnownCause | undefined {
  return text === '' ? undefined : knownCause(text.slice(-LOOKED_CHARS).split('\n'), context);
}

const LOOKED_CHARS = 8 * 1024;

/** It answered the first question with an error. */
function ofRefusedStart(error: PlugError, context: FailureContext): Findings {
  const found = guess(error.message, context);
  if (found.remedy !== undefined) return found;
  return { adds: 'It refused the connection.', remedy: editServer(context), owner: 'server' };
}

function ofSlowStart(connected: boolean, context: FailureContext): Findings {
  const { server, remote } = context;
  if (connected)
    return { adds: 'It connected but didn’t list its tools.', remedy: { do: 'restart', server } };
  if (remote) return { adds: 'It accepts connections but doesn’t respond.', remedy: { do: 'retry' } };
  return { adds: `It didn’t respond. ${ANOTHER_ARGUMENT}`, remedy: editServer(context, 'args') };
}

function ofSilentEnd({ details }: PlugError, context: FailureContext): Findings {
  if (context.remote) return {};
  if (details?.['exitSignal'] === 'SIGKILL') {
    return { adds: 'The machine may be out of memory.', remedy: { do: 'restart', server: context.server } };
  }
  if (details?.['exitSignal'] !== undefined) return {};
  return { adds: `It wrote nothing. ${ANOTHER_ARGUMENT}`, remedy: editServer(context, 'args') };
}

const ANOTHER_ARGUMENT = 'It may need another argument, such as “stdio”, or not be an MCP server.';

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
  cancelled: { remedy: () => ({ do: 'say', text: 'Call it again when you need it.' }) },
  too_large: {
    remedy: () => ({ do: 'say', text: 'Request less: a filter, a page or a smaller range.' }),
  },
  unavailable: { remedy: restart },
  hub_unavailable: { remedy: () => ({ do: 'start-hub' }) },
  storage_failed: { remedy: () => ({ do: 'say', text: 'Check the disk and the database, then try again.' }) },
  internal: { remedy: () => ({ do: 'show', what: 'hub' }) },
};

/** JSON-RPC codes with a meaning of their own (spec, error codes). */
function ofRpcCode(error: PlugError, { server, tool }: FailureContext): Findings | undefined {
  switch (error.details?.['rpcCode']) {
    case -32_601:
      return { adds: 'The server doesn’t support this.', remedy: { do: 'list-tools', server } };
    case -32_602:
      return {
        owner: 'you',
        adds: 'The server doesn’t accept these arguments.',
        remedy: { do: 'list-tools', server, ...(tool === undefined ? {} : { search: tool }) },
      };
    case -32_002:
      return { owner: 'you', adds: 'There is no such resource.', remedy: { do: 'list-resources', server } };
    case -32_700:
    case -32_600:
      return { adds: 'The server couldn’t read the request.', remedy: { do: 'show-logs', server } };
    default:
      return undefined;
  }
}
