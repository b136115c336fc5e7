import { expect, test } from 'vitest';
import { ODD_TEXTS } from '../../../test/contracts/storage-kinds.ts';
import type { AuditRecord } from '../audit-record.ts';
import { textOfBeginning, textOfEnding, textOfRecord } from './record-text.ts';

/** Every field there is: one that is new does not compile until it stands here. */
const whole: Required<AuditRecord> = {
  callId: 'call_1',
  at: 1_700_000_000_000,
  principal: 'local',
  requester: { kind: 'host', id: 'h1', name: 'Claude Code', through: 'client_1' },
  server: 'github',
  account: 'work (@nick)',
  tool: 'search',
  risk: 'read',
  args: { q: 'a "quoted" word\n', deep: [1.5, null, { __proto__x: true }] },
  effect: 'allow',
  by: { kind: 'grant', id: 'grant_1' },
  approval: { id: 'approval_1', outcome: 'allowed', answeredBy: 'terminal 1', edited: false },
  leftOut: true,
  waitedMs: 1_200,
  durationMs: 12.345678,
  outcome: 'tool_error',
  error: { code: 'server_error', owner: 'server', message: 'It broke.' },
  argsBytes: 9,
  resultBytes: 120,
  resultId: 'result_1',
  retries: 1,
};

test('the text of a record says everything that JSON would, in a line of its own', () => {
  const deciders: readonly AuditRecord['by'][] = [
    whole.by,
    { kind: 'trust', trust: 'kept' },
    { kind: 'default', path: 'call.read' },
    { kind: 'rule', name: 'my “rule”' },
    { kind: 'quarantine' },
    { kind: 'undecidable', problem: 'There is no question.' },
    {
      kind: 'data_rule',
      name: 'r',
      origin: { server: 'a', tool: 'b', argument: 'c', sample: 'd', exact: true },
    },
  ];
  for (const by of deciders) {
    const text = textOfRecord({ ...whole, by });
    expect(JSON.parse(text)).toStrictEqual(JSON.parse(JSON.stringify({ ...whole, by })));
    expect(text).not.toContain('\n');
  }
});

test('what a record does not have is not in its text, and no number breaks it', () => {
  const { account, approval, leftOut, error, resultBytes, resultId, retries, ...usual } = whole;
  expect([account, approval, leftOut, error, resultBytes, resultId, retries]).not.toContain(undefined);
  const record: AuditRecord = { ...usual, requester: { kind: 'program', id: 'library' } };
  expect(JSON.parse(textOfRecord(record))).toStrictEqual(record);
  expect(Object.keys(JSON.parse(textOfRecord(record)))).toHaveLength(Object.keys(record).length);
  for (const durationMs of [Number.NaN, Number.POSITIVE_INFINITY, 0, 1e21, 1e-9, -0]) {
    const expected = JSON.parse(JSON.stringify({ ...record, durationMs }));
    expect(JSON.parse(textOfRecord({ ...record, durationMs }))).toEqual(expected);
  }
});

test('odd names are written as JSON does it, again and again', () => {
  for (let round = 0; round < 2; round += 1) {
    for (const odd of ODD_TEXTS) {
      const record: AuditRecord = {
        ...whole,
        callId: odd,
        server: odd,
        tool: odd,
        account: odd,
        requester: { kind: 'host', id: odd, name: odd, through: odd },
        by: { kind: 'grant', id: odd },
      };
      expect(JSON.parse(textOfRecord(record))).toStrictEqual(record);
    }
  }
});

test('a beginning is JSON with a brace behind it, and with its ending the whole record', () => {
  const { durationMs, waitedMs, outcome, error, resultBytes, resultId, retries, ...begun } = whole;
  expect(JSON.parse(`${textOfBeginning(begun)}}`)).toStrictEqual(begun);
  const ending = textOfEnding({ durationMs, waitedMs, outcome, error, resultBytes, resultId, retries });
  expect(textOfBeginning(begun) + ending).toBe(textOfRecord(whole));
});
