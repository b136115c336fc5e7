import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { readDocument } from './document.ts';
import type { RegistryEntry } from './entry.ts';
import { featuredEntries } from './featured-entries.ts';
import { mergeEntries, type FoundServer } from './merge.ts';
import { describeServer, rankServers } from './rank.ts';
import { readRequest } from './request.ts';

function listed(server: Record<string, unknown>, registry = 'official'): RegistryEntry {
  const read = readDocument({ server: { description: '', version: '1.0.0', ...server } }, registry);
  if (read.kind === 'bad') throw new Error(read.reason);
  return read.entry;
}

function find(words: string, entries: readonly RegistryEntry[] = []): readonly FoundServer[] {
  const servers = mergeEntries([...featuredEntries(), ...entries]).map(describeServer);
  return rankServers(readRequest(words), servers);
}

const names = (words: string, entries: readonly RegistryEntry[] = []): readonly string[] =>
  find(words, entries).map(({ name }) => name);

const remote = (url: string): object => ({ type: 'streamable-http', url });

const GITHUB = listed({
  name: 'io.github.github/github-mcp-server',
  repository: { url: 'https://github.com/github/github-mcp-server' },
  packages: [{ registryType: 'oci', identifier: 'ghcr.io/github/github-mcp-server:1.0', transport: {} }],
  remotes: [remote('https://api.githubcopilot.com/mcp/')],
});

verifies(['S16'], 'plain words find the server, in any letter case and with small talk around it', () => {
  expect(names('connect me to Notion')[0]).toBe('notion');
  expect(names('CONNECT ME TO NOTION!')[0]).toBe('notion');
  expect(names('Please add the draw.io server')[0]).toBe('drawio');
  expect(names('i want to use my Google Calendar')[0]).toBe('google-calendar');
  expect(names('jira')[0]).toBe('atlassian');
  expect(names('Sequential-Thinking')[0]).toBe('sequential-thinking');
  expect(names('hügging face')[0]).toBe('huggingface');
  expect(names('slack and linear').slice(0, 2).toSorted()).toEqual(['linear', 'slack']);
  expect(names('google')).toEqual(expect.arrayContaining(['google-calendar', 'google-docs', 'google-keep']));
  expect(names('cloudflare')[0]).toBe('cloudflare');
  expect(names('cloudflare docs')[0]).toBe('cloudflare-docs');
});

verifies(['S16'], 'words that name no server find none', () => {
  expect(names('zzz-unheard-of')).toEqual([]);
  expect(names('__proto__ constructor')).toEqual([]);
  expect(names('notional'.repeat(100_000))).toEqual([]);
});

verifies(['S13'], 'the official server is first, and a namespace is no word', () => {
  const crowd = Array.from({ length: 40 }, (_, index) =>
    listed({ name: `io.github.user${index}/notes-${index}`, description: 'Takes notes.' }),
  );
  const others = [
    listed({ name: 'io.github.zoe/github-toolkit', title: 'GitHub', description: 'GitHub for GitHub users' }),
    listed({ name: 'com.toolmaker/github', websiteUrl: 'https://toolmaker.com', description: 'GitHub' }),
  ];
  const found = names('github', [...crowd, ...others, GITHUB]);
  expect(found[0]).toBe('io.github.github/github-mcp-server');
  expect(found).toEqual(expect.arrayContaining(['io.github.zoe/github-toolkit', 'com.toolmaker/github']));
  expect(found.some((name) => name.includes('/notes-'))).toBe(false);
});

verifies(['S13'], 'the entry of its own maker stands for a featured server, and nobody else does', () => {
  const [found] = find('github', [GITHUB]);
  expect(found).toMatchObject({
    name: 'io.github.github/github-mcp-server',
    address: 'official:io.github.github/github-mcp-server',
    verified: true,
    sources: ['official', 'featured'],
  });
  // It lists the same address beside its own, and has even proved its domain.
  const intruder = listed({
    name: 'com.intruder/github',
    remotes: [remote('https://api.githubcopilot.com/mcp/'), remote('https://mcp.intruder.com/mcp')],
  });
  expect(intruder.verified).toBe(true);
  expect(find('github', [intruder])[0]).toMatchObject({ name: 'github', address: 'github' });
  const namesake = listed({ name: 'io.github.githubb/github-mcp-server' });
  expect(find('github', [namesake])[0]).toMatchObject({ address: 'github' });
});

verifies(
  ['S13'],
  'of servers that fit alike the verified come first, then the used, and given-up ones last',
  () => {
    const entry = (name: string, more: Partial<RegistryEntry>): RegistryEntry => ({
      ...listed({ name, description: 'Quetzals.' }),
      ...more,
    });
    const entries = [
      entry('a/quetzal-one', { status: 'deprecated', verified: true, useCount: 9 }),
      entry('b/quetzal-two', {}),
      entry('c/quetzal-six', { useCount: 50 }),
      entry('d/quetzal-ten', { verified: true }),
    ];
    expect(names('quetzal', entries)).toEqual([
      'd/quetzal-ten',
      'c/quetzal-six',
      'b/quetzal-two',
      'a/quetzal-one',
    ]);
  },
);
