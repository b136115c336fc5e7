import { expect, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { played, writing, type Played } from './calls-played.ts';
import { newPlug } from './plug-command.ts';
import { startInTerminal } from './typed-plug.ts';

interface InTerminal {
  readonly notes: Played;
  readonly type: (keys: string) => void;
  readonly shows: (text: RegExp) => Promise<string>;
  readonly ended: () => Promise<{ readonly code: number | null; readonly shown: string }>;
}

/** A call that has to be approved, in a real terminal of its own. */
async function callInTerminal(): Promise<InTerminal> {
  const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { rules: 'shipped' });
  const notes = played('notes', writing());
  await plug.json('add', 'notes', '--', ...notes.command);
  const typing = startInTerminal(plug, ['call', 'notes/create_note', '--args', '{"a":1}']);
  return {
    notes,
    type: (keys) => typing.type(keys),
    shows: (text) => typing.says(text),
    ended: async () => {
      const { code, stdout } = await typing.answer;
      return { code, shown: stdout };
    },
  };
}

const LONG_MS = 60_000;

test(
  'one key answers, without Enter, and the terminal is as it was afterwards',
  async () => {
    const { type, shows, ended, notes } = await callInTerminal();
    await shows(/Allow it\? \[y/);
    type('y');
    const { code, shown } = await ended();
    expect(code).toBe(0);
    expect(shown).toMatch(/done\r?\n/);
    expect(notes.calls()).toMatchObject([{ args: { a: 1 } }]);
  },
  LONG_MS,
);

test(
  'what was typed before the card was shown is no answer, nor is a paste',
  async () => {
    const { type, shows, ended, notes } = await callInTerminal();
    type('y');
    await shows(/Allow it\? \[y/);
    type('yes please');
    type('\u001b[A'); // an arrow
    await sleep(300);
    type('n');
    const { code, shown } = await ended();
    expect(code).toBe(1);
    expect(shown).toContain('denied');
    expect(notes.calls()).toEqual([]);
  },
  LONG_MS,
);

test(
  'Escape stops the call and says so',
  async () => {
    const { type, shows, ended, notes } = await callInTerminal();
    await shows(/Allow it\? \[y/);
    type('\u001b');
    const { code, shown } = await ended();
    expect(code).toBe(1);
    expect(shown).toContain('You stopped it. notes/create_note was not called.');
    expect(notes.calls()).toEqual([]);
  },
  LONG_MS,
);

test(
  'Ctrl-C stops the call as it stops every command',
  async () => {
    const { type, shows, ended, notes } = await callInTerminal();
    await shows(/Allow it\? \[y/);
    type('\u0003');
    const { code } = await ended();
    expect(code).toBe(130);
    expect(notes.calls()).toEqual([]);
  },
  LONG_MS,
);

test(
  'arguments are edited in their line, as they are shown',
  async () => {
    const { type, shows, ended, notes } = await callInTerminal();
    await shows(/Allow it\? \[y/);
    type('e');
    await shows(/Arguments: .*\{"a":1\}/);
    type('\u007f\u007f2}\r'); // two back, then 2}
    const { code, shown } = await ended();
    expect(code).toBe(0);
    expect(shown).toMatch(/done\r?\n/);
    expect(notes.calls()).toMatchObject([{ args: { a: 2 } }]);
  },
  LONG_MS,
);
