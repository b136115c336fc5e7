import type { Remedy } from '../../base/remedy.ts';
import type { CauseContext } from './known-causes.ts';
import type { ErrorCode, Owner, PlugError } from '../../base/errors.ts';

/** What is said of a kind of failure where its place of origin has not said it. */
export interface Row {
  /** Only where nobody else can know better. */
  readonly remedy: (where: FailureContext) => Remedy;
  /** Whose move it is, where the code tells it better than whoever threw. */
  readonly owner?: Owner;
}

export interface FailureContext extends CauseContext {
  /** Without the server. */
  readonly tool?: string;
}

/** One row for every kind of failure: a new code does not compile without its words. */
export const FAILURES: Readonly<Record<ErrorCode, Row>> = {
  usage: { remedy: ({ server }) => ({ do: 'list-tools', server }) },
  bad_config: { remedy: () => ({ do: 'show', what: 'servers' }) },
  bad_arguments: { remedy: ({ server }) => ({ do: 'list-tools', server }) },
  not_found: { remedy: ({ server }) => ({ do: 'list-tools', server }) },
  already_exists: { remedy: () => ({ do: 'show', what: 'servers' }) },
  disabled: { remedy: ({ server }) => ({ do: 'enable', server }) },
  untrusted: { remedy: ({ server }) => ({ do: 'trust', server }) },
  missing_command: { remedy: ({ server }) => ({ do: 'check', server }), owner: 'you' },
  missing_input: { remedy: ({ server }) => ({ do: 'check', server }), owner: 'you' },
  sign_in_needed: { remedy: ({ server }) => ({ do: 'sign-in', server }), owner: 'you' },
  approval_required: {
    remedy: ({ server, tool }) => ({ do: 'grant', tool: tool === undefined ? server : `${server}/${tool}` }),
    owner: 'you',
  },
  denied: { remedy: ({ server }) => ({ do: 'review-tools', server }) },
  start_failed: { remedy: ({ server }) => ({ do: 'show-logs', server }) },
  start_timeout: { remedy: ({ server }) => ({ do: 'show-logs', server }) },
  crashed: { remedy: ({ server }) => ({ do: 'show-logs', server }) },
  unreachable: { remedy: ({ server }) => ({ do: 'restart', server }), owner: 'network' },
  rate_limited: { remedy: () => ({ do: 'wait', seconds: 60 }) },
  protocol_error: { remedy: ({ server }) => ({ do: 'show-logs', server }) },
  server_error: { remedy: ({ server }) => ({ do: 'show-logs', server }) },
  unsupported: { remedy: ({ server }) => ({ do: 'list-tools', server }) },
  call_timeout: { remedy: ({ server }) => ({ do: 'show-logs', server }) },
  cancelled: { remedy: () => ({ do: 'say', text: 'Make the call again when you need it.' }) },
  too_large: {
    remedy: () => ({ do: 'say', text: 'Ask the tool for less: a filter, a page, a smaller range.' }),
  },
  unavailable: { remedy: ({ server }) => ({ do: 'restart', server }) },
  hub_unavailable: { remedy: () => ({ do: 'start-hub' }) },
  storage_failed: { remedy: () => ({ do: 'say', text: 'Check the disk and the database, then try again.' }) },
  internal: { remedy: () => ({ do: 'show', what: 'hub' }) },
};

/** HTTP answers that mean more than “the server broke the rules”. */
export function ofHttpStatus(status: number, { server }: FailureContext): HttpRow | undefined {
  if (status >= 300 && status < 400) {
    // Where it leads was said where it was seen.
    return {
      owner: 'you',
      remedy: { do: 'edit-server', server, field: 'url' },
    };
  }
  if (status === 404 || status === 410) {
    return {
      owner: 'you',
      adds: 'There is no MCP server at this address, or not any more.',
      remedy: { do: 'edit-server', server, field: 'url' },
    };
  }
  if (status === 405 || status === 415 || status === 406) {
    return {
      owner: 'you',
      adds: 'The address answers, but not like an MCP server.',
      remedy: { do: 'edit-server', server, field: 'url' },
    };
  }
  if (status === 408 || status === 504) {
    return { owner: 'server', adds: 'It took too long.', remedy: { do: 'retry' } };
  }
  if (status === 413) {
    return {
      owner: 'you',
      adds: 'The arguments are too large for it.',
      remedy: { do: 'say', text: 'Send less at once.' },
    };
  }
  if (status === 429) {
    return { owner: 'server', adds: 'Too many requests.', remedy: { do: 'wait', seconds: 60 } };
  }
  if (status === 502 || status === 503) {
    return {
      owner: 'server',
      adds: 'The service is down for now.',
      remedy: { do: 'say', text: 'Try again in a few minutes.' },
    };
  }
  if (status >= 500) {
    return {
      owner: 'server',
      adds: 'It broke on its side.',
      remedy: { do: 'say', text: 'Try again, or tell whoever runs it.' },
    };
  }
  return undefined;
}

interface HttpRow {
  readonly owner: Owner;
  readonly adds?: string;
  readonly remedy: Remedy;
}

/** JSON-RPC codes with a meaning of their own (spec, error codes). */
export function ofRpcCode(error: PlugError, { server, tool }: FailureContext): Partial<HttpRow> | undefined {
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
