import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { calls, startScriptedModel, text } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { descendantsOf, isAlive } from './plug-command.ts';
import { firstHome } from './seen-first-home.ts';
import { asDocument } from './seen-golden.ts';
import { openShell } from './seen-shell.ts';

verifies(
  ['U1', 'U2', 'U3', 'U4', 'S11', 'L8', 'V5'],
  'the first five minutes: found, imported, looked at, called, talked to and stopped, just as it is written down',
  async () => {
    const { home, cwd, env, keys, notes } = firstHome();
    await using model = await startScriptedModel();
    model.answer(
      calls({ name: 'mcp__notes__get_note', args: { title: 'Shopping' } }),
      calls({ name: 'mcp__notes__create_note', args: { title: 'Shopping', text: 'bread, butter, milk' } }),
      text('Milk is on your shopping note now.'),
    );
    const shell = await openShell(env, cwd);

    await shell.run('plug', async ({ shows, press }) => {
      await shows(/\[.*\] $/);
      press('y\r');
    });
    const { pid } = JSON.parse(readFileSync(join(home, '.plug', 'hub.json'), 'utf8')) as { pid: number };
    onTestFinished(() => {
      // Only when the test failed before it stopped its hub.
      if (isAlive(pid)) process.kill(pid, 'SIGTERM');
    });
    await shell.run('plug list');
    await shell.run('plug tools');
    await shell.run('plug call notes/get_note title=Shopping', async ({ shows, press }) => {
      await shows(/Allow it\? \[.*\] $/);
      press('r');
    });
    await shell.run(
      "plug call notes/create_note title=Boat text='Paint the hull'",
      async ({ shows, press }) => {
        await shows(/Allow it\? \[.*\] $/);
        press('y');
      },
    );
    await shell.run('plug status');
    await shell.run('plug doctor');
    await shell.run(`plug model add local compatible scripted --url ${model.url}`);
    await shell.run('plug chat', async ({ shows, press }) => {
      await shows(/› $/);
      press('Put milk on my shopping note\r');
      await shows(/Allow it\? \[.*\] $/);
      press('y');
      await shows(/Milk is on your shopping note now\.[^]*› $/);
      press('/quit\r');
    });
    const started = [pid, ...descendantsOf(pid)];
    await shell.run('plug hub stop');
    const screen = shell.screen().replace(/\n\$\n$/, '\n');
    shell.press('exit\r');
    await shell.ended;

    expect(notes.calls().map(({ name, args }) => [name, args])).toEqual([
      ['get_note', { title: 'Shopping' }],
      ['create_note', { title: 'Boat', text: 'Paint the hull' }],
      ['get_note', { title: 'Shopping' }],
      ['create_note', { title: 'Shopping', text: 'bread, butter, milk' }],
    ]);
    expect(started.length).toBeGreaterThan(1);
    // Those that watch over servers see the end of the hub a moment after it.
    await expect.poll(() => started.filter(isAlive)).toEqual([]);
    for (const key of keys) {
      expect(screen).not.toContain(key);
      expect(filesWith(key, join(home, '.plug'))).toEqual([]);
    }
    const document = asDocument(screen, { [home]: '~' });
    await expect(document).toMatchFileSnapshot('../golden/first-five-minutes.txt');
  },
  180_000,
);

function filesWith(text: string, folder: string): readonly string[] {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) =>
    entry.isFile(),
  );
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file, 'latin1').includes(text));
}
