import { expect, test } from 'vitest';
import { restoreKeys } from './restore-keys.ts';

test('a key that the hub keeps to itself comes back into the corrected text from the pasted one', () => {
  const pasted = `{"mcpServers": {"a": {"command": "npx" "args": ["x"], "env": {"TOKEN": "ghp_12+3/4="}}}`;
  const corrected = `{\n "mcpServers": {\n "a": {\n "command": "npx",\n "args": ["x"],\n "env": { "TOKEN": "[secret]" }}}}`;
  expect(restoreKeys(pasted, corrected)).toContain('"TOKEN": "ghp_12+3/4="');
});

test('several keys come back each in its own place, also after a word or in an argument', () => {
  const pasted = `a: {headers: {Authorization: 'Bearer abc.def'}}\nb: {args: ["--api-key=K1" "--api-key=K2"]}`;
  const corrected = `{"a":{"headers":{"Authorization":"Bearer [secret]"}},"b":{"args":["--api-key=[secret]","--api-key=[secret]"]}}`;
  expect(restoreKeys(pasted, corrected)).toBe(
    `{"a":{"headers":{"Authorization":"Bearer abc.def"}},"b":{"args":["--api-key=K1","--api-key=K2"]}}`,
  );
});

test('where nothing is hidden nothing changes, and what cannot be found stays to be filled in', () => {
  expect(restoreKeys('{"a": 1', '{"a": 1}')).toBe('{"a": 1}');
  expect(restoreKeys('other words', '{"TOKEN": "[secret]"}')).toBe('{"TOKEN": "[secret]"}');
});
