import { expect, test } from 'vitest';
import { PlugError, type ErrorCode, type Owner } from '../../base/errors.ts';
import type { Remedy } from '../../base/remedy.ts';
import { verifies } from '../../../test/requirements.ts';
import { explainFailure, explainToolError, FAILURES, type FailureContext } from './explain.ts';
import { howToInstall } from './installers.ts';

const remote = { server: 'github', tool: 'search', remote: true };
const local = { ...remote, remote: false };

const failure = (code: ErrorCode, details?: Record<string, unknown>, message = 'It went wrong.'): PlugError =>
  new PlugError(code, message, { owner: 'server', ...(details ? { details } : {}) });

/** What went wrong → whose move it is, the cause in words, the next step. */
const PROMISES: readonly (readonly [string, PlugError, FailureContext, Owner, RegExp, Remedy])[] = [
  [
    'a server that wants a sign-in (401)',
    failure('sign_in_needed', { httpStatus: 401 }),
    remote,
    'you',
    /went wrong/,
    { do: 'sign-in', server: 'github' },
  ],
  [
    'a sign-in that failed or timed out',
    failure('sign_in_needed', undefined, 'Nobody signed in to github within 2 minutes.'),
    remote,
    'you',
    /within 2 minutes/,
    { do: 'sign-in', server: 'github' },
  ],
  [
    'a local server whose key is wrong',
    failure('start_failed', { stderr: ['booting', 'Error: 401 Unauthorized'] }),
    local,
    'you',
    /key or token is missing, wrong or expired/,
    { do: 'edit-server', server: 'github', field: 'env' },
  ],
  [
    'a server that answered that the token expired',
    failure('server_error', { rpcCode: -32_000 }, 'github answered: token expired'),
    remote,
    'you',
    /sign-in is missing or has expired/,
    { do: 'sign-in', server: 'github' },
  ],
  [
    'a service that is not running',
    failure('crashed', { stderr: ['connect ECONNREFUSED 127.0.0.1:5432'] }),
    local,
    'you',
    /Nothing listens at 127\.0\.0\.1:5432/,
    { do: 'say', text: 'Start the service at 127.0.0.1:5432, then try again.' },
  ],
  [
    'a program that is missing',
    failure('start_failed', { stderr: ['sh: 1: uvx: command not found'] }),
    local,
    'you',
    /uvx isn't installed here/,
    howToInstall('uvx') ?? { do: 'retry' },
  ],
  [
    'a stream of the older transport that is not there',
    new PlugError('internal', 'SSE error: Non-200 status code (404)', {
      owner: 'plugboard',
      cause: Object.assign(new Error('SSE error'), { code: 404 }),
    }),
    remote,
    'you',
    /no MCP server at this address/,
    { do: 'edit-server', server: 'github', field: 'url' },
  ],
  [
    'an ENOENT that nobody translated',
    new PlugError('internal', 'spawn github-mcp ENOENT', {
      owner: 'plugboard',
      cause: Object.assign(new Error('spawn github-mcp ENOENT'), { code: 'ENOENT' }),
    }),
    local,
    'you',
    /github-mcp isn't installed here/,
    { do: 'say', text: 'Install github-mcp, then try again.' },
  ],
  [
    'a package that does not exist',
    failure('start_failed', {
      stderr: ['npm error code E404', 'npm error 404 Not Found - GET …/mcp-githib'],
    }),
    local,
    'you',
    /isn’t in the npm registry/,
    { do: 'edit-server', server: 'github', field: 'args' },
  ],
  [
    'a package that cannot be fetched',
    failure('start_failed', { stderr: ['npm error request failed, reason: getaddrinfo ENOTFOUND'] }),
    local,
    'network',
    /couldn’t be downloaded/,
    { do: 'restart', server: 'github' },
  ],
  [
    'a package index that refuses',
    failure('start_failed', {
      stderr: ['npm error code ECONNREFUSED', 'npm error request to http://127.0.0.1:9/x failed'],
    }),
    local,
    'network',
    /couldn’t be downloaded/,
    { do: 'restart', server: 'github' },
  ],
  [
    'a network that is gone',
    failure('crashed', { stderr: ['connect ENETUNREACH 1.2.3.4'] }),
    local,
    'network',
    /network is not available/,
    { do: 'say', text: 'Check your connection or VPN, then try again.' },
  ],
  [
    'a name that cannot be resolved',
    failure('crashed', { stderr: ['getaddrinfo ENOTFOUND api.example.com'] }),
    local,
    'network',
    /DNS lookup failed for api\.example\.com/,
    { do: 'say', text: 'Check your network and DNS, then try again.' },
  ],
  [
    'a listed address that cannot be resolved',
    failure('unreachable', { cause: 'ENOTFOUND' }),
    { server: 'github', remote: true, listed: true },
    'network',
    /./,
    { do: 'say', text: 'Check your network and DNS, then try again.' },
  ],
  [
    'a certificate that is not trusted',
    failure('crashed', { stderr: ['Error: SELF_SIGNED_CERT_IN_CHAIN'] }),
    local,
    'network',
    /certificate of a service that it uses isn't trusted/,
    {
      do: 'say',
      text: 'Let the service renew its certificate, or set NODE_EXTRA_CA_CERTS to the file of its authority and restart the hub.',
    },
  ],
  [
    'a variable that is not set',
    failure('start_failed', { stderr: ['Fatal: GITHUB_TOKEN is required'] }),
    local,
    'you',
    /GITHUB_TOKEN, which isn't set/,
    { do: 'edit-server', server: 'github', field: 'env.GITHUB_TOKEN', to: '${GITHUB_TOKEN}' },
  ],
  [
    'a file that may not be used',
    failure('crashed', { stderr: ["EACCES: permission denied, open '/x'"] }),
    local,
    'you',
    /has no permission for \/x/,
    { do: 'run', line: 'ls -l /x' },
  ],
  [
    'a disk that is full',
    failure('crashed', { stderr: ['ENOSPC: no space left on device'] }),
    local,
    'you',
    /disk is full/,
    { do: 'run', line: 'df -h' },
  ],
  [
    'an account without the right (403)',
    failure('server_error', { rpcCode: 1 }, 'github answered: 403 insufficient_scope'),
    remote,
    'you',
    /doesn’t have permission for this/,
    { do: 'sign-in', server: 'github' },
  ],
  [
    'an address that has moved (308)',
    failure('protocol_error', { httpStatus: 308 }, 'mcp.acme.test:443 redirects to acme.test:443.'),
    remote,
    'you',
    /^mcp\.acme\.test:443 redirects to acme\.test:443\.$/,
    { do: 'edit-server', server: 'github', field: 'url' },
  ],
  [
    'an address without a server (404)',
    failure('protocol_error', { httpStatus: 404 }),
    remote,
    'you',
    /no MCP server at this address/,
    { do: 'edit-server', server: 'github', field: 'url' },
  ],
  [
    'an address of something else (405)',
    failure('protocol_error', { httpStatus: 405 }),
    remote,
    'you',
    /not as an MCP server/,
    { do: 'edit-server', server: 'github', field: 'url' },
  ],
  [
    'too many requests (429)',
    failure('protocol_error', { httpStatus: 429 }),
    remote,
    'server',
    /Too many requests/,
    { do: 'wait', seconds: 60 },
  ],
  [
    'a service that is down (503)',
    failure('protocol_error', { httpStatus: 503 }),
    remote,
    'server',
    /down for now/,
    { do: 'wait', seconds: 60 },
  ],
  [
    'a service that broke (500)',
    failure('protocol_error', { httpStatus: 500 }),
    remote,
    'server',
    /error is on the server’s side/,
    { do: 'retry' },
  ],
  [
    'arguments that the server does not accept',
    failure('server_error', { rpcCode: -32_602 }),
    remote,
    'you',
    /doesn’t accept these arguments/,
    { do: 'list-tools', server: 'github', search: 'search' },
  ],
  [
    'something that the server does not offer',
    failure('server_error', { rpcCode: -32_601 }),
    remote,
    'server',
    /doesn’t support this/,
    { do: 'list-tools', server: 'github' },
  ],
  [
    'an answer that breaks the protocol',
    failure('protocol_error', undefined, 'github answered with neither a result object nor an error.'),
    remote,
    'server',
    /neither a result/,
    { do: 'show-logs', server: 'github' },
  ],
  [
    'a call that took too long',
    failure('call_timeout', undefined, 'github did not answer tools/call within 60 s.'),
    remote,
    'server',
    /within 60 s/,
    { do: 'show-logs', server: 'github' },
  ],
  [
    'a connection that broke',
    failure('unreachable'),
    remote,
    'network',
    /wrong/,
    { do: 'restart', server: 'github' },
  ],
  [
    'an answer that is too large',
    failure('too_large'),
    remote,
    'server',
    /wrong/,
    { do: 'say', text: 'Request less: a filter, a page or a smaller range.' },
  ],
  [
    'a server that was restarted too often',
    failure('unavailable'),
    local,
    'server',
    /wrong/,
    { do: 'restart', server: 'github' },
  ],
  [
    'a call without a grant',
    failure('approval_required'),
    local,
    'you',
    /wrong/,
    { do: 'grant', tool: 'github/search' },
  ],
];

