import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { openWorld } from './policy-world.ts';
import { listen, officialApi, registriesAt, smitheryApi, type Listener } from './registry-listener.ts';

const env = { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1' };

const remote = (url: string): object => ({ type: 'streamable-http', url });
const GITHUB = {
  name: 'io.github.github/github-mcp-server',
  description: 'GitHub',
  remotes: [remote('https://api.githubcopilot.com/mcp/')],
};

/** Lists what it is given, and answers with the details of each. */
function smitheryWith(servers: readonly { readonly qualifiedName: string }[]): Listener['answer'] {
  const list = smitheryApi(servers);
  return (url) => {
    const name = decodeURIComponent(url.pathname.replace(/^\/servers\/?/, ''));
    const found = servers.find(({ qualifiedName }) => qualifiedName === name);
    if (!found) return list(url);
    const deploymentUrl = `https://server.smithery.ai/${name}`;
    return { ...found, deploymentUrl, connections: [{ type: 'http', deploymentUrl }] };
  };
}

verifies(
  ['S13', 'S16'],
  'what search gives out leads to exactly that entry, and GitHub’s own server is first',
  async () => {
    const official = await listen(
      officialApi([
        ...Array.from({ length: 30 }, (_, index) => ({ name: `io.github.user${index}/notes` })),
        { name: 'io.github.zoe/github-toolkit', remotes: [remote('https://tools.zoe.example/mcp')] },
        GITHUB,
      ]),
    );
    const smithery = await listen(
      smitheryWith([{ qualifiedName: '@smithery-ai/github' }, { qualifiedName: 'github' }]),
    );
    const urls = { official: official.url, smithery: smithery.url };
    const { connect } = await openWorld([], { env: { ...env, ...registriesAt(urls) } });
    const hub = connect('terminal');
    const { results, featured } = await hub.registries.search({ query: 'github' });
    expect(featured.servers).toBeGreaterThan(40);
    expect(results[0]).toMatchObject({
      name: GITHUB.name,
      address: `official:${GITHUB.name}`,
      sources: ['official', 'featured', 'smithery'],
      verified: true,
    });
    const addresses = results.map(({ address }) => address);
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(addresses).toEqual(
      expect.arrayContaining(['official:io.github.zoe/github-toolkit', 'smithery:@smithery-ai/github']),
    );
    const urlAt = async (text: string, offline = true): Promise<string | undefined> => {
      const { plans, declined } = await hub.plans.make({ text, offline });
      expect(declined).toEqual([]);
      expect(plans).toHaveLength(1);
      return plans[0]?.view.url;
    };
    expect(await urlAt(`official:${GITHUB.name}`)).toBe('https://api.githubcopilot.com/mcp/');
    expect(await urlAt('official:io.github.zoe/github-toolkit')).toBe('https://tools.zoe.example/mcp');
    // Smithery's own address is not in its list; it is asked for it.
    expect(await urlAt('smithery:@smithery-ai/github', false)).toContain(
      'server.smithery.ai/@smithery-ai/github',
    );
    expect(await urlAt('github')).toBe('https://api.githubcopilot.com/mcp/');
    expect(await urlAt('featured:github')).toBe('https://api.githubcopilot.com/mcp/');
    // A bare name that only one of them lists.
    expect(await urlAt('io.github.zoe/github-toolkit')).toBe('https://tools.zoe.example/mcp');
  },
  20_000,
);

verifies(
  ['S13'],
  'a name that two registries list is one server, and each of its entries has an address',
  async () => {
    const official = await listen(
      officialApi([{ name: 'acme/ledger', remotes: [remote('https://one.example/mcp')] }]),
    );
    const other = await listen(
      officialApi([{ name: 'acme/ledger', remotes: [remote('https://two.example/mcp')] }]),
    );
    const PLUG_REGISTRIES = JSON.stringify({
      official: { url: official.url },
      smithery: false,
      company: { url: other.url },
    });
    const { connect } = await openWorld([], { env: { ...env, PLUG_REGISTRIES } });
    const hub = connect('terminal');
    const found = await hub.registries.search({ query: 'ledger', registries: ['official', 'company'] });
    expect(found.results.map(({ address }) => address)).toEqual(['official:acme/ledger']);
    const { plans } = await hub.plans.make({ text: 'company:acme/ledger', offline: true });
    expect(plans.map(({ view }) => view.url)).toEqual(['https://two.example/mcp']);
    const off = await hub.plans.make({ text: 'smithery:acme/ledger' });
    expect(off).toMatchObject({ plans: [], declined: [{ code: 'usage' }] });
    const gone = await hub.plans.make({ text: 'company:acme/nothing' });
    expect(gone).toMatchObject({ plans: [], declined: [{ code: 'not_found' }] });
  },
  20_000,
);

verifies(
  ['S13', 'S16'],
  'a registry that cannot be asked is never “not listed”: it is named, and what is known here is searched',
  async () => {
    const official = await listen(officialApi([{ name: 'com.acme/tides', description: 'Tides of the sea' }]));
    const { connect } = await openWorld([], { env: { ...env, ...registriesAt({ official: official.url }) } });
    const hub = connect('terminal');
    await hub.registries.search({ query: 'tides' });
    official.answer = () => ({ status: 503, text: '{}' });
    const known = await hub.registries.search({ query: 'sea' });
    expect(known.results.map(({ address }) => address)).toEqual(['official:com.acme/tides']);
    expect(known.registries).toMatchObject([{ name: 'official', state: 'cached', copied: 1 }]);
    const nothing = await hub.registries.search({ query: 'quetzal' });
    expect(nothing).toMatchObject({
      results: [],
      registries: [{ name: 'official', state: 'failed', copied: 1, reason: expect.stringContaining('503') }],
      featured: { results: 0 },
    });
    expect((await hub.registries.search({ query: 'read my calendar' })).results[0]?.address).toBe(
      'google-calendar',
    );
    for (const offline of [false, true]) {
      const { declined } = await hub.plans.make({ text: 'io.github.acme/quetzal', offline });
      expect(declined).toMatchObject([{ code: 'unreachable', owner: 'network' }]);
    }
    official.answer = officialApi([]);
    const { declined } = await hub.plans.make({ text: 'io.github.acme/quetzal' });
    expect(declined).toMatchObject([{ code: 'not_found' }]);
  },
  20_000,
);
