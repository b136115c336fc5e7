import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/servers/temporary-folder.ts';
import { openHistory } from './history.ts';
import { chatLimits } from './limits.ts';

test('what was said is there the next time, newest first, and only for its owner', async () => {
  const file = join(temporaryFolder(), 'deep', 'chat-history');
  const first = await openHistory(file);
  for (const text of [
    'one',
    'two\nlines',
    'two\nlines',
    ' secret',
    '',
    'x'.repeat(chatLimits.historyEntryChars + 1),
  ])
    await first.add(text);
  expect((await openHistory(file)).entries).toEqual(['two\nlines', 'one']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a history that is too long or damaged keeps its newest lines', async () => {
  const file = join(temporaryFolder(), 'chat-history');
  writeFileSync(
    file,
    Array.from({ length: 2_000 }, (_, index) => `"${'y'.repeat(600)}${index}"\n`).join(''),
    { mode: 0o644 },
  );
  appendFileSync(file, 'no json\n"last"\n');
  const history = await openHistory(file);
  expect(history.entries).toHaveLength(chatLimits.historyEntriesMax);
  expect(history.entries[0]).toBe('last');
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(chatLimits.historyEntriesMax + 1);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('without a file the history lasts as long as the chat', async () => {
  const history = await openHistory(undefined);
  await history.add('one');
  expect(history.entries).toEqual(['one']);
});
