import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

/**
 * A rule that is misspelt, or a regex that the linter cannot read, is ignored in silence. So the
 * real config is run over planted violations, one a file, and each must be reported.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const IMPORTS = 'no-restricted-imports';

interface Planted {
  readonly what: string;
  readonly file: string;
  readonly code: string;
  readonly rule: string;
  /** A part of the sentence that comes with the report. */
  readonly says?: string;
}

const lines = (count: number): string => `${'// one line\n'.repeat(count - 1)}export const last = 1;\n`;
const use = (name: string, from: string): string =>
  `import { ${name} } from '${from}';\nexport const used: unknown = ${name};\n`;

const VIOLATIONS: readonly Planted[] = [
  {
    what: 'a permit that is made without a decision',
    file: 'hub/made-permit.ts',
    code: use('CallPermit', '../connections/permit.ts'),
    rule: IMPORTS,
    says: 'Permits are made only in policy',
  },
  {
    what: 'a permit that a face asks for',
    file: 'api/asked-permit.ts',
    code: use('permitFrom', '../policy/permit.ts'),
    rule: IMPORTS,
    says: 'Permits are asked for only in calls',
  },
  {
    what: 'an answer that nobody gave',
    file: 'gateway/forged-answer.ts',
    code: use('vouchFor', '../policy/answered.ts'),
    rule: IMPORTS,
    says: 'Answers are vouched for only in policy',
  },
  {
    what: 'a tool that is invoked past the one path',
    file: 'gateway/invoked.ts',
    code: use('invoke', '../calls/invoke.ts'),
    rule: IMPORTS,
    says: 'Tools are invoked only in calls',
  },
  {
    what: 'an import to the right',
    file: 'base/right.ts',
    code: use('hub', '../hub/hub.ts'),
    rule: IMPORTS,
    says: 'base may not import hub',
  },
  {
    what: 'an `import type` to the right',
    file: 'servers/right-type.ts',
    code: `import type { Hub } from '../hub/hub.ts';\nexport const hub: Hub = 1;\n`,
    rule: IMPORTS,
    says: 'servers may not import hub',
  },
  {
    what: 'a re-export from the right',
    file: 'servers/right-export.ts',
    code: `export { hub } from '../hub/hub.ts';\n`,
    rule: IMPORTS,
    says: 'servers may not import hub',
  },
  {
    what: 'an import to the right that waits until it runs',
    file: 'servers/right-later.ts',
    code: `export const later = (): Promise<unknown> => import('../hub/hub.ts');\n`,
    rule: IMPORTS,
    says: 'servers may not import hub',
  },
  {
    what: 'an import to the right from a deeper folder',
    file: 'connections/http/right.ts',
    code: use('hub', '../../hub/hub.ts'),
    rule: IMPORTS,
    says: 'connections may not import hub',
  },
  {
    what: 'an import to the right in a test',
    file: 'connections/right.test.ts',
    code: use('hub', '../hub/hub.ts'),
    rule: IMPORTS,
    says: 'connections may not import hub',
  },
  {
    what: 'an import that goes round through src',
    file: 'base/round.ts',
    code: use('hub', '../../src/hub/hub.ts'),
    rule: IMPORTS,
    says: 'shortest path',
  },
  {
    what: 'an import of the door of the library',
    file: 'cli/door.ts',
    code: use('open', '../index.ts'),
    rule: IMPORTS,
    says: 'by nobody',
  },
  {
    what: 'one face that imports another',
    file: 'api/face.ts',
    code: use('gate', '../gateway/gate.ts'),
    rule: IMPORTS,
    says: 'api may not import gateway',
  },
  {
    what: 'a face that reaches for storage',
    file: 'gateway/stored.ts',
    code: use('store', '../storage/store.ts'),
    rule: IMPORTS,
    says: 'gateway may not import storage',
  },
  {
    what: 'a command that reaches for connections',
    file: 'cli/pool.ts',
    code: use('pool', '../connections/pool.ts'),
    rule: IMPORTS,
    says: 'cli may not import connections',
  },
  {
    what: 'a private file of another folder',
    file: 'connections/private.ts',
    code: use('own', '../servers/_own.ts'),
    rule: IMPORTS,
    says: 'private to its folder',
  },
  {
    what: 'a private file of a folder inside',
    file: 'servers/private-inside.ts',
    code: use('deep', './import/_deep.ts'),
    rule: IMPORTS,
    says: 'private to its folder',
  },
  {
    what: 'processes outside connections and daemon',
    file: 'servers/spawns.ts',
    code: use('spawn', 'node:child_process'),
    rule: IMPORTS,
    says: 'only in connections, daemon',
  },
  {
    what: 'SQL outside storage',
    file: 'hub/sql.ts',
    code: use('Kysely', 'kysely'),
    rule: IMPORTS,
    says: 'only in storage, daemon',
  },
  {
    what: 'SQL outside storage by a subpath',
    file: 'hub/sql-part.ts',
    code: use('Migrator', 'kysely/migration'),
    rule: IMPORTS,
    says: 'only in storage, daemon',
  },
  {
    what: 'the MCP SDK outside connections and gateway',
    file: 'calls/sdk.ts',
    code: use('Client', '@modelcontextprotocol/client'),
    rule: IMPORTS,
    says: 'only in connections, gateway',
  },
  {
    what: 'timers by import',
    file: 'servers/timers.ts',
    code: use('setTimeout', 'node:timers/promises'),
    rule: IMPORTS,
    says: 'base/clock.ts',
  },
  {
    what: 'the environment by import',
    file: 'servers/imported-env.ts',
    code: use('env', 'node:process'),
    rule: IMPORTS,
    says: 'nowhere',
  },
  {
    what: 'Date.now',
    file: 'servers/now.ts',
    code: 'export const now: number = Date.now();\n',
    rule: 'no-restricted-properties',
    says: 'base/clock.ts',
  },
  {
    what: 'performance.now',
    file: 'servers/monotonic.ts',
    code: 'export const now: number = performance.now();\n',
    rule: 'no-restricted-properties',
    says: 'base/clock.ts',
  },
  {
    what: 'setTimeout',
    file: 'servers/timeout.ts',
    code: 'setTimeout(() => undefined, 1);\n',
    rule: 'no-restricted-globals',
    says: 'base/clock.ts',
  },
  {
    what: 'setInterval',
    file: 'servers/interval.ts',
    code: 'setInterval(() => undefined, 1);\n',
    rule: 'no-restricted-globals',
    says: 'base/clock.ts',
  },
  {
    what: 'setTimeout by its long name',
    file: 'servers/long-timeout.ts',
    code: 'globalThis.setTimeout(() => undefined, 1);\n',
    rule: 'no-restricted-properties',
    says: 'base/clock.ts',
  },
  {
    what: 'Math.random',
    file: 'servers/random.ts',
    code: 'export const random: number = Math.random();\n',
    rule: 'no-restricted-properties',
    says: 'base/ids.ts',
  },
  {
    what: 'a timeout that is not of the clock',
    file: 'servers/signal.ts',
    code: 'export const signal: AbortSignal = AbortSignal.timeout(1);\n',
    rule: 'no-restricted-properties',
    says: 'base/clock.ts',
  },
  {
    what: 'random bytes by their name',
    file: 'vault/bytes.ts',
    code: use('randomBytes', 'node:crypto'),
    rule: IMPORTS,
    says: 'base/ids.ts',
  },
  {
    what: 'random bytes of the whole module',
    file: 'vault/module-bytes.ts',
    code: `import crypto from 'node:crypto';\nexport const bytes: unknown = crypto.randomBytes(1);\n`,
    rule: 'no-restricted-properties',
    says: 'base/ids.ts',
  },
  {
    what: 'a thread that is started elsewhere',
    file: 'servers/threads.ts',
    code: use('Worker', 'node:worker_threads'),
    rule: IMPORTS,
    says: 'base/thread.ts',
  },
  {
    what: 'process.env',
    file: 'servers/env.ts',
    code: `export const home: string | undefined = process.env['HOME'];\n`,
    rule: 'no-restricted-properties',
    says: 'the doors',
  },
  {
    what: 'process.env taken apart',
    file: 'servers/env-apart.ts',
    code: 'export const { env } = process;\n',
    rule: 'no-restricted-properties',
    says: 'the doors',
  },
  {
    what: 'process.exit',
    file: 'cli/exit.ts',
    code: 'process.exit(1);\n',
    rule: 'no-restricted-properties',
    says: 'bin.ts',
  },
  { what: 'a file of 401 lines', file: 'servers/long.ts', code: lines(401), rule: 'max-lines' },
  {
    what: 'any',
    file: 'servers/any.ts',
    code: 'export const anything: any = 1;\n',
    rule: 'no-explicit-any',
  },
  {
    what: 'a promise that nobody waits for',
    file: 'servers/floating.ts',
    code: 'const work = async (): Promise<void> => undefined;\nwork();\n',
    rule: 'no-floating-promises',
  },
  {
    what: 'a switch that forgets a case',
    file: 'servers/forgets.ts',
    code: [
      `export function nameOf(kind: 'a' | 'b'): string {`,
      `  switch (kind) {`,
      `    case 'a':`,
      `      return 'A';`,
      `  }`,
      `  return '';`,
      `}`,
    ].join('\n'),
    rule: 'switch-exhaustiveness-check',
  },
  {
    what: 'a circle of imports',
    file: 'servers/circle-a.ts',
    code: `import { b } from './circle-b.ts';\nexport const a = (): number => b();\n`,
    rule: 'no-cycle',
  },
  {
    what: 'a page that takes more of the hub than types',
    file: '../web/src/reaches.ts',
    code: use('hub', '../../src/hub/hub.ts'),
    rule: IMPORTS,
    says: 'The page takes only types',
  },
  {
    what: 'Node in a page',
    file: '../web/src/node.ts',
    code: use('readFileSync', 'node:fs'),
    rule: IMPORTS,
    says: 'There is no Node in a browser',
  },
  {
    what: 'markup in a page that is not of our own making',
    file: '../web/src/danger.tsx',
    code: 'export const danger = <b dangerouslySetInnerHTML={{ __html: "" }} />;\n',
    rule: 'no-danger',
  },
  { what: 'a component of 251 lines', file: '../web/src/long.tsx', code: lines(251), rule: 'max-lines' },
];

