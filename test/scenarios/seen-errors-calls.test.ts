import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { startHttpFixture, waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { freePort } from '../sign-in/free-port.ts';
import { played, reading } from './calls-played.ts';
import { fixtureCommand } from './plug-command.ts';
import { newSeeing } from './seen-plug.ts';

/** The rows of the error table that are about one call. */
const LONG_MS = 120_000;

verifies(
  ['L5', 'L8', 'C6'],
  'a tool times out: the terminal says after how long, the server is told to stop, and a retry with more time works',
  async () => {
    const { see } = newSeeing();
    await see('add', 'notes', '--yes', '--', ...fixtureCommand('legacy'));
    const file = join(temporaryFolder(), 'cancelled');
    const late = await see('call', 'notes/hang', `file=${file}`, '--timeout', '1');
    expect(late.code).toBe(1);
    expect(late.screen).toMatch(
      /✖ notes did not answer .*within 1 s\.\n {2}owner {2}the server\n {2}next {3}.*plug logs notes\n/,
    );
    await waitFor(() => existsSync(file) && readFileSync(file, 'utf8').startsWith('cancelled'));
    // The server itself is well: only this call took too long.
    expect((await see('status', 'notes')).screen).toMatch(/● notes ready/);
    expect((await see('call', 'notes/slow', 'ms=1500', '--timeout', '30')).screen).toMatch(
      /done after 4 steps/,
    );
  },
  LONG_MS,
);

verifies(
  ['L5', 'L8'],
  'a tool reports an error: its own words are shown, with what to do, and the exit code says that it failed',
  async () => {
    const said = 'There is no branch called “mian”.';
    const isError = true;
    const git = played(
      'git',
      reading('get_branch', { result: { content: [{ type: 'text', text: said }], isError } }),
      reading('get_quota', {
        result: { content: [{ type: 'text', text: 'API rate limit exceeded (429)' }], isError },
      }),
    );
    const { see } = newSeeing();
    await see('add', 'git', '--yes', '--', ...git.command);
    const failed = await see('call', 'git/get_branch');
    expect(failed.code).toBe(1);
    expect(failed.screen).toBe(
      `${said}\n✖ git/get_branch reported an error.\n  next   Read its message, correct the arguments and try again.\n`,
    );
    const limited = await see('call', 'git/get_quota');
    expect(limited.screen).toMatch(/^API rate limit exceeded[^]*next +Wait a minute, then try again\.\n$/);
    expect(git.calls()).toHaveLength(2);
  },
  LONG_MS,
);

verifies(
  ['L5', 'C14'],
  'rate limited for a moment: the call waits and succeeds by itself, and whoever looks meanwhile reads for how long',
  async () => {
    await using busy = await startHttpFixture('rate-limited', { times: 2, after: 3 });
    const { see, watch } = newSeeing();
    await see('add', 'busy', busy.url, '--yes');
    const calling = watch('call', 'busy/echo', 'message=hi');
    await waitFor(async () => {
      const { screen } = await see('status', 'busy');
      return /◑ busy degraded[^]*Rate limited\. Retrying in \d+ s/.test(screen);
    }, 20_000);
    const { code, screen } = await calling.ended;
    expect([code, screen]).toEqual([0, 'hi\n']);
    expect((await see('status', 'busy')).screen).toMatch(/● busy ready/);
    expect((await busy.stats()).methods['tools/call']).toBe(3);
  },
  LONG_MS,
);

verifies(
  ['L5', 'C14'],
  'rate limited for longer: the terminal says so and in how many seconds to try again, and then it works',
  async () => {
    await using busy = await startHttpFixture('rate-limited', { times: 6, after: 2 });
    const { see } = newSeeing();
    await see('add', 'busy', busy.url, '--yes');
    const refused = await see('call', 'busy/echo', 'message=hi');
    expect(refused.code).toBe(5);
    expect(refused.screen).toMatch(
      /✖ 127\.0\.0\.1:\d+ refused 6 times: too many requests\.\n {2}owner {2}the server\n {2}next {3}Wait 2 s, then try again\.\n/,
    );
    expect((await see('status', 'busy')).screen).toMatch(/◑ busy degraded[^]*too many requests/);
    expect((await see('call', 'busy/echo', 'message=hi')).screen).toBe('hi\n');
    expect((await see('status', 'busy')).screen).toMatch(/● busy ready/);
  },
  LONG_MS,
);

verifies(
  ['L5'],
  'the network is offline: the terminal names the address that cannot be reached, and the same call works once it can',
  async () => {
    const { see } = newSeeing();
    const port = await freePort();
    await see('add', 'docs', `http://127.0.0.1:${port}/mcp`, '--yes', '--no-test');
    await see('add', 'far', 'http://docs.plugboard.invalid/mcp', '--yes', '--no-test');
    const refused = await see('call', 'docs/echo', 'message=hi');
    expect(refused.code).toBe(5);
    expect(refused.screen).toMatch(
      new RegExp(`✖ Nothing listens at 127\\.0\\.0\\.1:${port}\\.\n {2}owner {2}the network\n`),
    );
    expect(refused.screen).toMatch(new RegExp(`next {3}Start the service at 127\\.0\\.0\\.1:${port}`));
    const unresolved = await see('call', 'far/echo', 'message=hi');
    expect(unresolved.code).toBe(5);
    expect(unresolved.screen).toMatch(
      /✖ DNS lookup failed for docs\.plugboard\.invalid\. You may be offline/,
    );
    expect(unresolved.screen).toMatch(/next {3}.*plug add far ADDRESS --replace/);

    await using back = await startHttpFixture('dual', { port });
    expect(back.port).toBe(port);
    expect((await see('call', 'docs/echo', 'message=hi')).screen).toBe('hi\n');
  },
  LONG_MS,
);
