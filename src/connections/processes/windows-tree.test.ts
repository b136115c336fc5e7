import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { quoteForCmd } from './windows-tree.ts';

verifies(
  ['attack:C6'],
  'no character of an argument can end its quotes or start a second command in cmd.exe',
  () => {
    for (const argument of ['a&calc', '%PATH%', '"x"|y', 'a b', '^', 'c:\\dir\\', '!x!', '(a)<b>']) {
      const quoted = quoteForCmd(argument);
      // After both readings of cmd.exe, each special character must still carry its caret.
      const once = quoted.replace(/\^(.)/gs, '$1');
      const bare = once.replace(/\^./gs, '');
      expect(bare).not.toMatch(/["&|<>%!()^]/);
    }
  },
);

test('backslashes before a quote are doubled, others are not', () => {
  const plain = (text: string): string => quoteForCmd(text).replaceAll('^', '');
  expect(plain('c:\\dir\\')).toBe('"c:\\dir\\\\"');
  expect(plain('say \\"hi\\"')).toBe('"say \\\\\\"hi\\\\\\""');
});
