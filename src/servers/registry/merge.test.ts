import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { readDocument } from './document.ts';
import type { RegistryEntry } from './entry.ts';
import { mergeEntries } from './merge.ts';

function entryOf(registry: string, server: Record<string, unknown>): RegistryEntry {
  const read = readDocument({ server: { description: '', version: '1.0.0', ...server } }, registry);
  if (read.kind === 'bad') throw new Error(read.reason);
  return read.entry;
}

const names = (entries: readonly RegistryEntry[]): readonly (readonly string[])[] =>
  mergeEntries(entries).map((found) => found.entries.map(({ registry, name }) => `${registry}:${name}`));

const npm = (identifier: string): object => ({
  registryType: 'npm',
  identifier,
  transport: { type: 'stdio' },
});
const remote = (url: string): object => ({ type: 'streamable-http', url });

verifies(['S13'], 'the same repository, package, host or nearly the same name is one server', () => {
  const pairs: readonly (readonly [Record<string, unknown>, Record<string, unknown>])[] = [
    [
      { name: 'io.github.a/one', repository: { url: 'https://github.com/A/one.git' } },
      { name: 'b/two', repository: { url: 'git@github.com:a/one' } },
    ],
    [
      { name: 'x/p', packages: [npm('@x/pack')] },
      { name: 'y/q', packages: [npm('@x/pack@1.2.3')] },
    ],
    [
      { name: 'x/p', packages: [{ registryType: 'oci', identifier: 'docker.io/x/p:1.0' }] },
      { name: 'y/q', packages: [{ registryType: 'oci', identifier: 'x/p:2.0' }] },
    ],
    [
      { name: 'com.maps/mcp', remotes: [remote('https://mcp.maps.example/mcp')] },
      { name: 'z/q', remotes: [remote('https://mcp.maps.example/sse')] },
    ],
    [{ name: 'io.github.upstash/context7' }, { name: '@upstash/context7-mcp' }],
    [{ name: 'com.notion/mcp' }, { name: 'notion' }],
  ];
  for (const [a, b] of pairs) expect(names([entryOf('one', a), entryOf('two', b)])).toHaveLength(1);
});

verifies(['S13'], 'servers that only look related stay apart', () => {
  const pairs: readonly (readonly [Record<string, unknown>, Record<string, unknown>])[] = [
    [{ name: 'acme/files' }, { name: 'other/files' }],
    [
      { name: 'a/x', remotes: [remote('https://server.smithery.ai/a/x')] },
      { name: 'b/y', remotes: [remote('https://server.smithery.ai/b/y')] },
    ],
  ];
  for (const [a, b] of pairs) expect(names([entryOf('one', a), entryOf('two', b)])).toHaveLength(2);
  // One registry lists two servers of one repository: they are two, and a third place joins the right one.
  const repository = { url: 'https://github.com/acme/servers' };
  expect(
    names([
      entryOf('one', { name: 'acme/alpha', repository }),
      entryOf('one', { name: 'acme/beta', repository }),
      entryOf('two', { name: 'acme/beta-mcp', repository }),
      entryOf('two', { name: 'acme/alpha-server', repository }),
    ]),
  ).toEqual([
    ['one:acme/alpha', 'two:acme/alpha-server'],
    ['one:acme/beta', 'two:acme/beta-mcp'],
  ]);
});

verifies(
  ['S13'],
  'a publisher that proved its domain is verified; an account or a borrowed name is not',
  () => {
    const verified = (server: Record<string, unknown>): boolean => entryOf('one', server).verified;
    expect(verified({ name: 'com.acme/mcp', remotes: [remote('https://mcp.acme.com/mcp')] })).toBe(true);
    expect(verified({ name: 'com.acme/mcp', websiteUrl: 'https://acme.com/docs' })).toBe(true);
    expect(verified({ name: 'com.acme/mcp', remotes: [remote('https://acme.com.evil.example/')] })).toBe(
      false,
    );
    expect(verified({ name: 'com.acme/mcp', remotes: [remote('https://notacme.com/')] })).toBe(false);
    expect(verified({ name: 'uk.co.acme/mcp', remotes: [remote('https://other.co.uk/')] })).toBe(false);
    expect(verified({ name: 'io.github.acme/x', websiteUrl: 'https://acme.github.io' })).toBe(false);
    // A featured package is known, but it does not vouch for what is offered beside it.
    expect(verified({ name: 'a/b', packages: [npm('@playwright/mcp')] })).toBe(true);
    expect(verified({ name: 'a/b', packages: [npm('@playwright/mcp'), npm('evil')] })).toBe(false);
  },
);

verifies(['S13'], 'a document with strange fields does no harm', () => {
  const text = `{"server":{"name":"a/b","description":7,"packages":{"x":1},"remotes":[1,null,{"url":5}],
    "__proto__":{"polluted":true},"repository":"https://github.com/a/b","version":3},"_meta":null}`;
  const read = readDocument(JSON.parse(text), 'one');
  expect(read).toMatchObject({ kind: 'ok', entry: { packages: [], remotes: [], description: '' } });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(readDocument({ server: { name: 'x'.repeat(5_000) } }, 'one').kind).toBe('bad');
  expect(readDocument({ server: { name: 'a/b', extra: 'x'.repeat(1_000_000) } }, 'one').kind).toBe('bad');
});

verifies(['S13'], 'a stranger that lists a verified package beside its own does not stand for it', () => {
  const verified = {
    ...entryOf('two', { name: 'acme/maps', packages: [npm('@acme/maps')] }),
    verified: true,
  };
  const smithery: RegistryEntry = { ...verified, kind: 'smithery' };
  const stranger = entryOf('one', {
    name: 'io.github.evil/maps',
    packages: [npm('@acme/maps'), npm('evil')],
  });
  expect(mergeEntries([stranger, smithery])).toMatchObject([{ address: 'two:acme/maps', verified: true }]);
  const own = entryOf('one', { name: 'io.github.acme/maps', packages: [npm('@acme/maps')] });
  expect(mergeEntries([smithery, own])).toMatchObject([
    { address: 'one:io.github.acme/maps', verified: true, sources: ['one', 'two'] },
  ]);
});
