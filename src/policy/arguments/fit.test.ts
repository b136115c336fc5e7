import { posix, win32 } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import type { JsonObject } from '../../base/json.ts';
import { matchesGlob } from '../../servers/select.ts';
import { permits, touches } from './fit.ts';
import { waryGlob } from '../rules/read-rule.ts';

function allows(glob: string, args: JsonObject, path = 'path'): boolean {
  return permits(args, path, (text) => matchesGlob(glob, text));
}

function denies(glob: string, args: JsonObject, path = 'path'): boolean {
  return touches(args, path, waryGlob(glob));
}

/** Ways to write two dots, a slash, and what may stand around them. */
const DOTS = [
  '..',
  '%2e%2e',
  '%2E.',
  '.%2e',
  '%252e%252e',
  '\uff0e\uff0e',
  '\u2025',
  '.\u200b.',
  '%c0%ae%c0%ae',
  '.. ',
];
const SLASHES = ['/', '\\', '%2f', '%5c', '//', '/./', '\uff0f', '\u2215', '%252f'];
const NAMES = ['a', 'b.txt', 'c d', '.', '', '.ssh', '...', 'x..y', '~', 'C:', 'é', '%20'];

const part = fc.oneof(
  fc.constantFrom(...DOTS),
  fc.constantFrom(...NAMES),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const way = fc
  .array(fc.tuple(part, fc.constantFrom(...SLASHES)), { minLength: 1, maxLength: 8 })
  .map((pairs) => pairs.map(([name, slash]) => name + slash).join(''));

/** As a server may read it: decoded, normalized, in either system's words. */
function readings(text: string): readonly string[] {
  const forms = new Set([text]);
  let form = text;
  for (let round = 0; round < 3; round += 1) {
    form = form
      .replaceAll(/%c0%ae/gi, '.')
      .replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    forms.add(form);
  }
  const narrow = [...forms].map((each) =>
    each.normalize('NFKC').replaceAll(/[\u200b\u2215]/g, (found) => (found === '\u2215' ? '/' : '')),
  );
  return [...forms, ...narrow];
}

verifies(
  ['P11', 'attack:9'],
  'whatever an allowing pattern lets through stays inside, however it is read',
  () => {
    let fitted = 0;
    fc.assert(
      fc.property(way, (rest) => {
        const path = `drafts/${rest}`;
        if (!allows('drafts/*', { path })) return;
        fitted += 1;
        for (const text of readings(path)) {
          expect([path, posix.resolve('/base', text)]).toEqual([
            path,
            expect.stringMatching(/^\/base\/drafts(\/|$)/),
          ]);
          expect([path, win32.resolve('C:\\base', text)]).toEqual([
            path,
            expect.stringMatching(/^C:\\base\\drafts(\\|$)/),
          ]);
        }
      }),
      { numRuns: 3_000 },
    );
    expect(fitted).toBeGreaterThan(100);
  },
);

verifies(
  ['P11', 'attack:9'],
  'two dots between separators and control characters never fit, anything else may',
  () => {
    fc.assert(
      fc.property(
        way,
        fc.constantFrom(...DOTS),
        fc.constantFrom(...SLASHES),
        way,
        (before, dots, slash, after) => {
          expect(allows('*', { path: `${before}/${dots}${slash}${after}` })).toBe(false);
          expect(allows('*', { path: `${before}${slash}${dots}` })).toBe(false);
        },
      ),
    );
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 0x9f }), fc.string(), (before, code, after) => {
        if (code >= 0x20 && code < 0x7f) return;
        expect(allows('*', { path: before + String.fromCharCode(code) + after })).toBe(false);
      }),
    );
    for (const path of [
      'a',
      'a/b.txt',
      'v1..v2',
      'a...',
      '…',
      'Wait … what?',
      'x@y.z',
      '50 %',
      '100%25',
      'a%20b',
      '.env',
      'a.b/.c',
      'HEAD~1..HEAD',
      '👩‍💻',
      'naïve',
      '',
    ]) {
      expect([path, allows('*', { path })]).toEqual([path, true]);
    }
    for (const path of [
      '%00',
      'a%0ab',
      'a\u2028b',
      '..',
      '../x',
      'x?f=../y',
      'ls ..',
      '%u002e%u002e/x',
      'a/..;/b',
      '%2525252e%2525252e/%2525252525252e',
    ]) {
      expect([path, allows('*', { path })]).toEqual([path, false]);
    }
  },
);

