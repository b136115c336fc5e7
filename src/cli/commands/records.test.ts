import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commandsOn } from '../../../test/contracts/commands-on.ts';
import { recordedHub } from '../../../test/contracts/recorded-hub.ts';
import { temporaryPaths } from '../../../test/contracts/running-hub.ts';
import { verifies } from '../../../test/requirements.ts';
import { played, reading, writing } from '../../../test/scenarios/calls-played.ts';
import { rule } from '../../../test/scenarios/policy-world.ts';
import { temporaryFolder } from '../../../test/servers/temporary-folder.ts';
import { systemClock } from '../../base/clock.ts';
import type { AuditRecord, Hub } from '../../hub/hub.ts';

const LONG_MS = 30_000;
const big = { lines: { bytes: 130_000, last: '\u001b[2Jlast' } };

interface Person {
  readonly hub: Hub;
  readonly reached: readonly string[];
  readonly plug: ReturnType<typeof commandsOn>;
}

/** A person with two servers, whose every call is allowed; that of create_note with other arguments. */
async function person({ cwd, now }: { cwd?: string; now?: () => number } = {}): Promise<Person> {
  const paths = temporaryPaths();
  const rules = [rule('deny', 'no-friday', { when: { tool: 'notes/send_note' } })];
  writeFileSync(join(paths.config, 'rules.json'), JSON.stringify({ rules }), { mode: 0o600 });
  const recorded = recordedHub(
    {},
    {
      paths,
      clock: { ...systemClock, ...(now ? { now } : {}) },
      approve: ({ tool }) =>
        Promise.resolve({ effect: 'allow', ...(tool === 'create_note' ? { args: { text: 'hi' } } : {}) }),
    },
  );
  const hub = await recorded.open();
  onTestFinished(() => hub.close());
  const notes = played('notes', writing(), writing('send_note'), reading('=cmd'), reading('get_big', big));
  const other = played('other', writing('put'));
  for (const { definition } of [notes, other]) await hub.servers.add({ definition });
  return { hub, reached: recorded.reached, plug: commandsOn(hub, cwd === undefined ? {} : { cwd }) };
}

/** The same with five calls on record, oldest first: of a host, a refused one, and some that a table could run. */
async function personWithRecords(
  cwd?: string,
): Promise<Person & { readonly records: readonly AuditRecord[] }> {
  let now = Date.parse('2026-10-01T10:00:00Z');
  const world = await person({ now: () => now, ...(cwd === undefined ? {} : { cwd }) });
  const { hub } = world;
  await hub.tools.call({ tool: 'notes/=cmd' });
  now = Date.parse('2026-11-15T10:00:00Z');
  const { id: host } = await hub.hosts.attach({ name: 'Some Host', handlers: {} });
  await hub.tools.call({ tool: 'other/put', args: { cell: '=HYPERLINK("x")', hidden: 'a\u009bb' } });
  await expect(hub.tools.call({ tool: 'notes/send_note', host })).rejects.toMatchObject({ code: 'denied' });
  await hub.tools.call({ tool: 'notes/create_note', args: { text: 'ho' } });
  await hub.tools.call({ tool: 'notes/create_note', args: { text: 'ho' }, host });
  const { records } = await hub.audit.query();
  expect(records).toHaveLength(5);
  return { ...world, records };
}

verifies(
  ['L6'],
  'the record says who, what, the decision and its rule, how it ended and how long it took',
  async () => {
    const { plug, records } = await personWithRecords();
    const { code, stdout, stderr } = await plug(['audit']);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(6); // all pages, and the head of the table
    expect(lines[1]).toContain('2026-11-15 10:00:00');
    expect(lines[1]).toMatch(
      /notes\/create_note +Some Host +ask by default call\.write \(allowed, edited\) +ok +\d+/,
    );
    expect(lines[3]).toMatch(/deny by rule no-friday .*refused/);
    expect(stderr.match(/Hosts that save conversations/g)).toHaveLength(1);
    const asked = async (...flags: readonly string[]): Promise<unknown> =>
      (
        JSON.parse((await plug(['audit', '--json', ...flags])).stdout) as { records: AuditRecord[] }
      ).records.map(({ callId }) => callId);
    const ids = records.map(({ callId }) => callId);
    expect(await asked('--server', 'other')).toEqual([ids[3]]);
    expect(await asked('--tool', 'notes/=cmd')).toEqual([ids[4]]);
    expect(await asked('--outcome', 'refused')).toEqual([ids[2]]);
    expect(await asked('--since', '2026-11-01', '--server', 'notes')).toEqual(ids.slice(0, 3));
    expect(await asked('--limit', '3')).toEqual(ids.slice(0, 3));
    expect((await plug(['audit', '--since', 'yesterday'])).code).toBe(2);
  },
  LONG_MS,
);

