import { expect, test } from 'vitest';
import { readIntent } from './intent.ts';

const choices = ['io.github.acme/files', 'io.github.other/notes', 'com.example/third'];

test('plain requests are understood without a model', () => {
  const read = (text: string): unknown => readIntent(text, {});
  for (const text of ['what do I have?', 'list', 'show my servers', 'Which servers do I have?', 'status'])
    expect(read(text), text).toEqual({ kind: 'list' });
  for (const text of [
    'remove notion',
    'Please delete the notion server.',
    'get rid of my “notion”',
    'disconnect from notion',
  ])
    expect(read(text), text).toEqual({ kind: 'remove', server: 'notion' });
  for (const text of ['why is it failing?', 'check everything', 'test my servers'])
    expect(read(text), text).toEqual({ kind: 'list' });
  for (const text of [
    'test github',
    'is github working?',
    'check my github server',
    'why does github not work?',
  ])
    expect(read(text), text).toEqual({ kind: 'test', server: 'github' });
  for (const text of ['sign in to linear', 'log in to linear', 'reauthorize linear'])
    expect(read(text), text).toEqual({ kind: 'sign-in', server: 'linear' });
  for (const text of ['hi', 'help', 'What can you do?', '', '  ?'])
    expect(read(text), text).toEqual({ kind: 'help' });
  for (const text of [
    'connect me to Notion',
    'test https://mcp.example.com/mcp',
    'try npx -y acme-mcp',
    '{"mcpServers":{}}',
    'remove\nme',
  ])
    expect(read(text), text).toEqual({ kind: 'add' });
});

test('an answer to a choice is a number, a place or a name', () => {
  const read = (text: string): unknown => readIntent(text, { choices });
  for (const text of ['2', '#2', 'the second one', 'Second', 'number 2', 'I take the second one, please'])
    expect(read(text), text).toEqual({ kind: 'choose', name: choices[1] });
  expect(read('the last one')).toEqual({ kind: 'choose', name: choices[2] });
  expect(read('IO.github.acme/files')).toEqual({ kind: 'choose', name: choices[0] });
  expect(read('9')).toEqual({ kind: 'choose-none' });
  expect(read('what do I have?')).toEqual({ kind: 'list' });
  expect(readIntent('2', {})).toEqual({ kind: 'add' });
});

test('yes and no are answers, whatever was asked', () => {
  for (const text of ['yes', 'Yes, use it.', 'ok', 'use the corrected version'])
    expect(readIntent(text, { repair: 1 }), text).toEqual({ kind: 'agree' });
  for (const text of ['no', 'No, thanks', 'cancel'])
    expect(readIntent(text, {}), text).toEqual({ kind: 'decline' });
});
