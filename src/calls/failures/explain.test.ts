import { expect, test } from 'vitest';
import { PlugError, type ErrorCode, type Owner } from '../../base/errors.ts';
import { verifies } from '../../../test/requirements.ts';
import { explainFailure, explainToolError } from './explain.ts';
import { FAILURES } from './table.ts';

const remote = { server: 'github', tool: 'search', remote: true };
const local = { ...remote, remote: false };

const failure = (code: ErrorCode, details?: Record<string, unknown>, message = 'It went wrong.'): PlugError =>
  new PlugError(code, message, { owner: 'server', ...(details ? { details } : {}) });

/** What went wrong → whose move it is, the cause in words, the next step. */
const PROMISES: readonly (readonly [string, PlugError, typeof remote, Owner, RegExp, string])[] = [
  [
    'a server that wants a sign-in (401)',
    failure('sign_in_needed', { httpStatus: 401 }),
    remote,
    'you',
    /went wrong/,
    'plug auth github',
  ],
  [
    'a sign-in that failed or timed out',
    failure('sign_in_needed', undefined, 'Nobody signed in to github within 2 minutes.'),
    remote,
    'you',
    /within 2 minutes/,
    'plug auth github',
  ],
  [
    'a local server whose key is wrong',
    failure('start_failed', { stderr: ['booting', 'Error: 401 Unauthorized'] }),
    local,
    'you',
    /key or token is missing, wrong or expired/,
    'Renew the key in the definition of github or in the vault (plug secrets list), then: plug restart github',
  ],
  [
    'a server that answered that the token expired',
    failure('server_error', { rpcCode: -32_000 }, 'github answered: token expired'),
    remote,
    'you',
    /sign-in is missing or has expired/,
    'plug auth github',
  ],
  [
    'a service that is not running',
    failure('crashed', { stderr: ['connect ECONNREFUSED 127.0.0.1:5432'] }),
    local,
    'you',
    /Nothing listens at 127\.0\.0\.1:5432/,
    'Start the service at 127.0.0.1:5432, then try again.',
  ],
  [
    'a program that is missing',
    failure('start_failed', { stderr: ['sh: 1: uvx: command not found'] }),
    local,
    'you',
    /program or a file that it needs is missing/,
    'plug logs github',
  ],
  [
    'an ENOENT that nobody translated',
    new PlugError('internal', 'spawn github-mcp ENOENT', {
      owner: 'plugboard',
      cause: Object.assign(new Error('spawn github-mcp ENOENT'), { code: 'ENOENT' }),
    }),
    local,
    'you',
    /missing here/,
    'plug logs github',
  ],
  [
    'a package that does not exist',
    failure('start_failed', {
      stderr: ['npm error code E404', 'npm error 404 Not Found - GET …/mcp-githib'],
    }),
    local,
    'registry',
    /does not exist in its registry/,
    'Check the name and version of the package: plug list, then plug logs github',
  ],
  [
    'a package that cannot be fetched',
    failure('start_failed', { stderr: ['npm error request failed, reason: getaddrinfo ENOTFOUND'] }),
    local,
    'network',
    /could not be fetched/,
    'Check your network and proxy, then: plug restart github',
  ],
  [
    'a package index that refuses',
    failure('start_failed', {
      stderr: ['npm error code ECONNREFUSED', 'npm error request to http://127.0.0.1:9/x failed'],
    }),
    local,
    'network',
    /could not be fetched/,
    'Check your network and proxy, then: plug restart github',
  ],
  [
    'a network that is gone',
    failure('crashed', { stderr: ['connect ENETUNREACH 1.2.3.4'] }),
    local,
    'network',
    /network is not available/,
    'Check your connection or VPN, then try again.',
  ],
  [
    'a name that cannot be resolved',
    failure('crashed', { stderr: ['getaddrinfo ENOTFOUND api.example.com'] }),
    local,
    'network',
    /could not be resolved/,
    'Check your network and DNS, then try again.',
  ],
  [
    'a certificate that is not trusted',
    failure('crashed', { stderr: ['Error: SELF_SIGNED_CERT_IN_CHAIN'] }),
    local,
    'network',
    /certificate is not trusted/,
    'Let the service renew its certificate, or add its authority with NODE_EXTRA_CA_CERTS.',
  ],
  [
    'a variable that is not set',
    failure('start_failed', { stderr: ['Fatal: GITHUB_TOKEN is required'] }),
    local,
    'you',
    /GITHUB_TOKEN is not set/,
    'Set it in the definition of github (“env”), with its value in the vault: plug secrets set NAME',
  ],
  [
    'a file that may not be used',
    failure('crashed', { stderr: ["EACCES: permission denied, open '/x'"] }),
    local,
    'you',
    /may not use a file/,
    'plug logs github',
  ],
  [
    'a disk that is full',
    failure('crashed', { stderr: ['ENOSPC: no space left on device'] }),
    local,
    'you',
    /disk is full/,
    'Make room on the disk, then try again.',
  ],
  [
    'an account without the right (403)',
    failure('server_error', { rpcCode: 1 }, 'github answered: 403 insufficient_scope'),
    remote,
    'you',
    /may not do this/,
    'plug auth github',
  ],
  [
    'an address without a server (404)',
    failure('protocol_error', { httpStatus: 404 }),
    remote,
    'you',
    /no MCP server at this address/,
    'Correct the address of github: plug list',
  ],
  [
    'an address of something else (405)',
    failure('protocol_error', { httpStatus: 405 }),
    remote,
    'you',
    /not like an MCP server/,
    'Correct the address of github: plug list',
  ],
  [
    'too many requests (429)',
    failure('protocol_error', { httpStatus: 429 }),
    remote,
    'server',
    /Too many requests/,
    'Wait a minute, then try again.',
  ],
  [
    'a service that is down (503)',
    failure('protocol_error', { httpStatus: 503 }),
    remote,
    'server',
    /down for now/,
    'Try again in a few minutes.',
  ],
  [
    'a service that broke (500)',
    failure('protocol_error', { httpStatus: 500 }),
    remote,
    'server',
    /broke on its side/,
    'Try again, or tell whoever runs it.',
  ],
  [
    'arguments that the server does not accept',
    failure('server_error', { rpcCode: -32_602 }),
    remote,
    'you',
    /does not accept these arguments/,
    'plug tools github --search search',
  ],
  [
    'something that the server does not offer',
    failure('server_error', { rpcCode: -32_601 }),
    remote,
    'server',
    /does not offer this/,
    'plug tools github',
  ],
  [
    'an answer that breaks the protocol',
    failure('protocol_error', undefined, 'github answered with neither a result object nor an error.'),
    remote,
    'server',
    /neither a result/,
    'plug logs github',
  ],
  [
    'a call that took too long',
    failure('call_timeout', undefined, 'github did not answer tools/call within 60 s.'),
    remote,
    'server',
    /within 60 s/,
    'Try again, or allow more time: plug logs github',
  ],
  [
    'a connection that broke',
    failure('unreachable'),
    remote,
    'network',
    /wrong/,
    'Check your network, then: plug restart github',
  ],
  [
    'an answer that is too large',
    failure('too_large'),
    remote,
    'server',
    /wrong/,
    'Ask the tool for less: a filter, a page, a smaller range.',
  ],
  [
    'a server that was restarted too often',
    failure('unavailable'),
    local,
    'server',
    /wrong/,
    'plug restart github',
  ],
  [
    'a call without a grant',
    failure('approval_required'),
    local,
    'you',
    /wrong/,
    'plug grants add github/search',
  ],
];

