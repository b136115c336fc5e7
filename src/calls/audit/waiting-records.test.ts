import { expect, test } from 'vitest';
import { auditRecord } from '../../../test/contracts/audit-sample.ts';
import { ODD_TEXTS } from '../../../test/contracts/storage-kinds.ts';
import type { AuditRecord } from '../audit-record.ts';
import { textOfBeginning, textOfEnding } from './record-text.ts';
import { WaitingRecords } from './waiting-records.ts';

const record = (callId: string, more: Partial<AuditRecord> = {}): AuditRecord => ({
  ...auditRecord(callId, 1_700_000_000_000),
  ...more,
});

function add(waiting: WaitingRecords, each: AuditRecord): void {
  waiting.add(each, textOfBeginning(each), textOfEnding(each));
}

test('what is taken is what was added, in order, and then nothing is left', () => {
  const waiting = new WaitingRecords();
  const added = [...ODD_TEXTS, 'a","at":1', 'b\\', '日本語', '']
    .map((odd, index) => record(`${odd}-${index}`, { args: { odd }, at: index }))
    .concat(record('large', { args: { text: 'é'.repeat(200_000) }, outcome: 'failed' }));
  for (const each of added) add(waiting, each);
  expect(waiting.count).toBe(added.length);
  const taken = waiting.take();
  expect(taken.map(({ text }) => JSON.parse(text) as AuditRecord)).toEqual(added);
  expect(taken).toEqual(
    added.map(({ callId, at, server, tool, outcome }) =>
      expect.objectContaining({ callId, at, server, tool, outcome }),
    ),
  );
  expect([waiting.count, waiting.take()]).toEqual([0, []]);
  add(waiting, record('later'));
  expect(waiting.take().map(({ callId }) => callId)).toEqual(['later']);
});

test('each line is given to the journal once, whole, whatever comes between', () => {
  const waiting = new WaitingRecords();
  const lines: string[] = [];
  const write = (): void => {
    const text = Buffer.from(waiting.newLines()).toString('utf8');
    // Until they are written, they are asked for again.
    expect(Buffer.from(waiting.newLines()).toString('utf8')).toBe(text);
    waiting.written();
    lines.push(text);
  };
  add(waiting, record('1'));
  add(waiting, record('2', { args: { text: 'ü'.repeat(100_000) } }));
  write();
  add(waiting, record('3'));
  write();
  write();
  waiting.take();
  add(waiting, record('4'));
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
