import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isIdentifier, nameTools } from './identifiers.ts';

const toolsOf = (
  pairs: readonly (readonly [string, string])[],
): { ref: string; server: string; name: string }[] =>
  pairs.map(([server, name]) => ({ ref: `${server}/${name}`, server, name }));

test('a name that is an identifier stays as it is, whoever else is there', () => {
  const names = nameTools(
    toolsOf([
      ['a', 'create-issue'],
      ['a', 'create_issue'],
      ['a', 'delete'],
    ]),
  );
  expect(names.pathOf('a/create_issue')).toEqual({ server: 'a', tool: 'create_issue' });
  expect(names.pathOf('a/delete')).toEqual({ server: 'a', tool: 'delete' });
  expect(names.pathOf('a/create-issue')?.tool).toMatch(/^create_issue_[0-9a-f]{6}$/);
});

test('other names are written with underscores, and no name makes an object a promise', () => {
  const names = nameTools(
    toolsOf([
      ['my-server', 'add.note'],
      ['3d', 'then'],
      ['3d', '名前'],
    ]),
  );
  expect(names.pathOf('my-server/add.note')).toEqual({ server: 'my_server', tool: 'add_note' });
  expect(names.pathOf('3d/then')).toEqual({
    server: '_3d',
    tool: expect.stringMatching(/^then_[0-9a-f]{6}$/),
  });
  expect(names.pathOf('3d/名前')?.tool).toMatch(/^tool/);
  expect(names.refOf('my-server', 'add.note')).toBe('my-server/add.note');
});

test('every tool has a path of its own that leads back to it, and so does its real name', () => {
  const name = fc.oneof(
    fc.constantFrom(
      'a-b',
      'a_b',
      'a.b',
      'then',
      '__proto__',
      'constructor',
      '',
      'x'.repeat(100),
      '1',
      '\ud800',
      'tool',
    ),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.constantFrom('a-b', 'a_b', 'a.b', '3'), name), {
        selector: (pair) => pair.join('/'),
      }),
      (pairs) => {
        const tools = toolsOf(pairs);
        const names = nameTools(tools);
        const paths = tools.map(({ ref }) => names.pathOf(ref));
        expect(new Set(paths.map((path) => `${path?.server}.${path?.tool}`)).size).toBe(tools.length);
        tools.forEach(({ ref, server, name: real }, at) => {
          const path = paths[at];
          expect(isIdentifier(path?.server ?? '') && isIdentifier(path?.tool ?? '')).toBe(true);
          expect(names.refOf(path?.server ?? '', path?.tool ?? '')).toBe(ref);
          expect(names.refOf(server, real)).toBe(ref);
          expect(names.servers.get(path?.server ?? '')).toContain(path?.tool);
        });
        // What was given first does not decide who is called how.
        const turned = nameTools(tools.toReversed());
        expect(tools.map(({ ref }) => turned.pathOf(ref))).toEqual(paths);
      },
    ),
  );
});
