import * as fc from 'fast-check';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import { parse as parseYaml, stringify as stringifyYaml } from 'yaml';
import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { PlugError } from '../base/errors.ts';
import { parseText } from '../servers/clients/documents/parse.ts';
import { editText } from './edit.ts';
import type { EntryEdit } from './layout.ts';

const entry = { command: 'plug', args: ['gateway'] };
const at = (container: readonly string[], list = false): Omit<EntryEdit, 'entry'> => ({
  container,
  list,
  key: 'plugboard',
});
const ours = { ...entry, name: 'plugboard' };

const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/).filter((key) => key !== 'plugboard');
const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 }));
const servers = fc.dictionary(name, fc.dictionary(name, leaf, { maxKeys: 3 }), {
  maxKeys: 4,
  noNullPrototype: true,
});
const file = fc.record({
  first: leaf,
  servers: fc.option(servers, { nil: undefined }),
  last: fc.dictionary(name, leaf, { maxKeys: 3, noNullPrototype: true }),
});
const eol = fc.constantFrom('\n', '\r\n');

verifies(['S5', 'S12'], 'in any JSON file our entry comes and goes and every byte returns', () => {
  fc.assert(
    fc.property(
      file,
      fc.constantFrom(0, 1, 2, 4, '\t'),
      eol,
      fc.constantFrom('', '\n'),
      (root, indent, end, tail) => {
        const given = { ...root, servers: root.servers ?? {} };
        const text = (JSON.stringify(given, undefined, indent) + tail).replaceAll('\n', end);
        const added = editText('f', 'json', text, { ...at(['servers']), entry });
        expect(JSON.parse(added)).toEqual({ ...given, servers: { ...given.servers, plugboard: entry } });
        expect(editText('f', 'json', added, { ...at(['servers']), entry })).toBe(added);
        expect(editText('f', 'json', added, { ...at(['servers']), entry: null })).toBe(text);
      },
    ),
    { numRuns: 250 },
  );
});

verifies(
  ['S5', 'S12'],
  'in any YAML or TOML file our entry comes and goes and nothing else changes',
  () => {
    fc.assert(
      fc.property(file, eol, fc.boolean(), (root, end, list) => {
        const map = root.servers ?? {};
        const value = list ? Object.keys(map).map((key) => ({ name: key })) : map;
        const given = { first: root.first, servers: value, last: root.last };
        const text = stringifyYaml(given).replaceAll('\n', end);
        const own = list ? ours : entry;
        const added = editText('f', 'yaml', text, { ...at(['servers'], list), entry: own });
        const expected = Array.isArray(value) ? [...value, ours] : { ...value, plugboard: entry };
        expect(parseYaml(added)).toEqual({ ...parseYaml(text), servers: expected });
        const removed = editText('f', 'yaml', added, { ...at(['servers'], list), entry: null });
        expect(removed).toBe(text);
      }),
      { numRuns: 250 },
    );
    fc.assert(
      fc.property(file, eol, fc.boolean(), (root, end, finished) => {
        const given = {
          first: root.first,
          last: root.last,
          ...(root.servers ? { servers: root.servers } : {}),
        };
        const plain = stringifyToml(given);
        const text = (finished ? plain : plain.trimEnd()).replaceAll('\n', end);
        const added = editText('f', 'toml', text, { ...at(['servers']), entry });
        expect(parseToml(added)).toEqual({
          ...parseToml(text),
          servers: { ...root.servers, plugboard: entry },
        });
        expect(editText('f', 'toml', added, { ...at(['servers']), entry: null })).toBe(text);
      }),
      { numRuns: 250 },
    );
  },
  20_000,
);

test('an entry that others have joined goes without them, wherever it stands', () => {
  const json =
    '{\n  "s": {\n    "a": 1, // one\n    "plugboard": { "x": 1 }, // ours\n    // about b\n    "b": 2\n  }\n}\n';
  expect(editText('f', 'json', json, { ...at(['s']), entry: null })).toBe(
    '{\n  "s": {\n    "a": 1, // one\n    // ours\n    // about b\n    "b": 2\n  }\n}\n',
  );
  const first = '{"s": {"plugboard": {"x": 1}, "b": 2}}';
  expect(editText('f', 'json', first, { ...at(['s']), entry: null })).toBe('{"s": {"b": 2}}');
  const yaml = 's:\n  plugboard:\n    x: 1\n  # about b\n  b: 2 # two\n';
  expect(editText('f', 'yaml', yaml, { ...at(['s']), entry: null })).toBe('s:\n  # about b\n  b: 2 # two\n');
  const toml = '[s.plugboard]\nx = 1\n\n[s.plugboard.env]\nA = "b"\n\n# about b\n[s.b]\nx = 2\n';
  expect(editText('f', 'toml', toml, { ...at(['s']), entry: null })).toBe('\n# about b\n[s.b]\nx = 2\n');
});

