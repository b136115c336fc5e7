import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { CatalogSearch, type SearchedTools } from '../search.ts';
import type { Tool } from '../tool.ts';

function tool(ref: string, description: string): Tool {
  const [server = '', name = ''] = ref.split('/');
  const definition = { name, description };
  return {
    ref,
    server,
    name,
    description,
    risk: 'read',
    riskFrom: 'name',
    flags: [],
    pinned: true,
    definition,
  };
}

const TOOLS = [
  tool('a/send', 'Sends an email.'),
  tool('a/list', 'Lists emails.'),
  tool('b/echo', 'Says it again.'),
];
const refs = (tools: readonly Tool[]): readonly string[] => tools.map(({ ref }) => ref);

function searching(catalog = new CatalogSearch()) {
  return (tools: readonly Tool[], query: string, about: Omit<SearchedTools, 'tools'> = {}) =>
    catalog.search({ tools, ...about }, query).tools;
}

verifies(['T7'], 'a list is searched as it is now: what is new is found, what changed or went is not', () => {
  const search = searching();
  expect(refs(search(TOOLS, 'email'))).toEqual(['a/list', 'a/send']);
  expect(refs(search(TOOLS.slice(1), 'email'))).toEqual(['a/list']);
  const changed = [tool('a/send', 'Counts sheep.'), ...TOOLS.slice(1), tool('c/mailer', 'Sends an email.')];
  expect(refs(search(changed, 'send email'))[0]).toBe('c/mailer');
  expect(refs(search(changed, 'count sheep'))).toEqual(['a/send']);
  expect(refs(search([], 'send email'))).toEqual([]);
});

test('servers that are gone do not stay in memory for ever', () => {
  const search = new CatalogSearch();
  for (let round = 0; round < 5; round += 1) {
    const crowd = Array.from({ length: 900 }, (_, at) => tool(`s${round}x${at}/t`, 'Sends an email.'));
    expect(search.search({ tools: crowd }, 'email').tools).toHaveLength(100);
    expect(search.size).toBeLessThanOrEqual(3_700);
  }
});

test('an empty search shows everything, and a server is also found by what it says of itself', () => {
  const search = searching();
  expect(search(TOOLS, ' ')).toEqual(TOOLS);
  expect(refs(search(TOOLS, 'canyon'))).toEqual([]);
  const describe = (server: string): string | undefined =>
    server === 'b' ? 'A canyon in Arizona.' : undefined;
  expect(refs(searching()(TOOLS, 'canyon', { describe }))).toEqual(['b/echo']);
});
