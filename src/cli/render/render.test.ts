import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { serverView } from '../../../test/server-view.ts';
import type { ErrorCode } from '../../base/errors.ts';
import type { ServerView } from '../../hub/hub.ts';
import { openOutput, strong } from '../output.ts';
import { statusLine } from '../commands/list.ts';
import type { Terminal } from '../terminal.ts';
import { renderCallResult } from './call-result.ts';
import { renderError } from './error.ts';
import { renderListProblems, renderServerList } from './server-list.ts';
import { ago, nextStep, renderState } from './state.ts';
import { flexible, printTable } from './table.ts';
import { cutToWidth, textWidth } from './text.ts';

const NOW = 1_000_000_000;

function paper(options: { tty?: boolean; color?: boolean; json?: boolean; width?: number } = {}) {
  const { tty = false, color = true, json = false, width = Number.POSITIVE_INFINITY } = options;
  const written = { stdout: '', stderr: '' };
  const writer = (name: 'stdout' | 'stderr') => ({
    isTerminal: tty,
    isOpen: true,
    width,
    write: (text: string): void => void (written[name] += text),
  });
  const terminal: Terminal = {
    stdout: writer('stdout'),
    stderr: writer('stderr'),
    interactive: false,
    streams: { stdin: () => new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() },
    ask: () => Promise.resolve(''),
    askKey: () => Promise.resolve('escape'),
    askHidden: () => Promise.resolve(''),
    readLine: () => Promise.resolve(undefined),
    readInput: () => Promise.resolve(''),
    readBytes: () => Promise.resolve(Buffer.alloc(0)),
  };
  return { out: openOutput({ terminal, json, color }), written };
}

const servers: readonly ServerView[] = [
  serverView({
    id: 'github',
    state: { kind: 'ready', since: NOW - 12_000, reason: 'It answers.' },
    serverInfo: { name: 'gh' },
    toolCount: 91,
    toolsOffered: 38,
    source: { kind: 'file', file: '/home/me/project/mcp.json', scope: 'project' },
    process: { pid: 1, processes: 3, memoryBytes: 88_000_000 },
  }),
  serverView({
    id: 'notion',
    state: { kind: 'needs-sign-in', reason: 'It wants you.', next: 'plug auth notion' },
  }),
  serverView({
    id: 'pg',
    state: { kind: 'asleep', reason: 'Idle.' },
    serverInfo: {},
    toolCount: 6,
    toolsOffered: 6,
  }),
  serverView({
    id: 'figma',
    state: { kind: 'failed', cause: 'crashed', exitCode: 1, reason: 'It crashed three times.' },
  }),
];

test('the list shows each state by a symbol and by words, with the next command', () => {
  const { out, written } = paper();
  renderServerList({ overall: 'partial', servers, files: [] }, out, { now: NOW, cwd: '/home/me/project' });
  expect(written.stdout).toBe(
    [
      '  SERVER  STATE             TOOLS  MEMORY      SOURCE    NEXT',
      '● github  ready 12s ago     38/91  84 MB in 3  mcp.json',
      '◐ notion  needs sign-in     –                  plug      → plug auth notion',
      '○ pg      asleep            6                  plug',
      '✖ figma   crashed (exit 1)  –                  plug      → plug logs figma',
      '',
    ].join('\n'),
  );
});

test('a failed server is called by what failed, and one that wants a key needs a key', () => {
  const failed = (id: string, code: ErrorCode) =>
    serverView({ id, state: { kind: 'failed', cause: 'refused', code, reason: 'No.' } });
  const needs = [{ where: 'header', name: 'Authorization', title: 'API key', kind: 'secret' }] as const;
  const servers = [
    failed('down', 'unreachable'),
    failed('busy', 'rate_limited'),
    failed('off', 'unavailable'),
    serverView({ id: 'keyed', state: { kind: 'needs-sign-in', reason: 'It needs an API key.', needs } }),
  ];
  expect(servers.map((each) => renderState(each, NOW).words)).toEqual([
    'unreachable',
    'rate limited',
    'unavailable',
    'needs a key',
  ]);
});