test('any text at all is either changed faithfully or refused in words', () => {
  const parts = [
    's:',
    's',
    '"s"',
    ': ',
    '{',
    '}',
    '[',
    ']',
    ',',
    '\n',
    '\n  ',
    '- ',
    '# c\n',
    '// c\n',
    '/* c */',
    'a: 1',
    '"a": 1',
    '[s]',
    '[s.a]',
    '[s.plugboard]',
    'x = 1',
    '= ',
    '"plugboard"',
    'plugboard:',
    '&b ',
    '*b',
    '|\n',
    '\r\n',
    "''",
  ];
  const texts = fc.array(fc.constantFrom(...parts), { maxLength: 14 }).map((words) => words.join(''));
  let changed = 0;
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom('json' as const, 'yaml' as const, 'toml' as const),
      fc.boolean(),
      (text, syntax, list) => {
        try {
          const own = list ? ours : entry;
          const added = editText('f', syntax, text, { ...at(['s'], list), entry: own });
          expect(parseText(syntax, added).kind).toBe('ok');
          expect(added).toContain('gateway');
          changed += 1;
          expect(editText('f', syntax, added, { ...at(['s'], list), entry: null })).not.toContain('gateway');
        } catch (error) {
          if (!(error instanceof PlugError)) throw error;
          expect(error.message).toContain('was not changed');
        }
      },
    ),
    { numRuns: 3_000 },
  );
  expect(changed).toBeGreaterThan(30);
});

verifies(['S5'], 'comments in every place outlive our entry, byte for byte', () => {
  const yaml = [
    's:\n  a: 1\n  # trailing, same depth\nb: 1\n',
    's:\n  a:\n    x: 1\n    # trailing, deeper\n\n# end\n',
    's: # beside\n  # first\n  a: |\n    text\n\n\nb: 1 # last',
    '%YAML 1.2\n---\n# top\ns:\n    a: [1,\n        2] # odd\n...\n',
    's:\n- name: a\n  # inner\n\n# outer\n- name: b # beside\n',
  ];
  for (const text of yaml) {
    const list = text.includes('- name');
    const added = editText('f', 'yaml', text, { ...at(['s'], list), entry: list ? ours : entry });
    expect(editText('f', 'yaml', added, { ...at(['s'], list), entry: null })).toBe(text);
  }
  const json = [
    '{\n  "s": {\n    "a": 1 // one, with a comma\n    /* two */ // three\n  } // s\n}',
    '{ "s": { /* nothing, yet */ } }',
    '{\n\t"s": {\n\t\t// only words\n\t}\n}\n',
    '// top\n{"s":{"a":1 /* , */ }, /* b */ "b":[1,2,],}\n// end',
    '{\n  "s": {\n    "a": "//, no comment", }\n}',
  ];
  for (const text of json) {
    const added = editText('f', 'json', text, { ...at(['s']), entry });
    for (const comment of text.match(/\/\*.*?\*\//g) ?? []) expect(added).toContain(comment);
    expect(editText('f', 'json', added, { ...at(['s']), entry: null })).toBe(text);
  }
  const toml = [
    '# top\n[s.a] # head\nx = 1 # one\n\n# end\n',
    '[s]\n# words only\n',
    '[[other]]\nx = """\n[s.plugboard]\n"""\n# end',
  ];
  for (const text of toml) {
    const added = editText('f', 'toml', text, { ...at(['s']), entry });
    expect(editText('f', 'toml', added, { ...at(['s']), entry: null })).toBe(text);
  }
});

test('YAML in flow style is written anew, with its comments', () => {
  const text = '# top\ns: {a: {x: 1}} # flow\nlast: 1\n';
  const added = editText('f', 'yaml', text, { ...at(['s']), entry });
  expect(parseYaml(added)).toEqual({ s: { a: { x: 1 }, plugboard: entry }, last: 1 });
  expect(added).toContain('# top');
  expect(added).toContain('# flow');
});

test('an empty place is filled where it stands, and other things in its place are left alone', () => {
  const filled = editText('f', 'json', '{"s": null, "b": 1}', { ...at(['s']), entry });
  expect(filled.match(/"s"/g)).toHaveLength(1);
  expect(JSON.parse(filled)).toEqual({ s: { plugboard: entry }, b: 1 });
  for (const text of ['s:\nb: 1\n', 's: ~\nb: 1\n', 's: {}\nb: 1\n', 'b: 1\n', '']) {
    const yaml = editText('f', 'yaml', text, { ...at(['s']), entry });
    expect(parseYaml(yaml)).toEqual({ s: { plugboard: entry }, ...(text.includes('b') ? { b: 1 } : {}) });
  }
  for (const [syntax, text] of [
    ['json', '{"m": "x"}'],
    ['yaml', 'm: x\n'],
    ['toml', 'm = "x"\n'],
  ] as const) {
    expect(() => editText('f', syntax, text, { ...at(['m', 's']), entry })).toThrow('was not changed');
  }
});

test('a list and a map are told apart, and anchors stay', () => {
  const text = 'base: &b\n  x: 1\ns:\n  a:\n    <<: *b\n';
  const added = editText('f', 'yaml', text, { ...at(['s']), entry });
  expect(added.startsWith(text)).toBe(true);
  expect(editText('f', 'yaml', added, { ...at(['s']), entry: null })).toBe(text);
  expect(() => editText('f', 'yaml', 's: [1]\n', { ...at(['s']), entry })).toThrow('not a map of servers');
});
