import { expect, test } from 'vitest';
import { completeLine } from './completion.ts';
import { splitWords } from './slash.ts';

const names = {
  servers: ['github', 'gitlab', 'notes'],
  tools: ['github/search', 'github/star', 'notes/write', 'evil/\u001b[2J'],
  models: ['fast', 'dear'],
};
const choices = (line: string): readonly string[] => completeLine(line, names)[0];

test('Tab completes commands, what follows them, and servers after @', () => {
  expect(choices('/se')).toEqual(['/setup ', '/servers ']);
  expect(choices('/mcp re')).toEqual(['refresh ', 'revoke ', 'remove ']);
  expect(choices('/mcp tools git')).toEqual(['github ', 'gitlab ']);
  expect(choices('/mcp allow github s')).toEqual(['search', 'star']);
  expect(choices('/servers github,n')).toEqual(['github,notes']);
  expect(choices('/model d')).toEqual(['dear']);
  expect(choices('ask @no')).toEqual(['@notes ']);
  expect(choices('ask me@no')).toEqual([]);
  expect(choices('plain words')).toEqual([]);
  expect(choices('/mcp allow evil ')).toEqual([]);
});

test('words are split as a shell would', () => {
  expect(splitWords(`/mcp add x -- npx 'a b' "c \\"d" e\\ f`)).toEqual([
    '/mcp',
    'add',
    'x',
    '--',
    'npx',
    'a b',
    'c "d',
    'e f',
  ]);
  expect(splitWords("a ''")).toEqual(['a', '']);
  expect(() => splitWords("it's")).toThrow('without an end');
});