for (const [what, error, context, owner, says, next] of PROMISES) {
  verifies(['L5'], `${what}: whose move it is, why, and the next step`, () => {
    const explained = explainFailure(error, context);
    expect(explained).toMatchObject({ code: error.code, owner, next, server: 'github' });
    expect(explained.message).toMatch(says);
    expect(explained.details).toEqual(error.details);
  });
}

verifies(['L5'], 'whatever fails, there is a next step and a server', () => {
  for (const code of Object.keys(FAILURES) as ErrorCode[]) {
    const explained = explainFailure(failure(code), remote);
    expect(explained.next, code).toMatch(/\w/);
    expect(explained.server).toBe('github');
  }
});

test('what was said well at its place of origin is not said twice', () => {
  const said = new PlugError('unreachable', 'Nothing listens at 127.0.0.1:9.', {
    owner: 'network',
    next: "Start the service at 127.0.0.1:9, or correct the server's address.",
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
  expect(explainToolError(result('GitHub said 401: Bad credentials'), remote)?.next).toBe('plug auth github');
  expect(explainToolError(result('no such branch'), remote)).toEqual({
    owner: 'server',
    says: 'github/search reported a failure of its own.',
    next: 'Read what it says, correct the arguments, and try again.',
  });
  expect(explainToolError(result(`${'x'.repeat(5_000_000)} rate limit`), remote)?.owner).toBe('server');
});