/** The same name in other words. */
const respelled = fc.array(fc.tuple(fc.boolean(), fc.constantFrom('', '', '', '\u200b', '_', '-', ' '))).map(
  (edits) => (name: string) =>
    Array.from(name, (letter, index) => {
      const [upper = false, glue = ''] = edits[index % Math.max(1, edits.length)] ?? [];
      return (upper ? letter.toUpperCase() : letter) + glue;
    }).join(''),
);

verifies(
  ['P11', 'attack:9'],
  'a key that may be taken for the judged one forbids to allow, and does not escape a denial',
  () => {
    fc.assert(
      fc.property(respelled, fc.constantFrom('path', 'file', 'repo'), fc.jsonValue(), (spell, key, other) => {
        const twin = spell(key);
        if (twin === key) return;
        const value = other as JsonObject[string]; // a JSON value is one
        expect(allows('drafts/*', { [key]: 'drafts/a', [twin]: value }, key)).toBe(false);
        expect(allows('drafts/*', { a: { [key]: 'drafts/a', [twin]: value } }, `a.${key}`)).toBe(false);
        expect(allows('drafts/*', { a: { [key]: 'drafts/a' }, A: value }, `a.${key}`)).toBe(false);
        expect(denies('secrets/*', { [key]: 'drafts/a', [twin]: 'secrets/x' }, key)).toBe(true);
        expect(denies('secrets/*', { a: [{ [twin]: ['secrets/x'] }] }, `a.${key}`)).toBe(true);
      }),
    );
    const twice = JSON.parse('{"path":"/etc/passwd","path":"drafts/a"}') as JsonObject; // as it came over the wire
    expect(JSON.stringify(twice)).toBe('{"path":"drafts/a"}');
    expect(allows('drafts/*', JSON.parse('{"__proto__":{"path":"drafts/a"}}') as JsonObject)).toBe(false);
    for (const path of [['drafts/a'], { 0: 'drafts/a' }, [], {}])
      expect(allows('drafts/*', { path })).toBe(false);
    expect(
      allows('drafts/*', { to: [{ path: 'drafts/a' }, { path: 'drafts/b', Path: 'x' }] }, 'to.*.path'),
    ).toBe(false);
  },
);

verifies(['P8', 'attack:9'], 'a denial holds for every detour to the same place', () => {
  const folders = fc.array(fc.constantFrom('a', 'b', '.', '', 'a/..', 'x/y/../..', './.', ' ', 'a\\..'), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(
      folders,
      fc.constantFrom('/', '\\', '%2f', '//', '/./'),
      fc.boolean(),
      (detour, slash, upper) => {
        const names = `secrets${slash}x`;
        const path = [...detour, upper ? names.toUpperCase() : names].join('/');
        // Where it ends is what counts: in a folder of its own, or in ours.
        const lands = posix.normalize(
          path
            .replaceAll('\\', '/')
            .replaceAll('%2f', '/')
            .replaceAll('%2F', '/')
            .replaceAll(/(^|\/) (?=\/|$)/g, '$1'),
        );
        const inside = /^\/?secrets\/x$/i.test(lands);
        if (inside) expect([path, denies('secrets/*', { path })]).toEqual([path, true]);
        for (const lead of ['../here/', '/srv/here/', '~/', 'C:\\here\\', 'file:///']) {
          if (inside)
            expect([lead + path, denies('secrets/*', { path: lead + path })]).toEqual([lead + path, true]);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('whatever a pattern fits as it is written, a rule that denies finds', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('*', 'a*', '*b*', '?', '/x/*', './a/*'),
      (path, glob) => {
        if (matchesGlob(glob, path)) expect(denies(glob, { path })).toBe(true);
      },
    ),
  );
  // One character as it is written, and two of them once it is folded.
  expect([denies('?', { path: '⑩' }), denies('a?', { path: 'A⑩' })]).toEqual([true, true]);
  expect(denies('/etc/*', { path: 'etc/passwd' })).toBe(true);
  expect(denies('/etc/*', { path: '../../etc/passwd' })).toBe(true);
  expect(denies('/home/me/.ssh/*', { path: '~/.ssh/id' })).toBe(true);
  expect(denies('./secrets/*', { path: 'secrets/x' })).toBe(true);
  expect(denies('secrets/*', { path: { 'secrets/x': true } })).toBe(true);
  for (const path of ['etc', 'notes/etc.txt', 'a/b', 'drafts/x'])
    expect(denies('/etc/*', { path })).toBe(false);
  for (const path of ['drafts/x', 'mysecrets/x', 'a/secretsx', 'Our secrets', 'about secrets/x']) {
    expect([path, denies('secrets/*', { path })]).toEqual([path, false]);
  }
});
