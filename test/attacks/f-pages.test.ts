import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { setTrap } from '../browser/traps.ts';
import { calls, text } from '../models/script.ts';
import { verifies } from '../requirements.ts';
import { openChatWorld } from '../scenarios/chat-world.ts';

const SERVER = fileURLToPath(new URL('page-asker.ts', import.meta.url));

verifies(
  ['U2', 'attack:F20'],
  'a page that a server wants opened is not fetched, is shown whole, and a name that can look like another is told',
  async () => {
    const trap = await setTrap();
    const { plug, model, chat } = await openChatWorld();
    expect((await plug('add', 'docs', '--yes', '--', process.execPath, SERVER)).code).toBe(0);
    const long = `http://127.0.0.1:${trap.tcp}/consent?${'a=1&'.repeat(40)}end=yes`;
    model.answer(
      calls({ name: 'docs__page', args: { url: long } }),
      text('Not opened.'),
      calls({ name: 'docs__page', args: { url: 'https://exаmple.com/login' } }),
      text('Not opened either.'),
    );
    const here = await chat();
    here.type('open it\r');
    await here.shows(/end=yes/);
    await here.shows(new RegExp(`Open 127\\.0\\.0\\.1:${trap.tcp}\\? \\[y/N\\] `));
    here.type('\r');
    await here.shows(/Not opened\./);
    here.type('and that\r');
    await here.shows(/xn--exmple-4nf\.com\/login/);
    await here.shows(/can look like another\s+name/);
    await here.shows(/Open xn--exmple-4nf\.com\? \[y\/N\] /);
    here.type('\r');
    await here.shows(/Not opened either\./);
    here.type('\u0004');
    expect((await here.answer).code).toBe(0);
    expect(trap.heard()).toBe(0);
  },
  120_000,
);
