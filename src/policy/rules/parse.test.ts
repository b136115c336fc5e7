/* oxlint-disable unicorn/no-thenable -- “then” is a word of the rules file */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { describeRule } from './rule.ts';
import { parseRules } from './parse.ts';
import { schemaText } from './rules-place.ts';
import { rulesSchema } from './schema.ts';

async function problemsOf(text: string): Promise<readonly string[]> {
  const parsed = await parseRules(text);
  return parsed.kind === 'ok'
    ? []
    : parsed.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

function lines(...text: readonly string[]): string {
  return text.join('\n');
}

verifies(
  ['P8'],
  'a mistake in the rules is told with its place, and with what was probably meant',
  async () => {
    expect(
      await problemsOf(
        lines(
          '{ // rules',
          '  "rules": [',
          '    { "name": "a", "when": { "tol": "mail/*" }, "then": "denny" },',
          '    { "name": "b", "when": { "args": { "to": { "matches": "(" } } }, "then": "ask" },',
          '    { "name": "c", "from": "files", "to": "mail", "then": "allow" }',
          '  ],',
          '  "default": {}',
          '}',
        ),
      ),
    ).toEqual([
      '7:3 “default” is not known in the rules file. Did you mean “defaults”?',
      '3:57 “then” is allow, ask or deny; “denny” is none of them. Did you mean “deny”?',
      '3:30 “tol” is not known in “when”. Did you mean “tool”?',
      expect.stringMatching(/^4:59 This expression cannot be used \(RE2\): /),
      '5:59 “then” of a rule with “from” and “to” is ask or deny; “allow” is none of them.',
    ]);
  },
);

verifies(
  ['P8'],
  'what could be overlooked is refused: a name twice, a rule without an end, a file that is no object',
  async () => {
    const rule = '{ "name": "a", "when": { "server": "*" }, "then": "ask" }';
    expect(await problemsOf(`{ "rules": [${rule}, ${rule}] }`)).toEqual([
      expect.stringContaining('There is another rule “a”: names must differ.'),
    ]);
    expect(await problemsOf('{ "rules": [], "rules": [] }')).toEqual(['1:16 “rules” stands twice.']);
    expect(await problemsOf('{ "rules": [{ "name": "a", "when": { "server": "*" } }] }')).toEqual([
      '1:13 A rule needs “then”, and this one has none.',
    ]);
    expect(await problemsOf('[]')).toEqual(['1:1 The file must hold one object: {"rules": […]}.']);
    expect(await problemsOf('')).toHaveLength(1);
    expect(await problemsOf('{ "rules": [ }')).toEqual([expect.stringMatching(/^1:\d+ This is not JSON: /)]);
    expect(await problemsOf('{ "defaults": { "call": { "destructive": "allow" } } }')).toEqual([
      '1:42 Destructive tools always ask: “destructive” is ask or deny.',
    ]);
    expect(
      await problemsOf('{ "rules": [{ "name": "a", "when": { "server": "a/b" }, "then": "ask" }] }'),
    ).toEqual([expect.stringContaining('A server has no slash')]);
    expect(
      await problemsOf('{ "rules": [{ "name": "a", "when": { "tool": "b" }, "then": "ask" }] }'),
    ).toEqual([expect.stringContaining('“tool” is server/tool')]);
    expect(
      await problemsOf(
        '{ "rules": [{ "name": "a", "when": { "tool": "b/c", "action": ["connect"] }, "then": "ask" }] }',
      ),
    ).toEqual([expect.stringContaining('Only a call has a tool')]);
    expect(await problemsOf('{"a":'.repeat(50_000))).toHaveLength(1);
  },
);

test('the example of the page is a rules file without mistakes, and each rule is said in one line', async () => {
  const page = readFileSync(new URL('../../../docs/policy.md', import.meta.url), 'utf8');
  const [, text = ''] = /^```json rules\.json\n([^]*?)^```$/m.exec(page) ?? [];
  const parsed = await parseRules(text);
  if (parsed.kind === 'broken') throw new Error(JSON.stringify(parsed.problems));
  expect(parsed.rules.defaults.call.unknown).toBe('deny');
  expect(parsed.rules.all.map(describeRule)).toEqual([
    'Ask before calls of mail/send* when to.* matches @ and subject is *offer*.',
    'Deny calls of every server that are destructive, asked for by a host or a program.',
    'Allow calls of notes/write_* when path is drafts/*.',
    'Deny connections to shop-*.',
    'What came from files may not go to mail/*.',
  ]);
});

test('the schema for editors in the repository is the one that is written beside a new file', () => {
  const text = readFileSync(new URL('../../../schemas/rules.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(text)).toEqual(JSON.parse(schemaText()));
});

// Mostly right, and wrong in every place now and then.
const junk = fc.constantFrom<unknown>('', 'x', 'allow', 7, null, [], {}, ['x'], { x: 1 });
const or = (good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: good, weight: 30 }, { arbitrary: junk, weight: 1 });
const effect = or(fc.constantFrom('allow', 'ask', 'deny'));
const some = (words: readonly string[]): fc.Arbitrary<unknown> =>
  or(fc.subarray([...words], { minLength: 1 }));
const glob = or(fc.constantFrom('*', 'mail', 'mail/*', '*/send', '/x', 'a/'));
const when = or(
  fc
    .record(
      {
        action: some(['connect', 'list', 'call']),
        server: glob,
        tool: glob,
        risk: some(['read', 'write', 'destructive', 'unknown']),
        args: or(
          fc.dictionary(
            fc.constantFrom('to', 'a.b', ''),
            or(fc.constantFrom<unknown>('a*', { matches: 'a+' })),
          ),
        ),
        requester: some(['person', 'host', 'program']),
        wehn: junk,
      },
      { requiredKeys: [] },
    )
    .map(({ wehn, ...rest }) => (wehn === 7 ? { ...rest, wehn } : rest)),
);
const aRule = or(
  fc.oneof(
    fc.record({ name: or(fc.uuid()), when, then: effect }, { requiredKeys: ['name', 'when'] }),
    fc.record({ name: fc.uuid(), from: glob, to: glob, then: effect }, { requiredKeys: ['name', 'from'] }),
  ),
);
const aFile = or(
  fc.record(
    {
      $schema: or(fc.constant('./x.json')),
      defaults: or(
        fc.record(
          {
            connect: effect,
            list: effect,
            call: or(fc.record({ read: effect, destructive: effect }, { requiredKeys: [] })),
          },
          { requiredKeys: [] },
        ),
      ),
      rules: or(fc.array(aRule, { maxLength: 2 })),
      secretsInResults: or(fc.constantFrom('mask', 'block', 'keep')),
    },
    { requiredKeys: [] },
  ),
);

test('an editor with the schema and the parser agree about every file', async () => {
  const fits = new Ajv2020({ strict: false }).compile(rulesSchema);
  const seen = { good: 0, bad: 0 };
  await fc.assert(
    fc.asyncProperty(aFile, async (file) => {
      const problems = await problemsOf(JSON.stringify(file));
      // Equal names are beyond a schema.
      fc.pre(!problems.some((problem) => problem.includes('names must differ')));
      seen[problems.length === 0 ? 'good' : 'bad'] += 1;
      expect(fits(file), problems.join('\n')).toBe(problems.length === 0);
    }),
    { numRuns: 3_000 },
  );
  expect(Math.min(seen.good, seen.bad)).toBeGreaterThan(300);
});
