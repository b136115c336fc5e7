import { expect, test } from 'vitest';
import { toPlugError } from '../../base/errors.ts';
import { verifies } from '../../../test/requirements.ts';
import { parseDocument } from './document.ts';

function doc(...lines: readonly string[]): string {
  return lines.join('\n');
}

function failureOf(text: string): string {
  try {
    parseDocument(text, 'p.md');
  } catch (error) {
    return toPlugError(error).message;
  }
  return '';
}

verifies(['U2'], 'a prompt without front matter is all prompt', () => {
  expect(parseDocument('# Hello\n\nWhat is new?\n', 'p.md')).toEqual({
    prompt: '# Hello\n\nWhat is new?',
    grants: [],
  });
  // A rule in the middle is Markdown.
  expect(parseDocument('One\n---\nTwo', 'p.md').prompt).toBe('One\n---\nTwo');
});

verifies(['U2'], 'front matter names model, servers, mode, profile, instructions and grants', () => {
  const text = doc(
    '\uFEFF---',
    'model: fast # a comment',
    'servers: [github, linear]',
    'mode: search',
    'profile: work',
    'instructions: |',
    '  Be short.',
    'grants:',
    '  - github/list_issues',
    '  - github',
    '  - tool: github/create_issue',
    '    args: { repo: acme/*, draft: true }',
    '---',
    '',
    'File the bug.',
  );
  const document = {
    prompt: 'File the bug.',
    model: 'fast',
    servers: ['github', 'linear'],
    mode: 'search',
    profile: 'work',
    instructions: 'Be short.\n',
    grants: [
      { tool: 'github/list_issues' },
      { tool: 'github' },
      { tool: 'github/create_issue', args: { repo: 'acme/*', draft: 'true' } },
    ],
  };
  expect(parseDocument(text, 'p.md')).toEqual(document);
  expect(parseDocument(text.replaceAll('\n', '\r\n'), 'p.md')).toEqual(document);
  expect(parseDocument(doc('---', 'servers: a, b', '---', 'x'), 'p.md').servers).toEqual(['a', 'b']);
  expect(parseDocument(doc('---', '---', 'x'), 'p.md')).toEqual({ prompt: 'x', grants: [] });
});

const WRONG: readonly (readonly [string, readonly string[], RegExp])[] = [
  [
    'an unknown key',
    ['model: a', 'sevrers: [a]'],
    /^p\.md:3: “sevrers” is not known here\. Did you mean servers\?/,
  ],
  [
    'an unknown key of a grant',
    ['grants:', '  - tool: a/b', '    arg: {}'],
    /^p\.md:4: “arg” is not known here/,
  ],
  ['a mode that is none', ['mode: some'], /^p\.md:2: “mode” is one of auto, all/],
  ['a model that is a list', ['model: [a]'], /^p\.md:2: “model” is a text/],
  ['servers that are numbers', ['servers: [1, 2]'], /^p\.md:2: “servers” is a list of names/],
  ['no servers', ['servers: []'], /^p\.md:2: “servers” is a list of names/],
  ['grants that are no list', ['grants: github/x'], /^p\.md:2: “grants” is a list/],
  ['a grant with blanks', ['grants: ["a b/c"]'], /^p\.md:2: a grant names server\/tool/],
  ['arguments of a whole server', ['grants: [{ tool: a, args: { b: c } }]'], /“args” of a tool/],
  ['arguments in arguments', ['grants: [{ tool: a/b, args: { c: { d: e } } }]'], /“args” of a tool/],
  ['a key twice', ['model: a', 'model: b'], /^p\.md:3: the front matter isn’t YAML/],
  ['no YAML', ['model: "a'], /^p\.md:\d+: the front matter isn’t YAML/],
  ['a sentence', ['Hello there'], /^p\.md:2: the front matter isn’t a list of keys/],
];

test.for(WRONG)('front matter with %s is an error that names the line', ([, lines, reason]) => {
  expect(failureOf(doc('---', ...lines, '---', 'Prompt.'))).toMatch(reason);
});

test('front matter without an end, and a file without a prompt, are errors', () => {
  expect(failureOf(doc('---', 'model: a', 'Hello.'))).toMatch(/^p\.md:1: the front matter has no end/);
  expect(failureOf(doc('---', 'model: a', '---', ' '))).toBe('p.md holds no prompt.');
  expect(failureOf('')).toBe('p.md holds no prompt.');
});
