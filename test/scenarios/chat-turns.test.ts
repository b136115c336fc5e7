import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { calls, fail, slow, stall, text, type ScriptedModel } from '../models/scripted-model.ts';
import { waitFor } from '../servers/start.ts';
import { lastRequest, LONG_MS, openChatWorld, PROMPT } from './chat-world.ts';

verifies(
  ['U2', 'A1', 'L8'],
  'a message is answered with the tools of the servers, and each call has a row with its arguments and its end',
  async () => {
    const { plug, model, chat, log } = await openChatWorld();
    // Tokens are counted beside everything else.
    await waitFor(async () => JSON.stringify(await plug.json('tools')).includes('"tokens"'), 10_000);
    const long = 'x'.repeat(100);
    model.answer(
      {
        ...text('Let me ', 'see.'),
        ...only(
          calls(
            { id: 'one', name: 'notes__write_note', args: { text: long } },
            { id: 'two', name: 'notes__fail', args: {} },
          ),
        ),
      },
      text('Written; the other ', 'failed.'),
    );
    const here = await chat();
    expect(here.shown()).toMatch(/plug chat · fast \(scripted\) · 1 ready · 7 tools \(\d+ tokens\) · \/help/);
    here.type('write it\r');
    await here.shows(/Let me see\./);
    await here.shows(/◐ Using notes\/write_note…/);
    await here.shows(new RegExp(`text: x{40}… \\(60 more characters\\)`));
    await here.shows(/✔ notes\/write_note completed \d+\.\ds/);
    await here.shows(/text: x{40}…/);
    await here.shows(/✖ notes\/fail failed: .*disk is full/i);
    await here.shows(/Written; the other failed\./);
    await here.shows(PROMPT);
    expect(log()).toBe(`wrote ${long}\n`);
    expect(lastRequest(model)).toContain('disk is full');
    // In place: the running row was drawn over, which moves the cursor up and clears.
    expect(here.shown().split('Using notes/fail…').at(-1)).toContain('A\r\u001b[J');
    here.type('/quit\r');
    expect((await here.answer).code).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['U2'],
  'an answer keeps within the width, also after a resize, and no escape sequence of a model reaches the terminal',
  async () => {
    const { model, chat } = await openChatWorld();
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`);
    model.answer(
      { ...text(...words.map((word) => `${word} `), 'A\u001b', '[2J\u001b]0;title\u0007', 'B\u202eC') },
      text(...words.map((word) => `${word} `)),
    );
    const here = await chat();
    await here.resize(60);
    here.type('first\r');
    await here.shows(/A\\x1b\[2J\\x1b\]0;title\\x07B<U\+202E>C/);
    await here.shows(PROMPT);
    expect(widest(here.shown())).toBeLessThan(60);
    expect(here.shown()).not.toContain('\u001b[2J');
    await here.resize(30);
    const before = here.shown().length;
    here.type('second\r');
    await here.shows(/word59/);
    await here.shows(PROMPT);
    expect(widest(here.shown().slice(before))).toBeLessThan(30);
    here.type('\u0004');
    expect((await here.answer).code).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['U2', 'A1'],
  'Ctrl-C stops the answer and the call at its server; the chat goes on and nothing of it is lost',
  async () => {
    const { model, chat, log } = await openChatWorld();
    model.answer(
      calls({ name: 'notes__hold', args: { text: 'this' } }),
      text('Here again.'),
      stall(text('Slowly ')),
    );
    const here = await chat();
    here.type('hold it\r');
    await here.shows(/◐ Using notes\/hold…/);
    await waitFor(() => log().includes('holding this'), 10_000);
    here.type('typed ahead');
    here.type('\u0003');
    await here.shows(/⊘ notes\/hold cancelled/);
    await here.shows(/Stopped\./);
    await here.shows(/› .*typed ahead/);
    await waitFor(() => log().includes('cancelled this'), 10_000);
    here.type('\r');
    await here.shows(/Here again\./);
    expect(lastRequest(model)).toContain('hold it');
    expect(lastRequest(model)).toContain('typed ahead');
    await here.shows(PROMPT);
    here.type('slow\r');
    await here.shows(/Slowly/);
    here.type('\u0003');
    await here.shows(/Stopped\./);
    await here.shows(PROMPT);
    await waitFor(() => model.requests.at(-1)?.gone() === true, 10_000);
    here.type('/quit\r');
    expect((await here.answer).code).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['U2'],
  'lines typed during an answer stay messages of their own: each is shown at a prompt, in order, and sent alone',
  async () => {
    const { model, chat } = await openChatWorld();
    const answers = ['First answer.', 'Second answer.', 'Third answer.', 'Fourth answer.'];
    model.answer(...answers.map((words, index) => slow(index === 0 ? 4_000 : 0, text(words))));
    const here = await chat();
    here.type('one\r');
    await waitFor(() => model.requests.some(({ method }) => method === 'POST'), 10_000);
    // Keys as a person sends them: whole lines, an empty one, and one that is not finished.
    for (const keys of ['list the ', 'notes\r', '\r', 'delete the last\r', 'then']) {
      here.type(keys);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await here.shows(/First answer\./);
    await here.shows(/› .*list the notes/);
    expect(said(model)).toEqual(['one']);
    here.type('\r');
    await here.shows(/Second answer\./);
    await here.shows(/› .*delete the last/);
    here.type('\r');
    await here.shows(/Third answer\./);
    await here.shows(/› .*then/);
    here.type(' stop\r');
    await here.shows(/Fourth answer\./);
    expect(said(model)).toEqual(['one', 'list the notes', 'delete the last', 'then stop']);
    await here.shows(PROMPT);
    here.type('/quit\r');
    expect((await here.answer).code).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['U2', 'U7'],
  'Ctrl-C clears a line, then says how to leave, then leaves with 130; nothing of it is sent',
  async () => {
    const { model, chat } = await openChatWorld();
    const here = await chat();
    here.type('half a thought');
    await here.shows(/half a thought/);
    here.type('\u0003');
    await here.shows(PROMPT);
    here.type('\u0003');
    await here.shows(/Ctrl-C again to leave/);
    await here.shows(PROMPT);
    here.type('\u0003');
    expect((await here.answer).code).toBe(130);
    expect(model.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['U2'],
  'a paste of several lines and a line that goes on are one message each, and the history has them next time',
  async () => {
    const { model, chat, plug } = await openChatWorld();
    model.answer(text('One.'), text('Two.'), text('Three.'), text('Four.'));
    const here = await chat();
    here.type('see \u001b[200~first\rsecond\tx\r\nthird\u001b[201~');
    await here.shows(/first↵second⇥x↵third/);
    here.type('\r');
    await here.shows(/One\./);
    expect(lastRequest(model)).toContain(JSON.stringify('see first\nsecond\tx\nthird'));
    await here.shows(PROMPT);
    here.type('begins \\\r');
    await here.shows(/… /);
    here.type('goes on\r');
    await here.shows(/Two\./);
    expect(lastRequest(model)).toContain(JSON.stringify('begins \ngoes on'));
    await here.shows(PROMPT);
    here.type(' not kept\r');
    await here.shows(/Three\./);
    await here.shows(PROMPT);
    here.type('\u0004');
    expect((await here.answer).code).toBe(0);
    const file = join(plug.home, 'plug/chat-history');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain('not kept');
    const again = await chat();
    again.type('\u001b[A\u001b[A');
    await again.shows(/see first↵second⇥x↵third/);
    again.type('\r');
    await again.shows(/Four\./);
    expect(lastRequest(model)).toContain(JSON.stringify('see first\nsecond\tx\nthird'));
    again.type('\u0004');
    await again.answer;
  },
  LONG_MS,
);

verifies(
  ['U2', 'A1'],
  'a turn that fails says why and what to do, and Enter sends its message again',
  async () => {
    const { model, chat } = await openChatWorld();
    model.answer(fail(400, {}, 'model is overloaded with \u001b[31mred'), text('Now it works.'));
    const here = await chat();
    here.type('do it\r');
    await here.shows(/✖ .*overloaded/);
    await here.shows(/Press Enter, or type \/retry, to send it again/);
    await here.shows(PROMPT);
    here.type('\r');
    await here.shows(/Send “do it” again\? \[Y\/n\] /);
    here.type('y');
    await here.shows(/Now it works\./);
    expect(here.shown()).not.toContain('\u001b[31m');
    const messages = model.requests.at(-1)?.body['messages'] as readonly { readonly role: string }[];
    expect(messages.filter(({ role }) => role === 'user')).toHaveLength(1);
    here.type('/quit\r');
    expect((await here.answer).code).toBe(0);
  },
  LONG_MS,
);

/** The messages of the person in the last request, each by itself. */
function said({ requests }: ScriptedModel): readonly unknown[] {
  const messages = requests.at(-1)?.body['messages'] as readonly { role: string; content: unknown }[];
  return messages.filter(({ role }) => role === 'user').map(({ content }) => content);
}

/** The widest line that the model's words took. */
function widest(shown: string): number {
  const lines = stripVTControlCharacters(shown).split(/\r?\n/);
  return Math.max(...lines.filter((line) => line.startsWith('word')).map((line) => line.length));
}

/** What makes an answer one of calls, without its words. */
function only({
  calls: wanted,
  end,
}: ReturnType<typeof calls>): Pick<ReturnType<typeof calls>, 'calls' | 'end'> {
  return { calls: wanted, end };
}
