import { afterAll, beforeAll, describe, expect } from 'vitest';
import { openStorage, type Storage } from '../../src/storage/open.ts';
import type { SearchOutcome } from '../../src/servers/registry/search.ts';
import { isExpected, openFinding, readRegistryCopy, readRequests } from '../finding.ts';
import { verifies } from '../requirements.ts';

describe('with a copy of a registry and the featured servers, without any network', () => {
  let storage: Storage;
  let find: (words: string) => Promise<SearchOutcome>;

  beforeAll(async () => {
    storage = await openStorage({ kind: 'memory' });
    find = await openFinding(storage, readRegistryCopy());
  });
  afterAll(() => storage.close());

  verifies(
    ['S13', 'S16'],
    'of 60 requests in plain words at least 85 in 100 find the expected server first',
    async () => {
      const requests = readRequests('plain-requests.json');
      expect(requests).toHaveLength(60);
      const missed: string[] = [];
      for (const request of requests) {
        const { results } = await find(request.say);
        if (!isExpected(request, results[0])) missed.push(request.say);
      }
      expect(missed.length, missed.join('; ')).toBeLessThanOrEqual(60 * 0.15);
    },
    30_000,
  );

  verifies(['S13'], 'GitHub’s own server is found first, by its name in the registry', async () => {
    const { results } = await find('github');
    expect(results[0]).toMatchObject({
      name: 'io.github.github/github-mcp-server',
      address: 'official:io.github.github/github-mcp-server',
      verified: true,
    });
    expect(results.map(({ name }) => name)).not.toContain('io.github.hubber/notes');
  });

  verifies(['S13', 'S16'], 'a misspelt name finds the near one, and says what was searched for', async () => {
    const { corrected, results } = await find('githb');
    expect({ corrected, first: results[0]?.name }).toEqual({
      corrected: 'github',
      first: 'io.github.github/github-mcp-server',
    });
    // A name that only the registry has.
    expect(await find('timetabel')).toMatchObject({
      corrected: 'timetable',
      results: [{ name: 'io.github.railfan/train-timetable' }],
    });
    expect((await find('zendesk')).corrected).toBeUndefined();
    expect(await find('qqqqqqqq')).toMatchObject({ results: [] });
  });
});
