import { expect, test } from 'vitest';
import { describeExit } from './describe-exit.ts';

test('an exit is told in a sentence: code, signal, or a file that could not be started', () => {
  expect(describeExit({ code: 3, signal: null }, [])).toBe('It exited with code 3.');
  expect(describeExit({ code: null, signal: 'SIGKILL' }, [])).toContain('SIGKILL, perhaps by the system');
  expect(describeExit({ code: 143, signal: null }, [])).toBe('It exited with code 143 (SIGTERM).');
  expect(describeExit({ code: 127, signal: null }, ['npm: command not found'])).toBe(
    'It exited with code 127.',
  );
});
