import { expect, test } from 'vitest';
import { auditRecord } from '../../../test/contracts/audit-sample.ts';
import { ODD_TEXTS } from '../../../test/contracts/storage-kinds.ts';
import type { AuditRecord } from '../audit-record.ts';
import { textOfRecord } from './record-text.ts';
import { WaitingRecords } from './waiting-records.ts';

const record = (callId: string, more: Partial<AuditRecord> = {}): AuditRecord => ({
  ...auditRecord(callId, 1_700_000_000_000),
  ...more,
});

test('what is taken is what was added, in order, and then nothing is left', () => {
  const waiting = new WaitingRecords();
  const added = [...ODD_TEXTS, 'a","at":1', 'b\\', '日本語', '']
    .map((odd, index) => record(`${odd}-${index}`, { args: { odd }, at: index }))
    .concat(record('large', { args: { text: 'é'.repeat(200_000) }, outcome: 'failed' }));
  for (const each of added) waiting.add(each, textOfRecord(each));
  expect(waiting.count).toBe(added.length);
  const taken = waiting.take();
  expect(taken.map(({ text }) => JSON.parse(text) as AuditRecord)).toEqual(added);
  expect(taken).toEqual(
    added.map(({ callId, at, server, tool, outcome }) =>
      expect.objectContaining({ callId, at, server, tool, outcome }),
    ),
  );
  expect([waiting.count, waiting.take()]).toEqual([0, []]);
  waiting.add(record('later'), textOfRecord(record('later')));
  expect(waiting.take().map(({ callId }) => callId)).toEqual(['later']);
});

test('each line is given to the journal once, whole, whatever comes between', () => {
  const waiting = new WaitingRecords();
  const lines: string[] = [];
  const add = (each: AuditRecord): void => waiting.add(each, textOfRecord(each));
  const write = (): void => {
    const text = Buffer.from(waiting.newLines()).toString('utf8');
    // Until they are written, they are asked for again.
    expect(Buffer.from(waiting.newLines()).toString('utf8')).toBe(text);
    waiting.written();
    lines.push(text);
  };
  add(record('1'));
  add(record('2', { args: { text: 'ü'.repeat(100_000) } }));
  write();
  add(record('3'));
  write();
  write();
  waiting.take();
  add(record('4'));
  write();
  const ids = lines.map((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as AuditRecord).callId),
  );
  expect(ids).toEqual([['1', '2'], ['3'], [], ['4']]);
  expect(lines.every((text) => text === '' || text.endsWith('\n'))).toBe(true);
});
