import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { calls, fail, text } from '../models/scripted-model.ts';
import { waitFor } from '../servers/start.ts';
import { type Chat, LONG_MS, openChatWorld, PROMPT } from './chat-world.ts';

const CTRL_C = '\u0003';

/** Ctrl-C at a question stops what asked, says so once, and the chat goes on. */
async function interrupted(here: Chat, question: RegExp): Promise<void> {
  await here.shows(question);
  here.type(CTRL_C);
  await here.shows(/Stopped\./);
  await here.shows(PROMPT);
}

/** After the last message: nothing of it reads like a failure of ours. */
function nothingFailed(here: Chat): void {
  expect(here.shown()).not.toMatch(/owner|internal|✖/);
}

verifies(
  ['U7', 'U2', 'P5'],
  'Ctrl-C at a card, at its reason, arguments or pattern, or at “Allow all” stops the turn: nothing runs or waits',
  async () => {
    const { plug, model, chat, log } = await openChatWorld({ rules: 'shipped' });
    const write = (...notes: readonly string[]) =>
      calls(...notes.map((note) => ({ id: note, name: 'notes__write_note', args: { text: note } })));
    const here = await chat();
    const card = /Allow it\? \[y[^\]]*\] /;
    const all = /Allow all 2\? \[y\/o\/N\] /;
    const ways: readonly (readonly [notes: readonly string[], before: string, question: RegExp])[] = [
      [['one'], '', card],
      [['two'], 'n', /Why not\? [^\n]*: /],
      [['three'], 'e', /Arguments: [^\n]*three/],
      [['four'], 'a', /Which arguments[^\n]*: /],
      [['five', 'six'], '', all],
      [['seven', 'eight'], 'n', /Why not\? [^\n]*: /],
    ];
    for (const [notes, before, question] of ways) {
      model.answer(write(...notes));
      here.type(`write ${notes.join(' and ')}\r`);
      if (before !== '') {
        await here.shows(notes.length === 1 ? card : all);
        here.type(before);
      }
      await interrupted(here, question);
      await waitFor(async () => ((await plug.json('approvals'))['approvals'] as unknown[]).length === 0);
    }
    nothingFailed(here);
    expect((await plug.json('grants', 'list'))['grants']).toEqual([]);
    expect(log()).toBe('');
    expect(model.left()).toBe(0);
    here.type('/quit\r');
    expect((await here.answer).code).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['U7', 'U2', 'C15'],
  'Ctrl-C at a field, a hidden field, a page or a sampling request of a server cancels it and stops the turn',
  async () => {
    const { model, chat, log } = await openChatWorld();
    const here = await chat();
    const form = { name: 'notes__form', args: {} };
    const think = { name: 'notes__think', args: { text: 'six times seven' } };
    const toToken = [
      [/City \(1–2\): /, '2\r'],
      [/Count: /, '3\r'],
      [/Note \(optional[^\n]*: /, '\r'],
    ] as const;
    const ways: readonly (readonly [
      call: typeof form | typeof think,
      before: readonly (readonly [RegExp, string])[],
      question: RegExp,
    ])[] = [
      [form, [], /City \(1–2\): /],
      [form, toToken, /Token \(optional\): /],
      [form, [...toToken, [/Token \(optional\): /, '\r']], /Send it to notes\? \[Y\/n\] /],
      [{ name: 'notes__page', args: { text: 'q=1' } }, [], /Open 127\.0\.0\.1:9\? \[y\/N\] /],
      [think, [], /Let the model answer notes\? \[y\/N\] /],
      [think, [[/Let the model answer notes\? \[y\/N\] /, 'y\r']], /Send this answer to notes\? \[y\/N\] /],
    ];
    for (const [call, before, question] of ways) {
      model.answer(calls(call), ...(before.length === 1 ? [text('forty-two')] : []));
      here.type('do it\r');
      for (const [asked, typed] of before) {
        await here.shows(asked);
        here.type(typed);
      }
      await interrupted(here, question);
    }
    // Esc declines the form at a hidden field, too, and the turn goes on.
    model.answer(calls(form), text('Declined then.'));
    here.type('fill it\r');
    for (const [asked, typed] of toToken) {
      await here.shows(asked);
      here.type(typed);
    }
    await here.shows(/Token \(optional\): /);
    here.type('\u001b');
    await here.shows(/Declined\./);
    await here.shows(/Declined then\./);
    nothingFailed(here);
    expect(log()).not.toMatch(/"accept"|forty-two/);
    expect(model.left()).toBe(0);
    await here.shows(PROMPT);
    here.type('/quit\r');
    expect((await here.answer).code).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['U7', 'U2'],
  'Ctrl-C at “Send again”, at a file that is there, or at a server that is set up changes nothing',
  async () => {
    const { plug, model, chat } = await openChatWorld();
    const here = await chat();
    model.answer(fail(400, {}, 'model is overloaded'), text('Now it works.'));
    here.type('do it\r');
    await here.shows(/✖ .*overloaded/);
    await here.shows(PROMPT);
    const shownBefore = here.shown().length;
    here.type('\r');
    await interrupted(here, /Send “do it” again\? \[Y\/n\] /);
    // It is still there to be sent.
    here.type('\r');
    await here.shows(/Send “do it” again\? \[Y\/n\] /);
    here.type('y');
    await here.shows(/Now it works\./);
    await here.shows(PROMPT);
    const file = join(plug.cwd, 'talk.md');
    writeFileSync(file, 'mine');
    here.type('/save talk.md\r');
    await interrupted(here, /Overwrite it\? \[y\/N\] /);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    const servers = await plug.json('list');
    const entry = { command: 'node', args: ['nowhere.js'], env: { NOTES_REGION: '<your region>' } };
    here.type(`/setup add ${JSON.stringify({ mcpServers: { asking: entry } })}\r`);
    await interrupted(here, /Add asking\? \[[yY]\/[nN]\] /);
    const keyed = { ...entry, env: { NOTES_API_KEY: '<your key>' } };
    here.type(`/setup add ${JSON.stringify({ mcpServers: { keyed } })}\r`);
    await interrupted(here, /\((?:unseen|hidden)[^\n]*: /);
    expect((await plug.json('list'))['servers']).toHaveLength((servers['servers'] as unknown[]).length);
    expect(here.shown().slice(shownBefore)).not.toMatch(/owner|internal|✖/);
    here.type('/quit\r');
    expect((await here.answer).code).toBe(0);
  },
  LONG_MS,
);