const CLEAN: Readonly<Record<string, string>> = {
  // What the violations above point at.
  'hub/hub.ts': 'export type Hub = number;\nexport const hub: Hub = 1;\n',
  'api/client.ts': 'export const connectHub: number = 1;\n',
  'gateway/gate.ts': 'export const gate: number = 1;\n',
  'storage/store.ts': 'export const store: number = 1;\n',
  'connections/pool.ts': 'export const pool: number = 1;\n',
  'servers/_own.ts': 'export const own: number = 1;\n',
  'servers/import/_deep.ts': 'export const deep: number = 1;\n',
  // The same deeds where they are at home.
  'hub/left.ts': use('store', '../storage/store.ts'),
  'servers/own.ts': use('own', './_own.ts'),
  'connections/spawns.ts': use('spawn', 'node:child_process'),
  'storage/sql.ts': use('Kysely', 'kysely'),
  'gateway/sdk.ts': use('Client', '@modelcontextprotocol/client'),
  'base/clock.ts': 'export const now = (): number => Date.now();\n',
  'base/threads.ts': use('Worker', 'node:worker_threads'),
  'vault/hashes.ts': use('createHash', 'node:crypto'),
  'gateway/thread-type.ts': `import type { Worker } from 'node:worker_threads';\nexport const thread: Worker | undefined = undefined;\n`,
  'base/ids.ts': 'export const random = (): number => Math.random();\n',
  'bin.ts': `process.exitCode = process.env['CODE'] === undefined ? 0 : 1;\n`,
  'index.ts': `export const open = (): string | undefined => process.env['HOME'];\n`,
  'servers/sleepy.test.ts': use('setTimeout', 'node:timers/promises'),
  'servers/just-short-enough.ts': lines(400),
  '../web/src/client.ts': use('connectHub', '../../src/api/client.ts'),
  '../web/src/types.ts': `import type { Hub } from '../../src/hub/hub.ts';\nexport const hub: Hub = 1;\n`,
};

