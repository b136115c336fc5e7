import type { ErrorCode, Owner, PlugError } from '../../base/errors.ts';

/** What is said of a kind of failure where its place of origin has not said it. */
export interface Row {
  /** Only where nobody else can know better. */
  readonly next: (where: FailureContext) => string;
  /** Whose move it is, where the code tells it better than whoever threw. */
  readonly owner?: Owner;
}

export interface FailureContext {
  readonly server: string;
  /** Without the server. */
  readonly tool?: string;
  readonly remote: boolean;
}

/** One row for every kind of failure: a new code does not compile without its words. */
export const FAILURES: Readonly<Record<ErrorCode, Row>> = {
  usage: { next: ({ server }) => `plug tools ${server}` },
  bad_config: { next: () => 'plug list' },
  bad_arguments: { next: ({ server }) => `plug tools ${server}` },
  not_found: { next: ({ server }) => `plug tools ${server}` },
  already_exists: { next: () => 'plug list' },
  disabled: { next: ({ server }) => `plug enable ${server}` },
  untrusted: { next: ({ server }) => `plug trust ${server}` },
  missing_command: { next: ({ server }) => `Install it, then: plug restart ${server}`, owner: 'you' },
  missing_input: { next: () => 'plug secrets set NAME', owner: 'you' },
  sign_in_needed: { next: ({ server }) => `plug auth ${server}`, owner: 'you' },
  approval_required: {
    next: ({ server, tool }) => `plug grants add ${server}${tool === undefined ? '' : `/${tool}`}`,
    owner: 'you',
  },
  denied: { next: ({ server }) => `plug tools --audit ${server}` },
  start_failed: { next: ({ server }) => `plug logs ${server}` },
  start_timeout: { next: ({ server }) => `plug logs ${server}` },
  crashed: { next: ({ server }) => `plug logs ${server}` },
  unreachable: { next: ({ server }) => `Check your network, then: plug restart ${server}`, owner: 'network' },
  rate_limited: { next: () => 'Wait a minute, then try again.' },
  protocol_error: { next: ({ server }) => `plug logs ${server}` },
  server_error: { next: ({ server }) => `plug logs ${server}` },
  unsupported: { next: ({ server }) => `plug tools ${server}` },
  call_timeout: { next: ({ server }) => `Try again, or allow more time: plug logs ${server}` },
  cancelled: { next: () => 'Make the call again when you need it.' },
  too_large: { next: () => 'Ask the tool for less: a filter, a page, a smaller range.' },
  unavailable: { next: ({ server }) => `plug restart ${server}` },
  hub_unavailable: { next: () => 'plug hub start' },
  storage_failed: { next: () => 'Check the disk and the database, then try again.' },
  internal: { next: () => 'plug hub status' },
};

/** HTTP answers that mean more than “the server broke the rules”. */
export function ofHttpStatus(status: number, { server }: FailureContext): HttpRow | undefined {
  if (status === 404 || status === 410) {
    return {
      owner: 'you',
      adds: 'There is no MCP server at this address, or not any more.',
      next: `Correct the address of ${server}: plug list`,
    };
  }
  if (status === 405 || status === 415 || status === 406) {
    return {
      owner: 'you',
      adds: 'The address answers, but not like an MCP server.',
      next: `Correct the address of ${server}: plug list`,
    };
  }
  if (status === 408 || status === 504) {
    return { owner: 'server', adds: 'It took too long.', next: 'Try again in a moment.' };
  }
  if (status === 413) {
    return { owner: 'you', adds: 'The arguments are too large for it.', next: 'Send less at once.' };
  }
  if (status === 429) {
    return { owner: 'server', adds: 'Too many requests.', next: 'Wait a minute, then try again.' };
  }
  if (status === 502 || status === 503) {
    return { owner: 'server', adds: 'The service is down for now.', next: 'Try again in a few minutes.' };
  }
  if (status >= 500) {
    return { owner: 'server', adds: 'It broke on its side.', next: 'Try again, or tell whoever runs it.' };
  }
  return undefined;
}

interface HttpRow {
  readonly owner: Owner;
  readonly adds: string;
  readonly next: string;
}

/** JSON-RPC codes with a meaning of their own (spec, error codes). */
export function ofRpcCode(error: PlugError, { server, tool }: FailureContext): Partial<HttpRow> | undefined {
  switch (error.details?.['rpcCode']) {
    case -32_601:
      return { adds: 'It does not offer this.', next: `plug tools ${server}` };
    case -32_602:
      return {
        owner: 'you',
        adds: 'It does not accept these arguments.',
        next: `plug tools ${server}${tool === undefined ? '' : ` --search ${tool}`}`,
      };
    case -32_002:
      return { owner: 'you', adds: 'There is no such resource.', next: `plug resources ${server}` };
    case -32_700:
    case -32_600:
      return { adds: 'It could not read our request.', next: `plug logs ${server}` };
    default:
      return undefined;
  }
}