for (const [what, error, context, owner, says, remedy] of PROMISES) {
  verifies(['L5'], `${what}: whose move it is, why, and the next step`, () => {
    const explained = explainFailure(error, context);
    expect(explained).toMatchObject({ code: error.code, owner, server: 'github' });
    expect(explained.remedy).toEqual(remedy);
    expect(explained.message).toMatch(says);
    expect(explained.details).toEqual(error.details);
  });
}

verifies(['L5'], 'whatever fails, there is a next step and a server', () => {
  for (const code of Object.keys(FAILURES) as ErrorCode[]) {
    const explained = explainFailure(failure(code), remote);
    expect(explained.remedy, code).toHaveProperty('do');
    expect(explained.server).toBe('github');
  }
});

test('what was said well at its place of origin is not said twice', () => {
  const said = new PlugError('unreachable', 'Nothing listens at 127.0.0.1:9.', {
    owner: 'network',
    remedy: { do: 'say', text: "Start the service at 127.0.0.1:9, or correct the server's address." },
    server: 'github',
    details: { host: '127.0.0.1:9', cause: 'ECONNREFUSED' },
  });
  expect(explainFailure(said, remote)).toBe(said);
  const once = explainFailure(failure('protocol_error', { httpStatus: 503 }), remote);
  expect(explainFailure(once, remote).owner).toBe('server');
});

verifies(['L5'], "a tool's own failure stays its result, with a word on what to do", () => {
  const result = (text: string) => ({ content: [{ type: 'text', text }], isError: true });
  expect(explainToolError({ content: [] }, remote)).toBeUndefined();
  expect(explainToolError(result('GitHub said 401: Bad credentials'), remote)?.remedy).toEqual({
    do: 'sign-in',
    server: 'github',
  });
  expect(explainToolError(result('no such branch'), remote)).toEqual({
    owner: 'server',
    says: 'github/search reported an error.',
    next: 'Read its message, correct the arguments and try again.',
    remedy: { do: 'say', text: 'Read its message, correct the arguments and try again.' },
  });
  expect(explainToolError(result(`${'x'.repeat(5_000_000)} rate limit`), remote)?.owner).toBe('server');
});
