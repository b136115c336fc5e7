import { expect, test } from 'vitest';
import { featuredServers } from '../featured-table.ts';
import { definitionFrom } from '../paste/definition-from.ts';
import { parsePaste } from '../paste/parse-paste.ts';
import { freeId, suggestId } from './id.ts';

test('a package is named by what it is for, and a name that says nothing by its maker', () => {
  const names: readonly [string, string][] = [
    ['@playwright/mcp', 'playwright'],
    ['@playwright/mcp@latest', 'playwright'],
    ['@sentry/mcp-server', 'sentry'],
    ['@drawio/mcp', 'drawio'],
    ['@stripe/mcp', 'stripe'],
    ['@perplexity-ai/mcp-server', 'perplexity'],
    ['@notionhq/notion-mcp-server', 'notion'],
    ['@acme/tools', 'acme-tools'],
    ['mcp-server-foo', 'foo'],
    ['foo-mcp', 'foo'],
    ['mcp_server_git', 'git'],
    ['mcp-server-time==1.2.3', 'time'],
    ['io.github.github/github-mcp-server', 'github'],
    ['com.notion/mcp', 'notion'],
    ['ghcr.io/github/github-mcp-server:latest', 'github'],
    ['ghcr.io/acme/mcp', 'acme'],
    ['mcp/postgres', 'postgres'],
  ];
  for (const [name, id] of names) expect(suggestId(name), name).toBe(id);
});

test('a package that is featured has the name of its row', () => {
  for (const { id, package: pack } of featuredServers)
    if (pack !== undefined) expect(suggestId(pack.name)).toBe(id);
});

test('a pasted command, link or package without a name is named in the same way', () => {
  const idOf = (text: string): string => {
    const [server] = parsePaste(text).servers;
    return definitionFrom(server ?? expect.fail(text), { source: { kind: 'manual' } }).id;
  };
  expect(idOf('npx -y @drawio/mcp')).toBe('drawio');
  expect(idOf('@playwright/mcp')).toBe('playwright');
  expect(idOf('https://www.npmjs.com/package/@sentry/mcp-server')).toBe('sentry');
  expect(idOf('docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server')).toBe('github');
  expect(idOf('uvx mcp-server-git')).toBe('git');
  expect(idOf('node /home/ann/acme-mcp/build/index.js')).toBe('acme');
  expect(idOf('{"mcpServers":{"mine":{"command":"npx","args":["-y","@drawio/mcp"]}}}')).toBe('mine');
});

test('a name that is taken gets its maker, or the next number', () => {
  const taken = new Set(['github', 'mail', 'mail-2']);
  const isTaken = (id: string): boolean => taken.has(id);
  expect(freeId('notion', isTaken)).toBe('notion');
  expect(freeId('github', isTaken, '@acme')).toBe('github-acme');
  expect(freeId('github', isTaken, 'github')).toBe('github-2');
  expect(freeId('mail', isTaken)).toBe('mail-3');
  expect(freeId('x'.repeat(64), (id) => id === 'x'.repeat(64))).toHaveLength(62);
});
