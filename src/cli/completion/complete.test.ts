import { expect, test } from 'vitest';
import { buildProgram } from '../program.ts';
import { completeLine, unquote } from './complete.ts';
import type { Candidate } from './kinds.ts';

const NAMES: Readonly<Record<string, readonly Candidate[]>> = {
  server: [{ value: 'github' }, { value: 'gitlab' }, { value: 'linear' }],
  tool: [{ value: 'github/create_issue', description: 'Create.' }, { value: 'linear/list' }],
  profile: [{ value: 'triage' }],
  account: [{ value: 'work' }, { value: 'home' }],
};

async function at(...words: readonly string[]): Promise<readonly string[]> {
  const nothing = (): Promise<void> => Promise.resolve();
  const program = await buildProgram({
    argv: [],
    version: '1.0.0',
    width: 80,
    write: () => undefined,
    act: nothing,
    actOnHub: nothing,
  });
  const { candidates, files } = await completeLine(program, words, ({ kind }) =>
    Promise.resolve(NAMES[kind] ?? []),
  );
  return [...(files ? [':files'] : []), ...candidates.map(({ value }) => value)];
}

test('commands, subcommands and options complete from the grammar', async () => {
  expect(await at('gra')).toEqual(['grants']);
  expect(await at('grants', '')).toEqual(['list', 'add', 'revoke', 'github', 'gitlab', 'linear']);
  expect(await at('grants', 'add', '--un')).toEqual(['--until']);
  expect(await at('call', '--js')).toEqual(['--json']);
  expect(await at('')).not.toContain('complete'); // it is for shells alone
});

test('values complete by what they stand for', async () => {
  expect(await at('status', 'git')).toEqual(['github', 'gitlab']);
  expect(await at('restart', 'github', 'lin')).toEqual(['linear']);
  expect(await at('call', 'github/')).toEqual(['github/create_issue']);
  expect(await at('tools', '--profile', '')).toEqual(['triage']);
  expect(await at('tools', '--profile=tr')).toEqual(['--profile=triage']);
  expect(await at('chat', '--servers', 'github,li')).toEqual(['github,linear']);
  expect(await at('auth', 'default', 'github', 'w')).toEqual(['work']);
  expect(await at('connect', 'curs')).toEqual(['cursor']);
  expect(await at('config', 'set', 'call.destructive', '')).toEqual(['ask', 'deny']);
  expect(await at('read-only', 'github', '')).toEqual(['on', 'off']);
  expect(await at('help', 'exit')).toEqual(['exit-codes']);
});

test('where a file is wanted the shell completes files, and behind -- everything is one', async () => {
  expect(await at('parse', 'x')).toEqual([':files']);
  expect(await at('types', '-o', '')).toEqual([':files']);
  expect(await at('add', 'x', '--', 'npx', '--y')).toEqual([':files']);
});

test('a name with a control character, a line break or something unseen is not offered', async () => {
  const evil = ['ok', 'a\nb', 'a\tb', 'a\u001b[2J', 'a\u202eb', ''].map((value) => ({ value }));
  const program = await buildProgram({
    argv: [],
    version: '1.0.0',
    width: 80,
    write: () => undefined,
    act: () => Promise.resolve(),
    actOnHub: () => Promise.resolve(),
  });
  const { candidates } = await completeLine(program, ['status', ''], () => Promise.resolve(evil));
  expect(candidates.map(({ value }) => value)).toEqual(['ok']);
});

test('a word is read without its quotes, and nothing in it is expanded', () => {
  expect(unquote(`'a b'"c"\\ d`)).toBe('a bc d');
  expect(unquote("'open")).toBe('open');
  expect(unquote('$(touch x)`y`')).toBe('$(touch x)`y`');
});
