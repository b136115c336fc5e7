import { expect } from 'vitest';
import { isServerId } from './definition.ts';
import { featuredLookup, findFeatured, getFeatured, listFeatured } from './featured.ts';
import { problemOfUrl } from './server-url.ts';
import { verifies } from '../../test/requirements.ts';

const NAMED = [
  'linear notion figma slack drawio google-calendar google-docs google-keep github filesystem memory',
  'sequential-thinking context7 perplexity sentry stripe',
]
  .join(' ')
  .split(' ');

verifies(['S16'], 'at least 40 servers are known without any network, each with all its facts', () => {
  const all = listFeatured();
  expect(all.length).toBeGreaterThanOrEqual(40);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const id of NAMED) expect(getFeatured(id)?.readTool, id).toBeDefined();
  for (const server of all) {
    expect(isServerId(server.id), server.id).toBe(true);
    expect(Number(server.remote !== undefined) + Number(server.package !== undefined), server.id).toBe(1);
    expect(problemOfUrl(server.docs), server.id).toBeUndefined();
    if (server.remote) expect(problemOfUrl(server.remote.url), server.id).toBeUndefined();
    expect(server.words.every((word) => word === word.toLowerCase())).toBe(true);
    const secrets = (server.package?.inputs ?? []).filter(({ kind }) => kind === 'secret');
    // A package that says it needs a key asks for one, and the other way round.
    if (server.package) expect(secrets.length > 0, server.id).toBe(['key', 'oauth'].includes(server.auth));
  }
});

verifies(['S16'], 'plain words find the server, in any letter case and with small talk around it', () => {
  const first = (words: string): string | undefined => findFeatured(words)[0]?.server.id;
  expect(first('connect me to Notion')).toBe('notion');
  expect(first('CONNECT ME TO NOTION!')).toBe('notion');
  expect(first('Please add the draw.io server')).toBe('drawio');
  expect(first('i want to use my Google Calendar')).toBe('google-calendar');
  expect(first('jira')).toBe('atlassian');
  expect(first('Sequential-Thinking')).toBe('sequential-thinking');
  expect(first('hügging face')).toBe('huggingface');
  expect(findFeatured('notion')[0]?.strength).toBe(3);
});

verifies(['S16'], 'several matches are ranked: exact name, longest name, then order of speech', () => {
  const ids = (words: string): readonly string[] => findFeatured(words).map(({ server }) => server.id);
  expect(ids('slack and linear')).toEqual(['slack', 'linear']);
  expect(ids('google').toSorted()).toEqual(['google-calendar', 'google-docs', 'google-keep']);
  expect(ids('cloudflare')[0]).toBe('cloudflare');
  expect(ids('cloudflare docs')[0]).toBe('cloudflare-docs');
});

verifies(['S16'], 'words that name no server find none', () => {
  expect(findFeatured('connect me to the server please')).toEqual([]);
  expect(findFeatured('')).toEqual([]);
  expect(findFeatured('zzz-unheard-of')).toEqual([]);
  expect(findFeatured('__proto__ constructor')).toEqual([]);
  expect(findFeatured('notional'.repeat(100_000))).toEqual([]);
});

verifies(['S16'], 'an exact name gives the entry that a config file would hold', () => {
  expect(featuredLookup.find('notion')).toEqual({
    id: 'notion',
    name: 'Notion',
    url: 'https://mcp.notion.com/mcp',
  });
  expect(featuredLookup.find('perplexity')).toMatchObject({
    command: 'npx',
    args: ['-y', '@perplexity-ai/mcp-server'],
    env: ['PERPLEXITY_API_KEY'],
  });
  expect(featuredLookup.find('grafana')?.args?.slice(0, 5)).toEqual([
    'run',
    '-i',
    '--rm',
    '-e',
    'GRAFANA_URL',
  ]);
  expect(featuredLookup.find('connect me to notion')).toBeUndefined();
});
