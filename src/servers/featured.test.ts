import { expect } from 'vitest';
import { isServerId } from './definition.ts';
import { featuredLookup, getFeatured, listFeatured } from './featured.ts';
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
    const said = [...server.words, ...server.topics];
    expect(said.every((word) => word === word.toLowerCase())).toBe(true);
    expect(server.about, server.id).toMatch(/^[A-Z0-9].*\.$/);
    const secrets = (server.package?.inputs ?? []).filter(({ kind }) => kind === 'secret');
    // A package that says it needs a key asks for one, and the other way round.
    if (server.package) expect(secrets.length > 0, server.id).toBe(['key', 'oauth'].includes(server.auth));
  }
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