test('a refused key is no sign-in, and a server that npx makes heavy has the command that installs it', () => {
  const { out, written } = paper();
  const process = { pid: 1, processes: 3, memoryBytes: 200_000_000, warning: 'Uses 200 MB.' };
  const state = { kind: 'ready', since: NOW, reason: 'It answers.' } as const;
  const list = {
    overall: 'partial' as const,
    servers: [
      serverView({ id: 'mem', state, process, problems: ['Uses 200 MB.'], target: 'npx -y acme-memory' }),
      serverView({ id: 'own', state, process, problems: ['Uses 200 MB.'], target: 'node server.js' }),
      serverView({
        id: 'crm',
        state: {
          kind: 'needs-sign-in',
          reason: 'It refuses the key.',
          remedy: { do: 'set-secret', name: 'crm/key', server: 'crm' },
        },
      }),
    ],
    files: [],
  };
  renderListProblems(list, out);
  expect(written.stderr).toContain('plug install mem');
  expect(written.stderr).not.toContain('plug install own');
  renderServerList(list, out, { now: NOW, cwd: '/' });
  expect(written.stdout).toMatch(/crm .*needs another key/);
});

test('a table keeps within the width of the terminal', () => {
  const { out, written } = paper({ tty: true, color: false, width: 60 });
  renderServerList({ overall: 'partial', servers, files: [] }, out, { now: NOW, cwd: '/elsewhere' });
  for (const line of written.stdout.trimEnd().split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(60);
  expect(written.stdout).toContain('…');
});

test('colors appear only on a terminal that wants them', () => {
  for (const options of [{ tty: false }, { tty: true, color: false }]) {
    const { out, written } = paper(options);
    out.line({ style: 'bad', text: 'x' });
    expect(written.stdout).toBe('x\n');
  }
  const { out, written } = paper({ tty: true });
  out.line({ style: 'bad', text: 'x' });
  expect(written.stdout).toBe('\u001b[31mx\u001b[39m\n');
});

test("a server's name cannot drive the terminal from a table", () => {
  const { out, written } = paper({ tty: true, color: false, width: 80 });
  const evil = 'evil\u001b[2J\nsecond line';
  printTable(out, ['A', flexible('B')], [[evil, strong(evil)]]);
  expect(written.stdout).toMatch(/^A +B\n(?:evil\\x1b\[2J\\nsecond line(?: {2}|\n)){2}$/);
});

test('status is one line in the words of the states', () => {
  const [ready, needing, asleep, failed] = servers;
  const starting = serverView({ id: 'slow', state: { kind: 'starting', attempt: 1, reason: 'It starts.' } });
  const disabled = serverView({ id: 'off', state: { kind: 'disabled', reason: 'Disabled.' } });
  const of = (...some: readonly (ServerView | undefined)[]): string =>
    statusLine(
      { tools: 44 },
      some.filter((one) => one !== undefined),
    );
  expect(of()).toBe('no servers yet · plug add NAME -- COMMAND');
  expect(of(ready, ready)).toBe('2 ready · 44 tools');
  expect(of(ready, asleep, disabled)).toBe('1 ready · 1 asleep · 1 disabled · 44 tools');
  expect(of(asleep)).toBe('1 asleep · 44 tools');
  expect(of(ready, starting)).toBe('starting: 1/2 ready · 44 tools');
  expect(of(ready, needing)).toBe('1/2 ready · needs you: notion · 44 tools');
  expect(of(...servers, disabled)).toBe(
    '1/4 ready · 1 asleep · 1 disabled · failed: figma · needs you: notion · 44 tools',
  );
  expect(of(failed)).toBe('figma failed · plug doctor figma');
  expect(of(failed, failed, disabled)).toBe('all 2 servers failed · plug doctor');
  const many = Array.from({ length: 5 }, (_, index) => failed && { ...failed, id: `s${index}` });
  expect(of(ready, ...many)).toBe('1/6 ready · failed: s0, s1, s2 and 2 more · 44 tools');
});

test('a table fits every terminal from 40 to 200 columns, whatever the names are', () => {
  const wide = servers.map((one, index) => ({
    ...one,
    id:
      ['github-with-a-very-long-name-that-nobody-would-choose-63-characters', '世界', '🚀rocket', 'pg'][
        index
      ] ?? '',
    account: index === 1 ? '名前@例え.jp' : 'me@work.example',
  }));
  for (let width = 40; width <= 200; width += 1) {
    const { out, written } = paper({ tty: true, color: false, width });
    const tokens = new Map(wide.map(({ id }) => [id, 12_345]));
    renderServerList({ overall: 'partial', servers: wide, files: [] }, out, { now: NOW, cwd: '/', tokens });
    const lines = written.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(textWidth(line), `${width}: ${line}`).toBeLessThanOrEqual(width);
    expect(lines[4]).toMatch(/^✖ .*crashed/); // the symbol and its words stay together
  }
});

test('an error shows its cause and the next command; whose fault it is only if not yours', () => {
  const { out, written } = paper();
  const details = { cause: 'spawn npx ENOENT', stderr: ['boom\u0007'] };
  renderError(
    {
      code: 'missing_command',
      message: 'npx is nowhere on the PATH.',
      owner: 'you',
      next: 'plug logs x',
      details,
    },
    out,
  );
  expect(written.stdout).toBe('');
  expect(written.stderr).toBe(
    [
      '✖ npx is nowhere on the PATH.',
      '  cause  spawn npx ENOENT',
      '  next   plug logs x',
      '  stderr',
      '  │ boom\\x07',
      '',
    ].join('\n'),
  );
});

test('a malformed config file is named with its line and column', () => {
  const { out, written } = paper();
  const file = {
    path: '/p/mcp.json',
    scope: 'project',
    servers: [],
    warnings: ['foo is not known'],
  } as const;
  const files = [
    { ...file, outcome: 'malformed', line: 3, column: 7, reason: 'A comma is missing.' } as const,
  ];
  renderListProblems({ overall: 'idle', servers: [], files }, out);
  expect(written.stderr).toContain('✖ /p/mcp.json:3:7 is malformed. A comma is missing.');
  expect(written.stderr).toContain('⚠ /p/mcp.json: foo is not known');
});

test('a result prints text plainly and everything else in one line', () => {
  const { out, written } = paper();
  const content = [
    { type: 'text', text: 'hello\u001b[31m' },
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    { type: 'resource_link', name: 'doc', uri: 'file:///a' },
    { type: 'resource', resource: { uri: 'x://1', text: 'inside' } },
    { type: 'hologram', depth: 3 },
  ];
  const result = { content, structuredContent: { a: 1 } };
  renderCallResult(
    { callId: 'c', server: 's', tool: 't', durationMs: 1, isError: false, result, allowedBy: '' },
    out,
  );
  expect(written.stdout).toBe(
    [
      'hello\\x1b[31m',
      '[image image/png, 3 B]',
      '[link doc file:///a]',
      'inside',
      '[hologram] {"type":"hologram","depth":3}',
      '{\n  "a": 1\n}',
      '',
    ].join('\n'),
  );
});

test('structured content that the text repeats is printed once', () => {
  const { out, written } = paper();
  const result = { content: [{ type: 'text', text: '{"a": 1}' }], structuredContent: { a: 1 } };
  renderCallResult(
    { callId: 'c', server: 's', tool: 't', durationMs: 1, isError: false, result, allowedBy: '' },
    out,
  );
  expect(written.stdout).toBe('{"a": 1}\n');
});

test('times, widths and next steps read naturally', () => {
  expect([ago(-5), ago(59_999), ago(60_000), ago(7_200_000), ago(200_000_000)]).toEqual([
    '0s ago',
    '59s ago',
    '1m ago',
    '2h ago',
    '2d ago',
  ]);
  expect(cutToWidth('世界世界', 5)).toBe('世界…');
  expect(textWidth('e\u0301')).toBe(1);
  const untrusted = { file: '/p/mcp.json', fingerprint: 'f', changed: false, diff: [], references: [] };
  expect(nextStep({ id: 'x', state: { kind: 'disabled', reason: '' }, untrusted })).toBe('plug trust x');
});
