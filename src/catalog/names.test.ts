import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { NameIndex, parseName } from './names-index.ts';
import { nameForms, renderName } from './names.ts';
import type { ToolRef } from './tool.ts';

/** Ids and names that were made to be confused: separators, hashes and prefixes as parts. */
const part = fc.constantFrom(
  'a',
  'b',
  '_',
  '__',
  '.',
  '-',
  'mcp',
  'mcp__',
  'plug',
  'plug_',
  '0123456789',
  '_deadbeef00',
);
const server = fc
  .oneof(
    fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,63}$/),
  )
  .filter((id) => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(id));
const tool = fc.oneof(
  fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ minLength: 40, maxLength: 300 }),
  fc.stringMatching(/^[a-zA-Z0-9_./:-]{1,70}$/),
  fc.constantFrom(
    '\ud800',
    '\udc00',
    '\ufffd',
    'поиск',
    '获取天气',
    'a/b',
    '../x',
    '__proto__',
    'constructor',
    '',
  ),
);
const ref = fc.record({ server, tool });
const refs = fc.uniqueArray(ref, { maxLength: 12, selector: (each) => `${each.server}/${each.tool}` });

verifies(
  ['T1'],
  'every name is read back as exactly the tool that it was made from, whoever else joined',
  () => {
    fc.assert(
      fc.property(refs, refs, (first, second) => {
        const all = [...second, ...first];
        const known = new NameIndex(() => all);
        for (const each of all) {
          for (const form of nameForms) {
            expect(parseName(renderName(each, form), known)).toEqual({
              server: each.server,
              tool: each.tool,
            });
          }
          if (each.tool !== '') expect(parseName(`${each.server}/${each.tool}`, known)).toEqual({ ...each });
        }
      }),
      { numRuns: 500 },
    );
  },
  60_000,
);

verifies(
  ['T1'],
  'no two tools share a name, in one form or across forms',
  () => {
    fc.assert(
      fc.property(refs, (all) => {
        const owners = new Map<string, ToolRef>();
        for (const each of all) {
          for (const form of nameForms) {
            const name = renderName(each, form);
            expect(owners.get(name) ?? each).toBe(each);
            owners.set(name, each);
          }
        }
      }),
      { numRuns: 500 },
    );
  },
  60_000,
);

verifies(
  ['T1'],
  'every name fits what providers permit, however long or strange the tool is called',
  () => {
    fc.assert(
      fc.property(ref, (each) => {
        expect(renderName(each, 'mcp__server__tool')).toMatch(/^mcp__[a-zA-Z0-9_-]{1,59}$/);
        expect(renderName(each, 'server__tool')).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(renderName(each, 'mcp:server:tool')).toMatch(/^mcp:[a-zA-Z0-9_.:-]{1,60}$/);
        expect(renderName(each, 'server.tool')).toMatch(/^[a-zA-Z0-9_.:-]{1,64}$/);
      }),
      { numRuns: 2_000 },
    );
  },
  60_000,
);

verifies(['T1'], 'an ordinary tool has the plain name in each form', () => {
  const each = { server: 'github', tool: 'create_issue' };
  expect(nameForms.map((form) => renderName(each, form))).toEqual([
    'mcp__github__create_issue',
    'mcp:github:create_issue',
    'github.create_issue',
    'github__create_issue',
  ]);
});

test('a long name keeps its beginning and ends in a hash that is always the same', () => {
  const each = { server: 'acme-warehouse', tool: `list_${'very_'.repeat(20)}long` };
  const name = renderName(each, 'mcp__server__tool');
  expect(name).toMatch(/^mcp__acme-warehouse__list_very_very_[a-z_]*_[0-9a-f]{10}$/);
  expect(name).toHaveLength(64);
  expect(renderName({ ...each }, 'mcp__server__tool')).toBe(name);
});

test('a name that looks like a hashed one is never taken for another tool', () => {
  const long = { server: 'acme', tool: 'données' };
  const name = renderName(long, 'server__tool');
  const forged = { server: 'acme', tool: name.slice('acme__'.length) };
  const known = new NameIndex(() => [forged, long]);
  expect(parseName(name, known)).toEqual(long);
  expect(parseName(renderName(forged, 'server__tool'), known)).toEqual(forged);
});

test('an index that was dropped knows the tools of now', () => {
  let all: readonly ToolRef[] = [];
  const known = new NameIndex(() => all);
  const each = { server: 'a', tool: 'données' };
  const name = renderName(each, 'mcp__server__tool');
  expect(parseName(name, known)).toBeUndefined();
  all = [each];
  expect(parseName(name, known)).toBeUndefined();
  known.drop();
  expect(parseName(name, known)).toEqual(each);
});

test('what names no tool is refused', () => {
  const known = new NameIndex(() => []);
  for (const text of ['', 'echo', '/', 'a/', '/a', 'mcp__', '__a', 'a__', 'mcp:a', 'A__b', 'a b__c']) {
    expect(parseName(text, known), text).toBeUndefined();
  }
});

test('G5: the same tool name on two servers stays two tools', () => {
  for (const form of nameForms) {
    expect(renderName({ server: 'one', tool: 'search' }, form)).not.toBe(
      renderName({ server: 'two', tool: 'search' }, form),
    );
  }
});

test('G5: no server can take one of our own names', () => {
  fc.assert(
    fc.property(ref, (each) => {
      for (const form of nameForms) expect(renderName(each, form)).not.toMatch(/^plug_/);
    }),
    { numRuns: 1_000 },
  );
  const known = new NameIndex(() => [{ server: 'plug', tool: 'search' }]);
  const name = renderName({ server: 'plug', tool: 'search' }, 'server__tool');
  expect(name).toMatch(/^x_plug__search_[0-9a-f]{10}$/);
  expect(parseName(name, known)).toEqual({ server: 'plug', tool: 'search' });
});

verifies(['attack:B7'], 'B7: names are ASCII whatever the server calls its tools', () => {
  for (const form of nameForms) {
    expect(renderName({ server: 'bank', tool: 'pаy' }, form)).toMatch(/^[\x21-\x7e]+_[0-9a-f]{10}$/);
  }
});
