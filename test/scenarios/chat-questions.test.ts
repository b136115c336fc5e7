import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { calls, text } from '../models/scripted-model.ts';
import { waitFor } from '../servers/start.ts';
import { lastRequest, LONG_MS, openChatWorld, PROMPT } from './chat-world.ts';

verifies(
  ['U2', 'A1'],
  'a call that asks shows its card in the chat: y lets it run, n tells the model why not, Esc stops the turn',
  async () => {
    const { model, chat, log } = await openChatWorld({ rules: 'shipped' });
    const write = (note: string) => calls({ name: 'notes__write_note', args: { text: note } });
    model.answer(write('one'), text('Done.'), write('two'), text('I see.'), write('three'));
    const here = await chat();
    here.type('write one\r');
    await here.shows(/server +notes/);
    await here.shows(/tool +write_note/);
    await here.shows(/risk +write/);
    await here.shows(/text +"one"/);
    await here.shows(/why +/);
    await here.shows(/Allow it\? \[y[^\]]*\] /);
    expect(log()).toBe('');
    here.type('y');
    await here.shows(/✔ notes\/write_note completed/);
    await here.shows(/Done\./);
    await here.shows(PROMPT);
    here.type('write two\r');
    await here.shows(/Allow it\? \[y[^\]]*\] /);
    here.type('n');
    await here.shows(/Why not\? .*: /);
    here.type('not on a Friday\r');
    await here.shows(/⊘ notes\/write_note denied/);
    await here.shows(/I see\./);
    expect(lastRequest(model)).toContain('not on a Friday');
    await here.shows(PROMPT);
    here.type('write three\r');
    await here.shows(/Allow it\? \[y[^\]]*\] /);
    here.type('\u001b');
    await here.shows(/Stopped\./);
    await here.shows(PROMPT);
    here.type('/quit\r');
    expect((await here.answer).code).toBe(0);
    expect(log()).toBe('wrote one\n');
  },
  LONG_MS,
);

verifies(
  ['U2', 'A1'],
  'calls that ask at once are shown together and answered by one key; answered elsewhere, the question goes away',
  async () => {
    const { plug, model, chat, log } = await openChatWorld({ rules: 'shipped' });
    const both = (...notes: readonly string[]) =>
      calls(...notes.map((note) => ({ id: note, name: 'notes__write_note', args: { text: note } })));
    model.answer(both('one', 'two'), text('Both.'), both('three'), text('Alone.'));
    const here = await chat();
    here.type('write both\r');
    await here.shows(/"one"/);
    await here.shows(/"two"/);
    await here.shows(/yes, all 2/);
    await here.shows(/Allow all 2\? \[y\/o\/N\] /);
    expect(log()).toBe('');
    here.type('y');
    await here.shows(/Both\./);
    expect(log().split('\n').toSorted()).toEqual(['', 'wrote one', 'wrote two']);
    await here.shows(PROMPT);
    here.type('write three\r');
    await here.shows(/Allow it\? /);
    const { approvals } = (await plug.json('approvals')) as { approvals: readonly { id: string }[] };
    expect((await plug('approve', approvals[0]?.id ?? '')).code).toBe(0);
    await here.shows(/it was allowed elsewhere/);
    await here.shows(/Alone\./);
    await here.shows(PROMPT);
    here.type('\u0004');
    expect((await here.answer).code).toBe(0);
    expect(log()).toContain('wrote three');
  },
  LONG_MS,
);

verifies(
  ['U2', 'C15'],
  "a server's form is asked field by field: choices, limits, nothing prefilled for a secret; Esc declines",
  async () => {
    const { model, chat, log } = await openChatWorld();
    const form = calls({ name: 'notes__form', args: {} });
    model.answer(form, text('Sent.'), form, text('Declined then.'));
    const here = await chat();
    here.type('fill it\r');
    await here.shows(/notes \(server\): Where to\?/);
    await here.shows(/Where it goes\.[^]*1 {2}Rome[^]*2 {2}Oslo/);
    await here.shows(/City \(1–2\): /);
    here.type('7\r');
    await here.shows(/Type a number from 1 to 2/);
    await here.shows(/City \(1–2\): /);
    here.type('2\r');
    await here.shows(/Count: /);
    here.type('\r');
    await here.shows(/It is needed/);
    await here.shows(/Count: /);
    here.type('12\r');
    await here.shows(/at most 9/);
    await here.shows(/Count: /);
    here.type('3\r');
    await here.shows(/Note \(optional, Enter for none\): /);
    here.type('\r');
    await here.shows(/looks like a secret/);
    await here.shows(/Token \(optional\): /);
    here.type('hunter2-canary\r');
    await here.shows(/Send it to notes\? \[Y\/n\] /);
    here.type('\r');
    await here.shows(/Sent\./);
    expect(here.shown()).not.toContain('prefilled-canary');
    expect(here.shown()).not.toContain('hunter2-canary');
    const content = { city: 'Oslo', count: 3, note: 'none', api_token: 'hunter2-canary' };
    expect(JSON.parse(log())).toEqual({ action: 'accept', content });
    await here.shows(PROMPT);
    here.type('again\r');
    await here.shows(/City \(1–2\): /);
    here.type('\u001b');
    await here.shows(/Declined\./);
    await here.shows(/Declined then\./);
    await waitFor(() => log().includes('{"action":"decline"}'));
    here.type('\u0004');
    expect((await here.answer).code).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['U2', 'C15'],
  'a page is opened only on a yes, with its host shown; the model answers a server only on a yes; roots are the folder',
  async () => {
    const { plug, model, chat, log } = await openChatWorld();
    model.answer(
      calls({ name: 'notes__page', args: { text: 'q=1' } }),
      text('No page.'),
      calls({ name: 'notes__think', args: { text: 'six times seven' } }),
      text('forty-two'),
      text('It thought.'),
      calls({ name: 'notes__roots', args: {} }),
      text('Rooted.'),
    );
    const here = await chat();
    here.type('open it\r');
    await here.shows(/notes asks you to open http:\/\/127\.0\.0\.1:9\/x\?q=1/);
    await here.shows(/at 127\.0\.0\.1:9, unencrypted/);
    await here.shows(/Open 127\.0\.0\.1:9\? \[y\/N\] /);
    here.type('\r');
    await here.shows(/No page\./);
    expect(log()).toContain('{"action":"decline"}');
    await here.shows(PROMPT);
    here.type('think\r');
    await here.shows(/What is six times seven\?/);
    await here.shows(/Let the model answer notes\? \[y\/N\] /);
    here.type('y\r');
    await here.shows(/forty-two/);
    await here.shows(/Send this answer to notes\? \[y\/N\] /);
    here.type('y\r');
    await here.shows(/It thought\./);
    expect(log()).toContain('"text":"forty-two"');
    await here.shows(PROMPT);
    here.type('roots\r');
    await here.shows(/Rooted\./);
    expect(log()).toContain(plug.cwd);
    here.type('\u0004');
    expect((await here.answer).code).toBe(0);
  },
  LONG_MS,
);
