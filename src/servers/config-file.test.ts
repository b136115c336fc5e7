import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { systemClock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { ConfigFileCache, readConfigFile } from './config-file.ts';
import { parseConfigText } from './config-text.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plug-config-'));
  path = join(folder, 'mcp.json');
});
afterEach(() => rm(folder, { recursive: true }));

const LONG_AGO = new Date('2020-01-01');

verifies(
  ['S6'],
  'reading a config says ok, missing, unreadable or malformed with line and column',
  async () => {
    expect(await readConfigFile(path)).toEqual({ kind: 'missing', path });
    expect(await readConfigFile(join(path, 'below', 'mcp.json'))).toMatchObject({ kind: 'missing' });

    await writeFile(path, '{"mcpServers": {"a": {"command": "node"}}}');
    expect(await readConfigFile(path)).toMatchObject({
      kind: 'ok',
      entries: [{ key: 'a', value: { command: 'node' }, line: 1, column: 17 }],
      warnings: [],
    });

    await writeFile(path, '{\n  "mcpServers": {\n    "a" {}\n  }\n}');
    expect(await readConfigFile(path)).toEqual({
      kind: 'malformed',
      path,
      line: 3,
      column: 9,
      reason: 'a colon is expected here',
    });

    expect(await readConfigFile(folder)).toEqual({
      kind: 'unreadable',
      path: folder,
      reason: 'it is not a regular file',
    });
    const socket = createServer().listen(join(folder, 'socket'));
    await once(socket, 'listening');
    expect(await readConfigFile(join(folder, 'socket'))).toMatchObject({ kind: 'unreadable' });
    socket.close();
  },
);