interface Report {
  readonly filename: string;
  /** `plugin(rule)`. */
  readonly code?: string;
  readonly message: string;
  readonly help?: string;
}

let folder: string;
let reports: readonly Report[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plug-lint-'));
  for (const file of ['oxlint.config.ts', 'tsconfig.json'])
    copyFileSync(join(root, file), join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const { file, code } of VIOLATIONS) plant(file, code);
  for (const [file, code] of Object.entries(CLEAN)) plant(file, code);
  plant('servers/circle-b.ts', `import { a } from './circle-a.ts';\nexport const b = (): number => a();\n`);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/oxlint/bin/oxlint'), '--format', 'json', 'src', 'web'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (!stdout.startsWith('{')) throw new Error(`oxlint did not lint: ${stdout}${stderr}`);
  ({ diagnostics: reports } = JSON.parse(stdout) as { diagnostics: readonly Report[] }); // its own format
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.for(VIOLATIONS)('the linter reports $what', ({ file, rule, says = '' }) => {
  const found = reportsOf(file).map(({ code, message, help }) => `${code}: ${message} ${help}`);
  expect(found).toContainEqual(expect.stringMatching(new RegExp(`\\(${rule}\\)[^]*${escaped(says)}`)));
});

test.for(Object.keys(CLEAN))('the linter lets %s pass', (file) => {
  expect(reportsOf(file)).toEqual([]);
});

function plant(file: string, code: string): void {
  const path = join(folder, 'src', file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, code);
}

function reportsOf(file: string): readonly Report[] {
  const shown = file.startsWith('../') ? file.slice('../'.length) : `src/${file}`;
  return reports.filter(({ filename }) => filename.replaceAll('\\', '/').endsWith(shown));
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
