import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { stall, startScriptedModel, text } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { newPlug } from './plug-command.ts';
import { startInTerminal } from './typed-plug.ts';

const KEY = 'sk-term-9Zq3Lw7Xv5Bn2Mc8Rt';

verifies(
  ['A1', 'U2'],
  'in a real terminal a key does not show while it is typed, and Ctrl-C ends a run with 130',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1' });
    const model = await startScriptedModel({ models: ['one', 'two'], key: KEY });
    onTestFinished(() => model.close());
    const adding = startInTerminal(plug, ['model', 'add', 'mine', 'compatible', '--url', model.url, '--key']);
    await adding.says(/Key for OpenAI-compatible \(hidden as you type\): /);
    adding.type(`${KEY}\r`);
    await adding.says(/2 {2}two[^]*Which model/);
    adding.type('2\r');
    const added = await adding.answer;
    expect(added.stdout).toContain('mine is two at');
    expect(added).toMatchObject({ code: 0 });
    expect(added.stdout).not.toContain(KEY);

    model.answer(text('ready'));
    expect(await plug('model', 'test')).toMatchObject({ code: 0 });

    writeFileSync(join(plug.cwd, 'p.md'), 'Tell me a story.');
    model.answer(stall(text('Once upon a ', 'time there ')));
    const running = startInTerminal(plug, ['run', 'p.md']);
    await running.says(/Once upon a time/);
    running.type('\u0003');
    expect((await running.answer).code).toBe(130);
    await expect.poll(() => model.requests.at(-1)?.gone()).toBe(true);
  },
  60_000,
);
