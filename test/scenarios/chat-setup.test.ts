import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { calls, text } from '../models/scripted-model.ts';
import { LONG_MS, openChatWorld, PROMPT } from './chat-world.ts';

const KEY = 'wx_live_canary4f9a27c1d8';

verifies(
  ['A5', 'U2'],
  'at a terminal without a model servers are turned off, undone and removed in plain words, and a key is hidden',
  async () => {
    const { plug, chat } = await openChatWorld({ withModel: false, rules: 'shipped' });
    const here = await chat();
    const says = async (line: string, pattern: RegExp): Promise<void> => {
      here.type(`${line}\r`);
      await here.shows(pattern);
      await here.shows(PROMPT);
    };
    const servers = async (): Promise<string> => JSON.stringify(await plug.json('list'));
    await says('turn off notes', /notes is off\./);
    expect(await servers()).toContain('"enabled":false');
    await says('undo that', /notes is on again\./);
    expect(await servers()).toContain('"enabled":true');
    await says(`what is ${KEY} for?`, /what is \[secret\] for\?/);
    await says('delete everything', /Remove notes\?/);
    expect(await servers()).toContain('"id":"notes"');
    await says('yes', /notes is removed\./);
    expect(await servers()).not.toContain('"id":"notes"');
    here.type('/quit\r');
    expect((await here.answer).code).toBe(0);
    const history = join(plug.home, 'state', 'chat-history');
    expect(existsSync(history) ? readFileSync(history, 'utf8') : '').not.toContain(KEY);
  },
  LONG_MS,
);

verifies(
  ['A5', 'U2'],
  'with a model /setup talks to the configuration agent, which proposes and does nothing unasked',
  async () => {
    const { plug, chat, model } = await openChatWorld();
    const here = await chat();
    model.answer(calls({ name: 'remove_server', args: { server: 'notes' } }), text('Shall I look it up?'));
    here.type('/setup what is the weather like?\r');
    await here.shows(/Remove notes\?/);
    await here.shows(PROMPT);
    here.type('/setup yes\r');
    await here.shows(/You have not asked me to remove notes/);
    await here.shows(PROMPT);
    expect(JSON.stringify(await plug.json('list'))).toContain('"id":"notes"');
    here.type('/setup turn off notes\r');
    await here.shows(/notes is off\./);
    expect(model.requests).toHaveLength(2);
    here.type('/quit\r');
    expect((await here.answer).code).toBe(0);
  },
  LONG_MS,
);
