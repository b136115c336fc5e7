import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { matchesGlob, passesFilter, selects, type SelectableTool } from './select.ts';

const server = { id: 'github', tools: {}, readOnly: false };
const tool = (name: string, risk: SelectableTool['risk'] = 'read'): SelectableTool => ({ name, risk });

verifies(['S7'], 'a profile chooses servers and tools, and only ever narrows', () => {
  const profile = {
    name: 'work',
    servers: ['git*'],
    tools: { allow: ['github/*_issue'], deny: ['*/delete_*'] },
  };
  expect(selects(profile, server)).toBe(true);
  expect(selects(profile, { ...server, id: 'linear' })).toBe(false);
  expect(selects(profile, server, tool('get_issue'))).toBe(true);
  expect(selects(profile, server, tool('get_repo'))).toBe(false);
  expect(selects(profile, server, tool('delete_issue'))).toBe(false);
  const filtered = { ...server, tools: { deny: ['get_*'] } };
  expect(selects(profile, filtered, tool('get_issue'))).toBe(false);
  expect(selects(undefined, filtered, tool('get_issue'))).toBe(false);
  expect(selects(undefined, server, tool('anything', 'destructive'))).toBe(true);
  expect(selects({ name: 'none', servers: [] }, server)).toBe(false);
});

verifies(['S7'], 'in read-only mode only tools known to read are offered', () => {
  const offered = (readOnly: boolean, byProfile?: boolean): readonly string[] =>
    (['read', 'write', 'destructive', 'unknown'] as const).filter((risk) =>
      selects(
        byProfile === undefined ? undefined : { name: 'p', readOnly: byProfile },
        { ...server, readOnly },
        tool('t', risk),
      ),
    );
  expect(offered(false)).toHaveLength(4);
  expect(offered(true)).toEqual(['read']);
  expect(offered(false, true)).toEqual(['read']);
  expect(offered(true, false)).toEqual(['read']);
});

test('deny wins over allow, and an empty allow list allows nothing', () => {
  expect(passesFilter({ allow: ['a'], deny: ['a'] }, 'a')).toBe(false);
  expect(passesFilter({ allow: [] }, 'a')).toBe(false);
  expect(passesFilter({ deny: [] }, 'a')).toBe(true);
  expect(passesFilter(undefined, 'a')).toBe(true);
});

test('globs mean what a plain reading of them says', () => {
  const letters = fc
    .array(fc.constantFrom('a', 'b', '.', '(', '*', '?'), { maxLength: 8 })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(letters, letters, (glob, text) => {
      const pattern = glob
        .replaceAll(/[.(]/g, String.raw`\$&`)
        .replaceAll('*', '.*')
        .replaceAll('?', '.');
      expect(matchesGlob(glob, text)).toBe(new RegExp(`^${pattern}$`, 's').test(text));
    }),
    { numRuns: 10_000 },
  );
});

test('a glob made to explode is answered all the same', () => {
  expect(matchesGlob(`${'*a'.repeat(100)}b`, 'a'.repeat(10_000))).toBe(false);
  expect(matchesGlob('*'.repeat(10_000), 'x')).toBe(true);
});
