import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toyHub } from '../../../test/contracts/toy-hub.ts';
import { toyPerson } from '../../../test/contracts/toy-person.ts';
import { verifies } from '../../../test/requirements.ts';
import { temporaryFolder } from '../../../test/servers/temporary-folder.ts';
import type { AuditRecord } from '../../hub/hub.ts';
import { defineServer } from '../../servers/definition.ts';

const toy = defineServer({ id: 'toy', endpoint: { kind: 'stdio', command: 'toy', args: [], env: {} } });

const record = (callId: string, given: Partial<AuditRecord> = {}): AuditRecord => ({
  callId,
  at: Date.parse('2026-11-15T10:00:00Z'),
  principal: 'you',
  requester: { kind: 'host', id: 'host_1', name: 'Some Host' },
  server: 'toy',
  tool: 'write',
  risk: 'write',
  args: { text: 'hi' },
  effect: 'ask',
  by: { kind: 'default', path: 'call.write' },
  approval: { id: 'appr_1', outcome: 'allowed', answeredBy: 'terminal', edited: true },
  durationMs: 12.4,
  outcome: 'ok',
  argsBytes: 13,
  ...given,
});

const records = [
  record('call_1'),
  record('call_2', { outcome: 'refused', effect: 'deny', by: { kind: 'rule', name: 'no-friday' } }),
  record('call_3', { server: 'other', args: { cell: '=HYPERLINK("x")', hidden: 'a\u009bb' } }),
  record('call_4', { tool: '=cmd', at: 5 }),
  record('call_5'),
];

async function person(cwd?: string) {
  const { hub, reached } = toyHub({ records, results: { res_1: 'first line\nneedle here\n\u001b[2Jlast' } });
  await hub.servers.add(toy);
  return { hub, reached, plug: toyPerson(hub, cwd === undefined ? {} : { cwd }) };
}

verifies(
  ['L6'],
  'the record says who, what, the decision and its rule, how it ended and how long it took',
  async () => {
    const { plug } = await person();
    const { code, stdout, stderr } = await plug(['audit']);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(6); // all pages, and the head of the table
    expect(lines[1]).toContain('2026-11-15 10:00:00');
    expect(lines[1]).toMatch(/toy\/write +Some Host +ask by default call\.write \(allowed, edited\) +ok +12/);
    expect(lines[2]).toMatch(/deny by rule no-friday .*refused/);
    expect(stderr.match(/Conversations that a host saves/g)).toHaveLength(1);
    const asked = async (...flags: readonly string[]): Promise<unknown> =>
      (
        JSON.parse((await plug(['audit', '--json', ...flags])).stdout) as { records: AuditRecord[] }
      ).records.map(({ callId }) => callId);
    expect(await asked('--server', 'other')).toEqual(['call_3']);
    expect(await asked('--tool', 'toy/=cmd')).toEqual(['call_4']);
    expect(await asked('--outcome', 'refused')).toEqual(['call_2']);
    expect(await asked('--since', '2026-11-01', '--server', 'toy')).toEqual(['call_1', 'call_2', 'call_5']);
    expect(await asked('--limit', '3')).toEqual(['call_1', 'call_2', 'call_3']);
    expect((await plug(['audit', '--since', 'yesterday'])).code).toBe(2);
  },
);

verifies(
  ['L6'],
  'the record is exported whole, as JSON lines or as a table that runs no formula',
  async () => {
    const cwd = temporaryFolder();
    const { plug } = await person(cwd);
    const lines = (await plug(['audit', '--export', '-'])).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(records);
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
    const csv = await plug(['audit', '--export', 'calls.csv', '--format', 'csv']);
    expect(csv.stdout).toContain('5 records written to calls.csv');
    const file = join(cwd, 'calls.csv');
    const rows = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(rows).toHaveLength(6);
    expect(rows[0]).toMatch(/^at,callId,principal,requester/);
    expect(rows[4]).toContain(",'=cmd,");
    expect(rows[3]).toContain('""cell"":""=HYPERLINK');
    expect(rows.join('')).not.toMatch(/\p{Cc}/u);
    expect(statSync(file).mode & 0o077).toBe(0);
    const again = await plug(['audit', '--export', 'calls.csv']);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('exists already');
  },
);

verifies(['L6'], 'recording is switched off and on for a server, and says what stays elsewhere', async () => {
  const { plug, reached } = await person();
  const off = await plug(['audit', 'off', 'toy']);
  expect(off).toMatchObject({ code: 0 });
  expect(off.stdout).toContain('Calls of toy are not recorded any more.');
  expect(off.stderr).toContain('Conversations that a host saves');
  expect((await plug(['audit', 'on', 'toy', '--json'])).stdout).toContain('"recorded": true');
  expect(reached.filter((name) => name === 'audit.setRecorded')).toHaveLength(2);
});

verifies(
  ['L3'],
  'a large result comes as its beginning with the way to the rest, and is read by page, word and path',
  async () => {
    const { plug, hub } = await person();
    const part = await plug(['call', 'toy/big', '--args', '{}']);
    expect(part.stdout).toBe('the begin\n');
    expect(part.stderr).toContain('20 MB in 320 pages, is kept as res_1');
    expect(part.stderr).toContain('plug results res_1 --page 2');
    const whole = await plug(['call', 'toy/big', '--args', '{}', '--whole']);
    expect(whole).toMatchObject({ stdout: 'all of it\n', stderr: '' });
    expect((await plug(['results'])).stdout).toMatch(/res_1 +toy\/big/);
    const page = await plug(['results', 'res_1']);
    expect(page.stdout).toBe('first line\nneedle he\n');
    expect(page.stderr).toContain('Page 1 of 2. Next: plug results res_1 --page 2');
    expect((await plug(['results', 'res_1', '--page', '2'])).stdout).toBe('re\n\\x1b[2Jlast\n');
    expect((await plug(['results', 'res_1', '--grep', 'needle'])).stdout).toBe('2 (page 1): needle here\n');
    expect((await plug(['results', 'res_1', '--grep', 'nowhere'])).code).toBe(1);
    const found = await plug(['results', 'res_1', '--path', '$.a', '--json']);
    expect(JSON.parse(found.stdout)).toMatchObject({ found: [{ path: '$.a', value: { a: 1 } }] });
    expect((await plug(['results', 'res_1', '--page', '1', '--grep', 'x'])).code).toBe(2);
    expect((await plug(['results', 'res_11'])).stderr).toContain('Did you mean res_1?');
    expect((await plug(['results', 'res_1', '--rm'])).code).toBe(0);
    expect(await hub.results.list()).toEqual([]);
  },
);

test('a profile is saved, shown, listed and removed', async () => {
  const { plug } = await person();
  expect((await plug(['profile', 'save', 'job', '--servers', 'toy', '--deny', 'toy/x*'])).code).toBe(0);
  expect((await plug(['profile', 'show', 'job'])).stdout).toMatch(/job\n +servers +toy\n +deny +toy\/x\*/);
  expect((await plug(['profile', 'show', 'jbo'])).stderr).toContain('Did you mean job?');
  expect((await plug(['profile', 'list', '--json'])).stdout).toContain('"job"');
  expect((await plug(['profile', 'remove', 'job'])).code).toBe(0);
  expect((await plug(['profile', 'list'])).stdout).toContain('There are no profiles yet.');
});
