import { join } from 'node:path';
import { report } from './figure.ts';
import { cpuOf, interleave } from './measure.ts';
import { product, temporaryHome } from './product.ts';

/** What a result and its record cost on the way of a call, and what a huge result costs. */
const REPEATS = 5_000;

using home = temporaryHome();
const { weigh } = await product<typeof import('../src/calls/results/weigh.ts')>('calls/results/weigh');
const { Results } = await product<typeof import('../src/calls/results/results.ts')>('calls/results/results');
const { AuditLog } = await product<typeof import('../src/calls/audit/audit-log.ts')>('calls/audit/audit-log');
const { TaskGroup } = await product<typeof import('../src/base/tasks.ts')>('base/tasks');
const { silentLogger: logger } = await product<typeof import('../src/base/logger.ts')>('base/logger');
const { systemClock: clock } = await product<typeof import('../src/base/clock.ts')>('base/clock');
const { systemIds: ids } = await product<typeof import('../src/base/ids.ts')>('base/ids');
const { limits } = await product<typeof import('../src/base/limits.ts')>('base/limits');
const { openStorage } = await product<typeof import('../src/storage/open.ts')>('storage/open');

await using storage = await openStorage({ kind: 'sqlite', file: join(home.path, 'plug.db') });
const tasks = new TaskGroup(logger);
const owner = 'local';
const results = new Results({ store: storage.results, owner, clock, ids, limits, logger });
const audit = await AuditLog.open({
  store: storage.audit,
  owner,
  folder: join(home.path, 'audit'),
  clock,
  ids,
  limits,
  logger,
  tasks,
  redact: (value) => value,
  isRecorded: () => true,
});

const small = {
  content: [{ type: 'text', text: 'hello there' }],
  structuredContent: { a: 1, b: ['x', 'y'] },
};
const text = { content: [{ type: 'text', text: `${'a line of a long log\n'.repeat(1_000_000)}needle` }] };
const items = Array.from({ length: 200_000 }, (_, id) => ({
  id,
  name: `item ${id}`,
  text: 'word '.repeat(12),
}));
const structured = { content: [], structuredContent: { items } };
let count = 0;

const time = await interleave(
  {
    weigh: () => perCall(() => weigh(small, limits.resultPreviewBytes)),
    record: () => recordMany(),
    text: () => keep(text),
    structured: () => keep(structured),
    grep: () => find(),
  },
  { rounds: 5 },
);
await audit.close();
await tasks.close();
report([
  { name: 'weigh an ordinary result', unit: 'µs', measured: time.weigh, target: { max: 1 } },
  {
    name: 'record a call, journal and database, CPU',
    unit: 'µs',
    measured: time.record,
    target: { max: 30 },
  },
  { name: 'answer a 21 MB text as a preview', unit: 'ms', measured: time.text, target: { max: 3_000 } },
  {
    name: 'answer 19 MB of JSON as a preview',
    unit: 'ms',
    measured: time.structured,
    target: { max: 3_000 },
  },
  { name: 'find a word in a 21 MB result', unit: 'ms', measured: time.grep },
]);

function perCall(work: () => unknown): number {
  const started = performance.now();
  for (let index = 0; index < REPEATS; index += 1) work();
  return ((performance.now() - started) / REPEATS) * 1000;
}

/** One after the other, so that every record is a write of its own, and stored in batches meanwhile. */
async function recordMany(): Promise<number> {
  const spent = await cpuOf(async () => {
    for (let index = 0; index < REPEATS; index += 1) await recordOne();
    await audit.query({ limit: 1 });
  });
  return spent / REPEATS;
}

async function recordOne(): Promise<void> {
  count += 1;
  await audit.record({
    callId: `call_${count}`,
    at: 1_700_000_000_000,
    principal: owner,
    requester: { kind: 'program', id: 'bench' },
    server: 'github',
    tool: 'search',
    risk: 'read',
    args: { query: 'some words', limit: 10 },
    effect: 'allow',
    by: { kind: 'default', path: 'call.read' },
    durationMs: 1,
    outcome: 'ok',
    argsBytes: 40,
  });
}

async function keep(result: Parameters<typeof weigh>[0]): Promise<number> {
  const started = performance.now();
  await results.keep({ callId: 'call_1', server: 'files', tool: 'read', result, whole: false });
  return performance.now() - started;
}

async function find(): Promise<number> {
  const { handle } = await results.keep({ callId: 'c', server: 's', tool: 't', result: text, whole: false });
  const started = performance.now();
  const found = await results.grep(handle?.id ?? '', 'ne+dle');
  if (found.matches.length !== 1) throw new Error('the needle was not found');
  return performance.now() - started;
}
