import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { silentLogger } from '../../base/logger.ts';
import { TaskGroup } from '../../base/tasks.ts';
import { hashTool } from '../pin.ts';
import { LearnedOutputs, type LearnedOutputsOptions } from './learned-outputs.ts';
import { learnedLimits as limits } from './limits.ts';
import type { LearnedTool } from './store.ts';

const server = { key: 's', definition: { id: 's' } };
const result = (value: JsonObject): JsonObject => ({ structuredContent: value });

/** A store that remembers how often it was written to. */
function newStore(): LearnedOutputsOptions['store'] & {
  readonly rows: Map<string, LearnedTool>;
  writes: number;
} {
  const rows = new Map<string, LearnedTool>();
  return {
    rows,
    writes: 0,
    listLearned: () => Promise.resolve([...rows.values()]),
    putLearned(_owner, learned) {
      this.writes += 1;
      for (const row of learned) rows.set(`${row.server}/${row.tool}`, row);
      return Promise.resolve();
    },
    forgetServer(_owner, key) {
      for (const [name, row] of rows) if (row.server === key) rows.delete(name);
      return Promise.resolve();
    },
  };
}

function open(
  store: LearnedOutputsOptions['store'],
  isRecorded: (id: string) => boolean = () => true,
): LearnedOutputs {
  const tasks = new TaskGroup(silentLogger);
  const learned = new LearnedOutputs({ store, owner: 'o', clock: systemClock, tasks, isRecorded });
  onTestFinished(() => tasks.close());
  return learned;
}

test('the first results of a definition teach, later ones cost and change nothing', async () => {
  const store = newStore();
  const learned = open(store);
  await learned.load();
  const tool = { name: 't', definition: { name: 't' } };
  for (let at = 0; at < limits.resultsPerToolMax; at += 1) learned.learn(server, tool, result({ a: at }));
  learned.learn(server, tool, result({ b: 'later' }));
  const found = learned.of('s', 't', hashTool(tool.definition));
  expect(found).toMatchObject({ seen: limits.resultsPerToolMax, schema: { required: ['a'] } });
  expect(JSON.stringify(found)).not.toContain('later');
  await learned.close();
  // Twenty results, one write.
  expect(store.writes).toBe(1);
  expect(store.rows.get('s/t')).toEqual(found);
});

test('a restarted hub goes on where it was, and a changed tool is learned anew', async () => {
  const store = newStore();
  const first = open(store);
  first.learn(server, { name: 't', definition: { name: 't' } }, result({ a: 1 }));
  await first.close();
  const second = open(store);
  await second.load();
  second.learn(server, { name: 't', definition: { name: 't' } }, result({ b: 1 }));
  expect(second.of('s', 't', hashTool({ name: 't' }))).toMatchObject({ seen: 2 });
  const changed = { name: 't', description: 'other' };
  second.learn(server, { name: 't', definition: changed }, result({ c: 1 }));
  expect(second.of('s', 't', hashTool(changed))).toMatchObject({ seen: 1, schema: { required: ['c'] } });
  expect(second.of('s', 't', hashTool({ name: 't' }))).toBeUndefined();
  await second.forget('s');
  expect(second.of('s', 't', hashTool(changed))).toBeUndefined();
  expect(store.rows.size).toBe(0);
});

test('nothing is learned of a tool that says what it answers, nor where calls are not recorded', async () => {
  const store = newStore();
  const off = new Set(['quiet']);
  const learned = open(store, (id) => !off.has(id));
  const quiet = { key: 'quiet', definition: { id: 'quiet' } };
  const tool = { name: 't', definition: { name: 't' } };
  learned.learn(quiet, tool, result({ a: 1 }));
  const declared = { name: 'd', outputSchema: { type: 'object' } };
  learned.learn(server, { name: 'd', definition: declared }, result({ a: 1 }));
  await learned.close();
  expect(store.writes).toBe(0);
  off.clear();
  learned.learn(quiet, tool, result({ a: 1 }));
  await learned.close();
  expect([...store.rows.keys()]).toEqual(['quiet/t']);
});
