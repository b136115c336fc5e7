import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { mergeWithHostTools } from './host-tools.ts';

const bash = Object.freeze({ type: 'function', function: Object.freeze({ name: 'bash' }) });
const read = Object.freeze({ name: 'read', description: 'of the host' });

verifies(
  ['T8'],
  'with no server configured nothing changes for the host: its very list or record is answered',
  () => {
    const list = Object.freeze([bash, read]);
    const record = Object.freeze({ bash, read });
    expect(mergeWithHostTools(list, []).tools).toBe(list);
    expect(mergeWithHostTools(record, {}).tools).toBe(record);
  },
);

verifies(
  ['T8'],
  'the tools of a host survive every addition and removal of ours, untouched and first',
  () => {
    const name = fc.constantFrom('bash', 'read', 'a', 'b', 'c', 'a_ca978112');
    const named = fc.uniqueArray(name, { maxLength: 6 });
    fc.assert(
      fc.property(named, fc.array(named, { maxLength: 5 }), (hostNames, rounds) => {
        const own = hostNames.map((each) => Object.freeze({ name: each }));
        const record = Object.fromEntries(own.map((tool) => [tool.name, tool]));
        let list: readonly object[] = Object.freeze([...own]);
        let table: Readonly<Record<string, object>> = Object.freeze({ ...record });
        for (const round of [...rounds, []]) {
          const ours = round.map((each) => ({ name: each, ours: true }));
          const merged = mergeWithHostTools(list, ours);
          const tables = mergeWithHostTools(
            table,
            Object.fromEntries(ours.map((tool) => [tool.name, { ...tool }])),
          );
          list = merged.tools;
          table = tables.tools;
          own.forEach((tool, index) => expect(list[index]).toBe(tool));
          for (const tool of own) expect(table[tool.name]).toBe(tool);
          const names = list.map((tool) => (tool as { name: string }).name);
          expect(new Set(names).size).toBe(names.length);
          expect(list).toHaveLength(own.length + ours.length - merged.omitted.length);
          expect(Object.keys(table)).toEqual(names);
        }
        expect(list).toEqual(own);
        expect(table).toEqual(record);
      }),
    );
  },
);

verifies(['T8'], 'on a clash of names ours gives way, with a word about it', () => {
  const ours = { type: 'function', function: { name: 'bash', parameters: {} } };
  const { tools, renamed, omitted } = mergeWithHostTools([bash], [ours]);
  const [first, second] = tools as [typeof bash, typeof ours];
  expect(first).toBe(bash);
  expect(second.function.name).toMatch(/^bash_[0-9a-f]{8}$/);
  expect(renamed).toEqual({ [second.function.name]: 'bash' });
  expect(omitted).toEqual([]);
  const both = mergeWithHostTools([bash, { name: second.function.name }], [ours]);
  expect(both.tools).toHaveLength(2);
  expect(both.omitted).toEqual([{ name: 'bash', reason: 'The host has a tool called bash of its own.' }]);
});

test('functions that a Gemini host declares in groups are known by their names', () => {
  const google = { functionDeclarations: [{ name: 'a' }, { name: 'b' }] };
  const { tools, renamed } = mergeWithHostTools([google], [{ name: 'b' }, { name: 'c' }]);
  expect(tools[0]).toBe(google);
  expect(Object.values(renamed)).toEqual(['b']);
  expect(tools).toHaveLength(3);
  expect(mergeWithHostTools([google], [{}]).omitted).toEqual([
    { name: '', reason: 'The tool has no name that a host could call.' },
  ]);
});