verifies(
  ['L6'],
  'the record is exported whole, as JSON lines or as a table that runs no formula',
  async () => {
    const cwd = temporaryFolder();
    const { plug, records } = await personWithRecords(cwd);
    const lines = (await plug(['audit', '--export', '-'])).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(records);
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
    const csv = await plug(['audit', '--export', 'calls.csv', '--format', 'csv']);
    expect(csv.stdout).toContain('5 records written to calls.csv');
    const file = join(cwd, 'calls.csv');
    const rows = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(rows).toHaveLength(6);
    expect(rows[0]).toMatch(/^at,callId,principal,requester/);
    expect(rows[5]).toContain(",'=cmd,");
    expect(rows[4]).toContain('""cell"":""=HYPERLINK');
    expect(rows.join('')).not.toMatch(/\p{Cc}/u);
    expect(statSync(file).mode & 0o077).toBe(0);
    const again = await plug(['audit', '--export', 'calls.csv']);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('already exists');
  },
  LONG_MS,
);

verifies(['L9'], 'plug audit verify says how many records are as they were written', async () => {
  const { plug, hub, reached } = await person();
  for (const tool of ['notes/create_note', 'other/put']) await hub.tools.call({ tool });
  const told = await plug(['audit', 'verify']);
  expect(told).toMatchObject({ code: 0, stderr: '' });
  expect(told.stdout).toMatch(/^✔ 2 records, none changed or missing\.\n  up to record 2: [0-9a-f]{64}\n$/);
  expect(JSON.parse((await plug(['audit', 'verify', '--json'])).stdout)).toMatchObject({ intact: true });
  expect(reached).toContain('audit.verify');
});

verifies(['L6'], 'recording is switched off and on for a server, and says what stays elsewhere', async () => {
  const { plug, reached } = await person();
  const off = await plug(['audit', 'off', 'notes']);
  expect(off).toMatchObject({ code: 0 });
  expect(off.stdout).toContain('Calls to notes are now recorded without their arguments.');
  expect(off.stderr).toContain('Hosts that save conversations');
  expect((await plug(['audit', 'on', 'notes', '--json'])).stdout).toContain('"recorded": true');
  expect(reached.filter((name) => name === 'audit.setRecorded')).toHaveLength(2);
});

verifies(
  ['L3'],
  'a large result comes as its beginning with the way to the rest, and is read by page, word and path',
  async () => {
    const { plug, hub } = await person();
    await hub.servers.trust({ id: 'notes' });
    const part = await plug(['call', 'notes/get_big', '--args', '{}']);
    expect(part.stdout).toMatch(/^line 0\.+\nline 1\./);
    expect(part.stdout).not.toContain('last');
    expect(part.stderr).toMatch(/1\d\d KB in 4 pages, is kept as result_/);
    const [id = ''] = /result_\w+/.exec(part.stderr) ?? [];
    expect(part.stderr).toContain(`plug results ${id} --page 2`);
    const whole = await plug(['call', 'notes/get_big', '--args', '{}', '--whole']);
    expect(whole).toMatchObject({ code: 0, stderr: '' });
    expect(whole.stdout).toMatch(/^line 0\.+\n[^]*\n\\x1b\[2Jlast\n$/);
    expect((await plug(['results'])).stdout).toMatch(new RegExp(`${id} +notes/get_big`));
    const page = await plug(['results', id]);
    expect(page.stdout).toMatch(/^line 0\.+\nline 1\./);
    expect(page.stderr).toContain(`Page 1 of 4. Next: plug results ${id} --page 2`);
    const last = await plug(['results', id, '--page', '4']);
    expect([last.stdout.endsWith('\\x1b[2Jlast\n'), last.stderr]).toEqual([true, '']);
    const second = await plug(['results', id, '--grep', '^line 1\\.']);
    expect(second.stdout).toMatch(/^2 \(page 1\): line 1\.+\n$/);
    expect((await plug(['results', id, '--grep', 'nowhere'])).code).toBe(1);
    const found = await plug(['results', id, '--path', '$.content[0].type', '--json']);
    expect(JSON.parse(found.stdout)).toMatchObject({ found: [{ value: 'text' }] });
    expect((await plug(['results', id, '--page', '1', '--grep', 'x'])).code).toBe(2);
    expect((await plug(['results', `${id}1`])).stderr).toContain(`Did you mean ${id}?`);
    expect((await plug(['results', id, '--rm'])).code).toBe(0);
    expect((await hub.results.list()).map((each) => each.id)).not.toContain(id);
  },
  LONG_MS,
);

test('a profile is saved, shown, listed and removed', async () => {
  const { plug } = await person();
  expect((await plug(['profile', 'save', 'job', '--servers', 'notes', '--deny', 'notes/x*'])).code).toBe(0);
  expect((await plug(['profile', 'show', 'job'])).stdout).toMatch(
    /job\n +servers +notes\n +deny +notes\/x\*/,
  );
  expect((await plug(['profile', 'show', 'jbo'])).stderr).toContain('Did you mean job?');
  expect((await plug(['profile', 'list', '--json'])).stdout).toContain('"job"');
  expect((await plug(['profile', 'remove', 'job'])).code).toBe(0);
  expect((await plug(['profile', 'list'])).stdout).toContain('No profiles yet.');
});
