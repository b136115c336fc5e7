import { once } from 'node:events';
import { expect, test } from 'vitest';
import { verifies } from '../requirements.ts';
import { fixtureCommand, newPlug, read } from './plug-command.ts';
import { startInTerminal } from './typed-plug.ts';

const LONG_MS = 90_000;

/** Writes to stderr, then answers as the fixture does. */
function loud(word: string): readonly string[] {
  const [node = '', ...rest] = fixtureCommand('dual');
  return ['sh', '-c', `echo "${word} $$" >&2; exec "$@"`, 'sh', node, ...rest];
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 50));
}

verifies(
  ['U1'],
  'plug logs -f follows several servers by name, goes on after a restart, and ends with Ctrl-C',
  async () => {
    const plug = newPlug();
    await plug.json('add', 'one', '--', ...loud('hello-from-one'));
    await plug.json('add', 'second', '--', ...loud('hello-from-second'));
    const following = plug.begin(['logs', '-f']);
    const said = read(following);
    await until(() => said.text.includes('hello-from-one') && said.text.includes('hello-from-second'));
    expect(said.text).toMatch(/^(one|second) +│ hello-from-\w+ \d+$/m);
    await plug.json('restart', 'one');
    await until(() => said.text.split('hello-from-one').length === 3);
    expect(said.text.split('hello-from-second')).toHaveLength(2);
    following.kill('SIGINT');
    const [code] = (await once(following, 'close')) as [number | null];
    expect([0, 130]).toContain(code);

    const records = plug.begin(['logs', '-f', 'one', '-n', '1', '--json']);
    const lines = read(records);
    await until(() => lines.text.includes('\n'));
    records.kill('SIGINT');
    await once(records, 'close');
    expect(JSON.parse(lines.text.split('\n')[0] ?? '')).toEqual({
      server: 'one',
      line: expect.stringContaining('hello-from-one'),
    });
    expect((await plug('logs', 'secnod', '-f')).stderr).toContain('Did you mean second?');
    expect((await plug('logs')).code).toBe(2);
  },
  LONG_MS,
);

verifies(
  ['U3', 'U1'],
  'plug wait shows how far it is: a bar on a terminal, plain lines off it, nothing with --json; the code tells',
  async () => {
    const plug = newPlug();
    await plug.json('add', 'good', '--', ...fixtureCommand('dual'));
    await plug.json('add', 'bad', '--no-test', '--', 'sh', '-c', 'sleep 1; exit 3');
    await plug.json('disable', 'bad');
    await plug.json('enable', 'bad');
    const plain = await plug('wait', '--timeout', '30');
    expect(plain.code).toBe(5);
    expect(plain.stderr).toMatch(/\d\/2 ready; (good|bad) is \w+/);
    expect(plain.stderr).not.toContain('\u001b');
    expect(plain.stdout).toMatch(/✖ bad .*crashed/);
    const { stdout, stderr } = await plug('wait', '--timeout', '30', '--json');
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ servers: [{ id: 'bad' }, { id: 'good' }] });
    await plug.json('hub', 'stop');
    const shown = await startInTerminal(plug, ['wait', '--timeout', '30']).answer;
    expect(shown.stdout).toMatch(/\[█*░*\] \d\/2 ready;|Starting/);
    expect(shown.stdout).toContain('\r\u001b[2K');
    expect(shown.stdout).not.toContain('\u001b[?25l');
    expect((await plug('wait', 'good')).code).toBe(0);
  },
  LONG_MS,
);

test('colors: none with NO_COLOR, --no-color or a dumb terminal, some in a pipe with FORCE_COLOR', async () => {
  const plug = newPlug();
  await plug.json('add', 'good', '--', ...fixtureCommand('dual'));
  const colors = (text: string): boolean => text.includes('\u001b[1m');
  expect(colors((await startInTerminal(plug, ['list']).answer).stdout)).toBe(true);
  expect(colors((await startInTerminal(plug, ['list'], { NO_COLOR: '1' }).answer).stdout)).toBe(false);
  expect(colors((await startInTerminal(plug, ['list', '--no-color']).answer).stdout)).toBe(false);
  expect(colors((await startInTerminal(plug, ['list'], { TERM: 'dumb' }).answer).stdout)).toBe(false);
  expect(colors((await plug('list')).stdout)).toBe(false);
  const forced = newPlug({ FORCE_COLOR: '1' }, { home: plug.home, cwd: plug.cwd });
  expect(colors((await forced('list')).stdout)).toBe(true);
  const narrow = await startInTerminal(plug, ['list'], { NO_COLOR: '1', COLUMNS: '40' }).answer;
  for (const line of narrow.stdout.split(/\r?\n/)) expect(line.length).toBeLessThanOrEqual(40);
});
