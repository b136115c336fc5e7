import { expect, test } from 'vitest';
import { Analyzer } from './analyze.ts';
import { readQuery } from './query.ts';

function read(text: string): { readonly said: string; readonly values: string } {
  const { terms, values } = readQuery(text, new Analyzer());
  return { said: terms.filter((term) => !values.has(term)).join(' '), values: [...values].join(' ') };
}

test('a path is one file or folder, whatever words it has', () => {
  expect(read('open /srv/papers/list.bib')).toEqual({ said: 'open bib file', values: 'srv paper list' });
  expect(read('show ./src/main.py.')).toEqual({ said: 'show py file', values: 'src main' });
  expect(read('list ~/pictures')).toEqual({ said: 'list path', values: 'pictur' });
  expect(read(String.raw`remove C:\old\mail`)).toEqual({ said: 'remov path', values: 'c old mail' });
  expect(read('read notes.md')).toEqual({ said: 'read md file', values: 'note' });
});

test('an address says whose it is; where it leads is a value', () => {
  expect(read('get https://www.acme.org/two/news?page=3')).toEqual({
    said: 'get acm url',
    values: 'two news page 3',
  });
  expect(read('invite jo.smith@example.com')).toEqual({ said: 'invit email', values: 'jo smith com' });
});

test('quoted text is a value, unless its words are also said', () => {
  expect(read("add 'weather report' to the calendar")).toEqual({
    said: 'add calendar',
    values: 'weather report',
  });
  expect(read('find the song “song of songs”')).toEqual({ said: 'find song', values: '' });
});

test('slashes, dots and apostrophes between words make no value', () => {
  for (const text of [
    'read and/or write',
    'create/update issues',
    '/search for mail',
    'Node.js version',
    "the user’s and the team's mail",
    'server.tool_name',
  ])
    expect(read(text).values).toBe('');
});

test('a long query without values is read at once', () => {
  for (const text of ['a-'.repeat(2_000), '/a.'.repeat(1_300), `'${'a '.repeat(1_900)}`, 'a@'.repeat(2_000)])
    expect(readQuery(text, new Analyzer()).terms.length).toBeLessThan(4_000);
});
