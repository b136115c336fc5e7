import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { answerOf, bin, fixtureCommand, newPlug, type Answer } from './plug-command.ts';

const LONG_MS = 60_000;
const dist = new URL('../../dist/', import.meta.url).href;
const hook = new URL('note-loaded-files.ts', import.meta.url).href;

/** Runs Node to its end, and answers what it loaded too: files of ours by their path below dist. */
async function loading(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  begun: (child: ChildProcess) => void = () => undefined,
): Promise<Answer & { readonly loaded: readonly string[] }> {
  const notes = join(temporaryFolder(), 'loaded');
  const child = spawn(process.execPath, ['--import', hook, ...argv], {
    cwd: env['HOME'],
    env: { PATH: process.env['PATH'], LOADED_FILES: notes, ...env },
  });
  begun(child);
  const answer = await answerOf(child);
  const lines = readFileSync(notes, 'utf8').trim().split('\n');
  return { ...answer, loaded: lines.map((url) => url.replace(dist, '')) };
}

test(
  'a call loads a handful of files, and so does every other command that asks the hub',
  async () => {
    const plug = newPlug({}, { hub: 'process' });
    await plug.json('add', 'demo', '--yes', '--', ...fixtureCommand('modern'));
    const env = { HOME: plug.home, PLUG_HOME: `${plug.home}/plug` };
    const call = await loading([bin, 'call', 'demo/echo', 'message=hi'], env);
    expect(call).toMatchObject({ code: 0, stdout: 'hi\n', stderr: '' });
    // What comes before the cache is compiled each time anew: the rest must not be among it.
    const [uncached, rest] = [call.loaded.slice(0, 3), call.loaded.slice(3)];
    expect(uncached.toSorted()).toEqual(['bin.js', 'joined/first.js', 'joined/rolldown-runtime.js']);
    expect(rest.toSorted()).toEqual(['joined/base.js', 'joined/cli.js', 'joined/client.js']);
    const list = await loading([bin, 'list', '--json'], env);
    expect(list).toMatchObject({ code: 0, stderr: '' });
    expect(list.loaded.length).toBeLessThan(20);
  },
  LONG_MS,
);

test('a program that uses the library loads nothing of the command line', async () => {
  const home = temporaryFolder();
  const program = `
    const { openPlugboard, PlugError } = await import('${dist}index.js');
    await using hub = await openPlugboard({ storage: { kind: 'memory' } });
    const failure = await hub.tools.call({ tool: 'none/such' }).catch((error) => error);
    console.log(failure instanceof PlugError, failure.code);`;
  const { loaded, ...answer } = await loading(['--input-type=module', '--eval', program], {
    HOME: home,
    PLUG_HOME: home,
  });
  expect(answer).toEqual({ code: 0, stdout: 'true not_found\n', stderr: '' });
  expect(loaded).toContain('joined/hub.js');
  expect(loaded).not.toContain('joined/cli.js');
});

test(
  'a hub starts from few files: ours are joined, and so are the packages that it needs',
  async () => {
    const home = temporaryFolder();
    const env = { HOME: home, PLUG_HOME: join(home, 'plug') };
    const { code, loaded } = await loading([bin, 'hub', 'start', '--foreground'], env, endWhenItListens);
    expect(code).toBe(0);
    expect(loaded).toContain('joined/hub.js');
    expect(loaded.length).toBeLessThan(60);
    // One character beyond ASCII, and the whole file takes twice the room in memory.
    const joined = loaded.filter((file) => /^(joined|packages)\//.test(file));
    const wide = joined.filter((file) => /[^\0-\x7f]/.test(readFileSync(new URL(file, dist), 'utf8')));
    expect(wide).toEqual([]);
  },
  LONG_MS,
);

test(
  'a command that adds a server loads nothing of the hub, and a hub that is asked for it few more files',
  async () => {
    const plug = newPlug({}, { hub: 'process' });
    const env = { HOME: plug.home, PLUG_HOME: `${plug.home}/plug` };
    const hub = loading([bin, 'hub', 'start', '--foreground'], env, (child) => {
      const add = [bin, 'add', 'demo', '--yes', '--', ...fixtureCommand('modern')];
      child.stdout?.once('data', () => {
        void loading(add, env)
          .then(told.resolve, told.reject)
          .finally(() => child.kill('SIGINT'));
      });
    });
    const told = Promise.withResolvers<Awaited<typeof hub>>();
    const add = await told.promise;
    expect(add).toMatchObject({ code: 0, stderr: '' });
    expect(add.loaded).toContain('joined/pastes.js');
    expect(add.loaded).not.toContain('joined/hub.js');
    const { loaded } = await hub;
    expect(loaded).toContain('joined/plans.js');
    expect(loaded.length).toBeLessThan(75);
  },
  LONG_MS,
);

function endWhenItListens(child: ChildProcess): void {
  child.stdout?.on('data', (text: Buffer) => text.includes('listening') && child.kill('SIGINT'));
}

test(
  'what fails in a hub in the foreground is told as what it is',
  async () => {
    const plug = newPlug({}, { hub: 'process' });
    const { pid } = await plug.json('hub', 'start');
    const { code, stdout } = await plug('hub', 'start', '--foreground', '--json');
    expect({ code, answer: JSON.parse(stdout) as unknown }).toMatchObject({
      code: 1,
      answer: { error: { code: 'already_exists', owner: 'you', next: 'plug hub status', details: { pid } } },
    });
  },
  LONG_MS,
);
