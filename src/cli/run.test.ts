import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { PlugError } from '../base/errors.ts';
import { exitCodeOf } from './exit-codes.ts';
import { runCli } from './run.ts';
import type { HubControl } from './session.ts';

/** No hub runs and none can be started: what a command line says without one. */
const noHub: HubControl = {
  connect: () => Promise.reject(new PlugError('hub_unavailable', 'No hub.', { owner: 'plugboard' })),
  start: () => Promise.reject(new PlugError('hub_unavailable', 'No hub.', { owner: 'plugboard' })),
  run: () => Promise.reject(new PlugError('hub_unavailable', 'No hub.', { owner: 'plugboard' })),
  runTeam: () => Promise.reject(new PlugError('hub_unavailable', 'No hub.', { owner: 'plugboard' })),
  running: () => Promise.resolve(undefined),
  find: () => Promise.resolve(undefined),
  openAddress: () => Promise.resolve(false),
  pageLink: () => Promise.reject(new Error('there is no page here')),
  openPage: () => Promise.reject(new Error('there is no page here')),
  stop: () => Promise.resolve(undefined),
};

async function plug(...argv: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr'): Writable =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        written[name] += chunk.toString();
        done();
      },
    });
  const code = await runCli({
    argv,
    env: {},
    cwd: process.cwd(),
    version: '1.2.3',
    signal: new AbortController().signal,
    hubs: noHub,
    stdin: () => process.stdin,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
  });
  return { code, ...written };
}

test('plug alone says how to begin', async () => {
  const { code, stdout } = await plug();
  expect(code).toBe(0);
  expect(stdout).toContain('plug add everything -- npx -y @modelcontextprotocol/server-everything stdio');
});

test('help is grouped and has examples', async () => {
  const { code, stdout } = await plug('help');
  expect(code).toBe(0);
  for (const word of ['Servers:', 'Tools, resources and prompts:', 'Examples:', 'plug call']) {
    expect(stdout).toContain(word);
  }
  expect((await plug('call', '--help')).stdout).toContain('Exit codes:');
});

test('a mistyped command is answered with the right one, and exit code 2', async () => {
  const { code, stdout, stderr } = await plug('lsit');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/Unknown command 'lsit'. Did you mean .*list/);
  expect(stderr).toContain('next   plug help');
});

test('with --json a mistake is one JSON document on standard output', async () => {
  const { code, stdout, stderr } = await plug('wait', '--timeout', 'soon', '--json');
  expect(code).toBe(2);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({
    error: { code: 'usage', owner: 'you', next: 'plug help wait' },
  });
});

test('what is typed wrong is said before any hub is started', async () => {
  const cases: readonly (readonly [string[], RegExp])[] = [
    [['add', 'x', 'npx', '-y', 'foo'], /Put -- before the command/],
    [['add'], /Nothing to add/],
    [['add', '../x', '--', 'ls'], /cannot be a server's name/],
    [['add', 'My notes', '--', 'ls'], /such as my-notes\./],
    [['add', 'x', 'https://me:secret@example.com/'], /may not hold a user name/],
    [['add', 'x', '--env', 'sk-secret', '--', 'ls'], /--env takes K=V/],
    [['add', 'x', '--header', 'nothing', 'https://example.com'], /--header takes/],
    [['add', 'x', '--transport', 'pigeon', 'https://example.com'], /no transport “pigeon”/],
    [['read-only', 'x', 'maybe'], /maybe/],
  ];
  for (const [argv, message] of cases) {
    const { code, stderr } = await plug(...argv);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('secret');
  }
});

test('hub status works without a hub', async () => {
  const { code, stdout } = await plug('hub', 'status', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ running: false, pid: null, url: null, socket: null });
});

test('a hub that cannot be reached is exit code 5', async () => {
  const { code, stderr } = await plug('list');
  expect(code).toBe(5);
  expect(stderr).toContain('owner  Plugboard');
});

test('exit codes are the ones that scripts rely on', () => {
  expect(exitCodeOf('usage')).toBe(2);
  expect(exitCodeOf('approval_required')).toBe(3);
  expect(exitCodeOf('sign_in_needed')).toBe(4);
  expect(exitCodeOf('start_failed')).toBe(5);
  expect(exitCodeOf('not_found')).toBe(6);
  expect(exitCodeOf('server_error')).toBe(1);
});
