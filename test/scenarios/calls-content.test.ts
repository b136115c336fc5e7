import { expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { verifies } from '../requirements.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { skippingClock } from './calls-clock.ts';
import { played, reading } from './calls-played.ts';
import { withHub } from './lifecycle-hub.ts';
import { newPlug } from './plug-command.ts';

const LONG_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
const MEGABYTE = 1024 * 1024;

/** Every kind of content that there is, and some that there are not yet. */
const everyKind: JsonObject = {
  content: [
    { type: 'text', text: 'Grüße\n\twith tabs', annotations: { audience: ['user'], 'x-more': 1 } },
    { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png', _meta: { 'x/y': true } },
    { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'test://a', mimeType: 'text/plain', text: 'inside' } },
    { type: 'resource', resource: { uri: 'test://b', blob: 'AAEC/w==' } },
    { type: 'resource_link', uri: 'test://c', name: 'c', size: 3 },
    { type: 'hologram', points: [[1, 2, 3]], nested: { deep: [null, false, ''] } },
    { type: 'text', text: '' },
    { 'no-type': true },
  ],
  structuredContent: { list: [{ n: 1.5 }, null], __proto: 'x', empty: {} },
  isError: true,
  _meta: { 'vendor/trace': 'abc' },
  'x-unknown-field': [{ a: 1 }],
};

verifies(
  ['L2'],
  'every kind of content arrives as the server sent it, unknown kinds and fields and the error flag too',
  async () => {
    const all = played('all', reading('get_all', { result: everyKind }));
    await withHub({}, async ({ hub }) => {
      await hub.servers.add({ definition: all.definition });
      const answer = await hub.tools.call({ tool: 'all/get_all' });
      expect(answer.result).toEqual(everyKind);
      expect(answer.isError).toBe(true);
      expect(answer).not.toHaveProperty('handle');
      expect((await hub.audit.query()).records[0]).toMatchObject({ outcome: 'tool_error' });
    });
  },
  LONG_MS,
);

verifies(
  ['L3'],
  'a result of 20 MB is answered as a preview with a handle, and pages, words and paths of it can be read',
  async () => {
    const last = 'the needle in the haystack';
    const big = played('big', reading('get_log', { lines: { bytes: 20 * MEGABYTE, last } }));
    const folder = temporaryFolder();
    const storage = { kind: 'sqlite', file: `${folder}/plug.db` } as const;
    const clock = skippingClock();
    await withHub({ folder, storage, clock }, async ({ hub }) => {
      await hub.servers.add({ definition: big.definition });
      const { result, handle } = await hub.tools.call({ tool: 'big/get_log' });
      const id = handle?.id ?? '';
      expect(handle?.bytes).toBeGreaterThan(20 * MEGABYTE);
      const preview = JSON.stringify(result);
      expect(preview.length).toBeLessThan(64 * 1024);
      expect(preview).toContain('line 0');
      expect(preview).toContain(id);
      expect(preview).not.toContain(last);

      const { matches } = await hub.results.grep({ id, pattern: 'needle' });
      expect(matches).toMatchObject([{ text: last, page: handle?.pages }]);
      const page = await hub.results.page({ id, page: handle?.pages ?? 0 });
      expect(page.text.endsWith(last)).toBe(true);
      expect((await hub.results.path({ id, path: '$.content[0].type' })).found).toEqual([
        { path: expect.any(String) as unknown, value: 'text' },
      ]);
      const [record] = (await hub.audit.query()).records;
      expect(record).toMatchObject({ resultId: id, resultBytes: handle?.bytes });
      const whole = await hub.tools.call({ tool: 'big/get_log', whole: true });
      expect(whole).not.toHaveProperty('handle');
      expect(JSON.stringify(whole.result)).toContain(last);

      clock.skip(8 * DAY_MS);
      await expect(hub.results.page({ id, page: 1 })).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('kept for 7 days') as unknown,
        next: 'Make the call again.',
      });
      expect(await hub.results.list()).toEqual([]);
    });
  },
  LONG_MS,
);

verifies(
  ['L3'],
  'plug call prints the beginning of a large result, and plug results finds the rest, until it is removed',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1' });
    const last = 'one word at the very end';
    const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `row number ${id} of the table` }));
    const table = { content: [{ type: 'text', text: 'a table' }], structuredContent: { rows } };
    const big = played(
      'big',
      reading('get_log', { lines: { bytes: 300_000, last } }),
      reading('get_table', { result: table }),
    );
    expect((await plug('add', 'big', '--yes', '--', ...big.command)).code).toBe(0);
    const called = await plug('call', 'big/get_log');
    expect(called.code).toBe(0);
    expect(called.stdout).toContain('line 0');
    expect(called.stdout).not.toContain(last);
    const [id = ''] = /result_[\w-]+/.exec(called.stdout + called.stderr) ?? [];
    expect((await plug('results', id, '--grep', 'word')).stdout).toContain(last);
    expect((await plug('results', id, '--page', '2')).stdout).toMatch(/line \d+/);
    expect((await plug('results', id, '--grep', 'nowhere')).code).toBe(1);
    expect((await plug('call', 'big/get_log', '--whole')).stdout).toContain(last);

    const { stdout } = await plug('--json', 'call', 'big/get_table');
    const { handle } = JSON.parse(stdout) as { handle: { id: string } };
    const path = await plug.json('results', handle.id, '--path', '$.structuredContent.rows[2999].name');
    expect(path['found']).toMatchObject([{ value: 'row number 2999 of the table' }]);

    expect((await plug('results', id, '--rm')).code).toBe(0);
    const gone = await plug('results', id);
    expect(gone.code).toBe(6);
    expect(gone.stderr).toContain(id);

    expect(await plug.json('results', 'clear')).toEqual({ removed: [handle.id] });
    expect(await plug.json('results')).toEqual({ results: [] });
    expect(await plug.json('results', 'clear')).toEqual({ removed: [] });
  },
  LONG_MS,
);
