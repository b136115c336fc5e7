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

verifies(
  ['T7'],
  'of a large catalog the first search answers at once from what is read, and says how much is not',
  async () => {
    const steps: (() => boolean | Promise<boolean>)[] = [];
    const search = new CatalogSearch({ bySteps: (step) => steps.push(step) });
    const tools = Array.from({ length: 60 }, (_, at) =>
      Array.from({ length: 100 }, (_tool, place) => tool(`s${at}/t${place}`, `Paints canvas ${at}.`)),
    ).flat();
    const find = (queries: readonly string[], server?: string) =>
      search.find({ tools, queries, limit: 5, ...(server === undefined ? {} : { server }) });
    expect(find(['paint canvas'])).toMatchObject({ hits: { length: 5 }, unread: 4_000 });
    expect(search.size).toBe(2_000);
    // A server that is asked about is read first.
    const last = new CatalogSearch({ bySteps: (step) => steps.push(step) });
    expect(refs(last.find({ tools, queries: ['paint'], limit: 1, server: 's59' }).hits)[0]).toMatch(/^s59/);
    let whole = false;
    const reading = search.read({ tools }).then(() => (whole = true));
    const [step = () => false] = steps;
    for (let more = step(); more === true; more = step()) expect(whole).toBe(false);
    await reading;
    expect(find(['paint canvas'])).toMatchObject({ unread: 0 });
    expect(search.size).toBe(tools.length);
    // A small change is read within the search again.
    const changed = [...tools.slice(0, -1), tool('s59/t99', 'Counts sheep.')];
    expect(refs(search.find({ tools: changed, queries: ['count sheep'], limit: 1 }).hits)).toEqual([
      's59/t99',
    ]);
    expect(steps).toHaveLength(2);
  },
);