test('a file that may not be read, is too large or is not text is unreadable, with the reason', async () => {
  await writeFile(path, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
  expect(await readConfigFile(path)).toMatchObject({ kind: 'unreadable', reason: 'it is not UTF-8 text' });
  await writeFile(path, ' '.repeat(limits.configBytesMax + 1));
  expect(await readConfigFile(path)).toMatchObject({
    kind: 'unreadable',
    reason: expect.stringContaining('larger'),
  });
  // The superuser may read everything: for them the same file is simply read.
  await writeFile(path, '{}');
  await chmod(path, 0);
  expect((await readConfigFile(path)).kind).toBe(process.getuid?.() === 0 ? 'ok' : 'unreadable');
});

test('comments, trailing commas, a byte order mark and UTF-16 are understood', async () => {
  const text =
    '\uFEFF{\n  // mine\n  "mcpServers": { /* one */ "a": { "command": "x", "args": ["ü",], }, },\n}';
  await writeFile(path, text);
  expect(await readConfigFile(path)).toMatchObject({ kind: 'ok', entries: [{ key: 'a', line: 3 }] });
  await writeFile(path, Buffer.from(text, 'utf16le'));
  expect(await readConfigFile(path)).toMatchObject({ kind: 'ok', entries: [{ value: { args: ['ü'] } }] });
});

test('a name that stands twice and a field that is not known are said', () => {
  const text =
    '{"servers":{}, "x":1,\n"mcpServers":{"a":{"command":"1"},\n"a":{"command":"2","command":"3"}}}';
  expect(parseConfigText(text)).toMatchObject({
    entries: [{ key: 'a', value: { command: '3' } }],
    warnings: [
      '“servers” in line 1 is not read: servers stand under “mcpServers”.',
      '“x” in line 1 is not known and has no effect.',
      '“a” stands twice; the one in line 3 counts.',
      '“command” stands twice; the one in line 3 counts.',
    ],
  });
});

test('a config of the wrong shape is malformed where it goes wrong', () => {
  const places = (text: string): unknown => {
    const read = parseConfigText(text);
    return read.kind === 'malformed' ? [read.line, read.column, read.reason.length > 0] : read;
  };
  expect(places('')).toEqual([1, 1, true]);
  expect(places('[]')).toEqual([1, 1, true]);
  expect(places('{\r\n "mcpServers": []}')).toEqual([2, 16, true]);
  expect(places('{"a": "unclosed}')).toEqual([1, 7, true]);
  expect(places('{} {}')).toEqual([1, 4, true]);
  expect(parseConfigText('{}')).toEqual({ kind: 'ok', entries: [], inputs: [], warnings: [] });
});

test('a file full of mistakes is answered with the first of them, or with a few warnings', () => {
  expect(parseConfigText(`{"mcpServers": {${','.repeat(500_000)}`)).toMatchObject({ line: 1, column: 17 });
  const twins = parseConfigText(`{"mcpServers": {"a": {${'"x":1,'.repeat(100_000)}}}}`);
  expect(twins.kind === 'ok' && twins.warnings.length).toBe(limits.configWarningsMax);
});

test('a hundred thousand brackets are refused, and do not exhaust the stack', () => {
  const deep = `{"mcpServers": ${'['.repeat(100_000)}`;
  expect(parseConfigText(deep)).toMatchObject({ kind: 'malformed', reason: expect.stringContaining('deep') });
});

test('a name such as __proto__ in a file changes no prototype', () => {
  const read = parseConfigText(
    '{"mcpServers": {"__proto__": {"polluted": 1}, "a": {"__proto__": {"b": 1}}}}',
  );
  expect(read).toMatchObject({ kind: 'ok' });
  expect(read.kind === 'ok' && read.entries.map((entry) => entry.key)).toEqual(['__proto__', 'a']);
  expect('polluted' in {}).toBe(false);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

verifies(['S6'], 'a file is read again only when it was changed', async () => {
  const cache = new ConfigFileCache(systemClock);
  await writeFile(path, '{"mcpServers": {"a": {"command": "1"}}}');
  await utimes(path, LONG_AGO, LONG_AGO);
  const first = await cache.read(path);
  expect(await cache.read(path)).toBe(first);

  // Same size, same modification time: only the file itself is another one.
  await writeFile(join(folder, 'new'), '{"mcpServers": {"a": {"command": "2"}}}');
  await utimes(join(folder, 'new'), LONG_AGO, LONG_AGO);
  await rename(join(folder, 'new'), path);
  expect(await cache.read(path)).toMatchObject({ entries: [{ value: { command: '2' } }] });

  await rm(path);
  expect(await cache.read(path)).toEqual({ kind: 'missing', path });
});

test('a file that was written a moment ago is not trusted to be unchanged', async () => {
  const cache = new ConfigFileCache(systemClock);
  await writeFile(path, '{"mcpServers": {}}');
  const { atime, mtime } = await stat(path);
  const first = await cache.read(path);
  expect(await cache.read(path)).toBe(first);
  await writeFile(path, '{"mcpServers":  1}');
  await utimes(path, atime, mtime);
  expect(await cache.read(path)).toMatchObject({ kind: 'malformed' });
});

test('a file that breaks while it is edited keeps what it said last, until it is gone', async () => {
  const cache = new ConfigFileCache(systemClock);
  await writeFile(path, '{"mcpServers": {"a": {"command": "1"}}}');
  const good = await cache.read(path);
  await writeFile(path, '{"mcpServers": {"a": {"comm');
  expect(await cache.read(path)).toMatchObject({ kind: 'malformed', line: 1, lastGood: good });
  await rm(path);
  await mkdir(path);
  expect(await cache.read(path)).toMatchObject({ kind: 'unreadable', lastGood: good });
  await rm(path, { recursive: true });
  expect(await cache.read(path)).toEqual({ kind: 'missing', path });
  await writeFile(path, 'x');
  expect(await cache.read(path)).not.toHaveProperty('lastGood');
});

test('reading leaves the file exactly as it was', async () => {
  const text = '// mine\n{"mcpServers": {"a": {"command": "1"},}}\n';
  await writeFile(path, text);
  const before = await stat(path, { bigint: true });
  await readConfigFile(path);
  const after = await stat(path, { bigint: true });
  expect(await readFile(path, 'utf8')).toBe(text);
  expect([after.mtimeNs, after.ctimeNs, after.mode]).toEqual([before.mtimeNs, before.ctimeNs, before.mode]);
});
