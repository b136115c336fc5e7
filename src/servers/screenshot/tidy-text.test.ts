import { expect, test } from 'vitest';
import { tidyText } from './tidy-text.ts';

test('signs of printed prose become those that configs use', () => {
  expect(tidyText('“command”: “npx”')).toBe('"command": "npx"');
  expect(tidyText('npx ©scope/pkg —verbose — now')).toBe('npx @scope/pkg --verbose -- now');
  expect(tidyText('conﬁg ﬂag')).toBe('config flag');
});

test('digits read as letters are put right in versions, and only there', () => {
  expect(tidyText('npx pkg@l.4.O')).toBe('npx pkg@1.4.0');
  expect(tidyText('lOl.Il')).toBe('lOl.Il');
});

test('brackets alone on a line of JSON get their shape back', () => {
  const read = '{\n  "args": |\n    "-y"\n  1,\n  "env": {\n    "A": "b"\n  3\n¥';
  expect(tidyText(read)).toBe('{\n  "args": [\n    "-y"\n  ],\n  "env": {\n    "A": "b"\n  }\n}');
});

test('words that every client shares are put right, and other names stay as they are', () => {
  expect(tidyText('"mcpservers": { "cornrnand": "npx", "ur1": "x" }')).toBe(
    '"mcpServers": { "command": "npx", "url": "x" }',
  );
  expect(tidyText('"commander": "Npx-tool"')).toBe('"commander": "Npx-tool"');
});

test('addresses get their scheme back', () => {
  expect(tidyText('url: nttps: //a.example/mcp')).toBe('url: https://a.example/mcp');
  expect(tidyText('http;//1ocalhost:80')).toBe('http://localhost:80');
});

test('a reference to a variable gets its dollar back', () => {
  expect(tidyText('s{API_KEY}')).toBe('${API_KEY}');
  expect(tidyText('classes{')).toBe('classes{');
});

test('text without damage is not touched', () => {
  const text =
    '{\n  "mcpServers": {\n    "a-1": { "command": "uvx", "args": ["--from", "x==1.0", "10"] }\n  }\n}';
  expect(tidyText(text)).toBe(text);
});
