import { PassThrough, Writable } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { startAuthorizationServer, startProtectedServer } from '../../../test/sign-in/start.ts';
import { openTestHub, remoteServer } from '../../../test/sign-in/signed-in-hub.ts';
import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { Hub } from '../../hub/hub.ts';
import { runCli } from '../run.ts';

const no = (): Promise<never> => Promise.reject(new PlugError('hub_unavailable', 'No.', { owner: 'you' }));

/** Runs `plug` on this hub; nobody opens the address, and nothing more is typed than `typed`. */
async function plugOn(
  hub: Hub,
  argv: readonly string[],
  typed = '',
): Promise<{ readonly code: number; readonly stderr: string }> {
  let stderr = '';
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  const heard = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      stderr += chunk.toString();
      done();
    },
  });
  const stdin = new PassThrough();
  stdin.end(typed);
  const code = await runCli({
    argv,
    env: {},
    cwd: process.cwd(),
    version: '0.1.0',
    signal: new AbortController().signal,
    hubs: {
      connect: () => Promise.resolve({ ...hub, [Symbol.asyncDispose]: () => Promise.resolve() }),
      start: no,
      run: no,
      runTeam: no,
      running: () => Promise.resolve(undefined),
      find: () => Promise.resolve(undefined),
      stop: () => Promise.resolve(undefined),
      openAddress: () => Promise.resolve(false),
      pageLink: () => Promise.reject(new Error('there is no page here')),
      openPage: () => Promise.reject(new Error('there is no page here')),
    },
    stdin: () => stdin,
    stdout: sink,
    stderr: heard,
  });
  return { code, stderr };
}

async function openSite(limits: Partial<Limits> = {}): Promise<Hub> {
  const authorization = await startAuthorizationServer();
  onTestFinished(() => authorization[Symbol.asyncDispose]());
  const site = await startProtectedServer({ issuer: authorization.origin });
  onTestFinished(() => site[Symbol.asyncDispose]());
  const hub = await openTestHub({ limits });
  onTestFinished(() => hub.close());
  await hub.servers.add({ definition: remoteServer(site.url), test: false });
  return hub;
}

verifies(
  ['O2'],
  'a sign-in that nobody finishes ends after its time with exit code 4 and the command to try again',
  async () => {
    const { code, stderr } = await plugOn(await openSite({ signInTimeoutMs: 400 }), ['auth', 'site']);
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining('The sign-in to site was not completed within'),
    ]);
    expect(stderr).toContain('plug auth site');
  },
  30_000,
);

verifies(
  ['V5'],
  "a client's secret comes from standard input only, and goes nowhere else",
  async () => {
    const hub = await openSite({ signInTimeoutMs: 400 });
    const asked = await plugOn(hub, ['auth', 'site', '--client-id', 'ours', '--client-secret']);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('No client secret came')]);
    const argument = await plugOn(hub, [
      'auth',
      'site',
      '--client-id',
      'ours',
      '--client-secret',
      'typed-99',
    ]);
    expect(argument.code).toBe(2);
    expect(argument.stderr).not.toContain('typed-99');
    const alone = await plugOn(hub, ['auth', 'site', '--client-secret'], 'piped-99\n');
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('goes with --client-id')]);
    const given = await plugOn(hub, ['auth', 'site', '--client-id', 'ours', '--client-secret'], 'piped-99\n');
    expect([given.code, given.stderr]).toEqual([4, expect.not.stringContaining('piped-99')]);
  },
  30_000,
);
