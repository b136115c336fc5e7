import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { startHttpFixture } from '../servers/start.ts';
import { startAuthorizationServer, startProtectedServer } from '../sign-in/start.ts';
import { answerOf, newPlug } from './plug-command.ts';
import { listen, officialApi, registriesAt, smitheryApi } from './registry-listener.ts';
import { standInNpx } from './stand-in-npx.ts';

const LONG_MS = 60_000;

const WEATHER = {
  name: 'io.github.acme/weather',
  description: 'Weather for sailors',
  repository: { url: 'https://github.com/acme/weather', source: 'github' },
  packages: [
    {
      registryType: 'npm',
      identifier: 'acme-weather',
      version: '1.2.3',
      transport: { type: 'stdio' },
      environmentVariables: [{ name: 'WEATHER_API_KEY', isRequired: true, isSecret: true }],
    },
  ],
};

function npmAnswer(name: string): (url: URL) => object | undefined {
  const dist = { integrity: 'sha512-c2FtcGxl' };
  return (url) =>
    url.pathname === `/${name}`
      ? { name, 'dist-tags': { latest: '1.2.3' }, versions: { '1.2.3': { name, version: '1.2.3', dist } } }
      : undefined;
}

verifies(
  ['S13'],
  'plug search asks both registries, tags results by source, and says which one failed',
  async () => {
    const official = await listen(officialApi([WEATHER]));
    const smithery = await listen(
      smitheryApi([
        {
          qualifiedName: 'acme/weather',
          displayName: 'Weather',
          description: 'Weather',
          useCount: 40,
          verified: true,
        },
      ]),
    );
    const plug = newPlug(registriesAt({ official: official.url, smithery: smithery.url }));
    const both = await plug.json('search', 'weather');
    expect(both['registries']).toMatchObject([
      { name: 'official', state: 'live' },
      { name: 'smithery', state: 'live' },
    ]);
    expect(both['results']).toMatchObject([
      { sources: ['official', 'smithery'], verified: true, useCount: 40 },
    ]);
    const one = await plug.json('search', 'weather', '--registry', 'smithery');
    expect(one['registries']).toMatchObject([{ name: 'smithery' }]);

    smithery.answer = () => ({ status: 500, text: '<html>oops</html>' });
    const partial = await plug('search', 'storm', 'weather');
    expect(partial.stderr).toContain('smithery');
    official.answer = () => ({ status: 200, text: '<html>not json</html>' });
    const cached = await plug('search', 'weather');
    expect(cached.code).toBe(0);
    expect(cached.stdout).toContain('io.github.acme/weather');
    expect(cached.stderr).toMatch(/official.*web page.*ago/);

    const asked = official.asked.length + smithery.asked.length;
    const offline = await plug.json('search', 'weather', '--offline');
    expect(offline['registries']).toMatchObject([
      { name: 'official', state: 'cached', ageMs: expect.any(Number) },
      { name: 'smithery', state: 'cached' },
    ]);
    expect(offline['results']).toHaveLength(1);
    expect(official.asked.length + smithery.asked.length).toBe(asked);
    expect((await plug('search', 'weather', '--registry', 'nowhere')).stderr).toContain('Known are official');
  },
  LONG_MS,
);

verifies(
  ['S13'],
  'any registry that speaks the official API can be added by its address, with a key from the vault, and copied',
  async () => {
    const acme = await listen(
      officialApi([{ name: 'com.acme/ledger', description: 'Accounts of the company' }]),
    );
    const plug = newPlug();
    mkdirSync(join(plug.home, 'plug'), { recursive: true, mode: 0o700 });
    const headers = { authorization: 'Bearer ${vault:acme-registry}' };
    writeFileSync(
      join(plug.home, 'plug', 'registries.json'),
      JSON.stringify({ official: false, smithery: false, acme: { url: acme.url, headers } }),
    );
    const missing = await plug('search', 'ledger');
    expect(missing.stderr).toContain('acme');
    expect(missing.code).not.toBe(0);
    const kept = await answerOf(plug.begin(['secrets', 'set', 'acme-registry'], 'opensesame-1234\n'));
    expect(kept.code).toBe(0);
    const found = await plug('search', 'ledger', '--json');
    expect(JSON.parse(found.stdout)).toMatchObject({
      results: [{ name: 'com.acme/ledger', sources: ['acme'] }],
    });
    expect(acme.headers.at(-1)?.authorization).toBe('Bearer opensesame-1234');
    expect((await plug('search', '--sync')).stdout).toContain('acme is copied: 1 entries');
    const asked = acme.asked.length;
    // The copy knows descriptions, which the API itself does not search.
    expect((await plug.json('search', 'accounts'))['results']).toMatchObject([{ name: 'com.acme/ledger' }]);
    expect(acme.asked).toHaveLength(asked);
  },
  LONG_MS,
);

verifies(
  ['S14', 'S15', 'S17'],
  'a registry entry is installed from a plan with an exact version and its integrity; its key goes into the vault',
  async () => {
    const official = await listen(officialApi([WEATHER]));
    const npm = await listen(npmAnswer('acme-weather'));
    const { PATH, calls } = standInNpx();
    const plug = newPlug({ ...registriesAt({ official: official.url }), PATH, npm_config_registry: npm.url });

    const missing = await plug('add', 'io.github.acme/weather', '--yes');
    expect(missing.code).toBe(5);
    expect(missing.stdout).toContain('acme-weather 1.2.3, exactly this version');
    expect(missing.stdout).toContain('published by io.github.acme');
    expect(missing.stderr).toContain('still needs Weather API key');
    expect((await plug.json('list'))['servers']).toEqual([]);
    expect(await plug.json('secrets', 'list')).toMatchObject({ secrets: [] });

    const added = await plug.json('add', 'io.github.acme/weather', 'WEATHER_API_KEY=canary-5512', '--yes');
    expect(added).toMatchObject({
      tested: true,
      summary: expect.stringMatching(/^Connected to .* \d+ tools/),
      secrets: ['weather/WEATHER_API_KEY'],
      plan: { package: { version: '1.2.3', pinned: 'exact', integrity: 'sha512-c2FtcGxl' } },
    });
    expect(JSON.stringify(added)).not.toContain('canary-5512');
    expect(calls()).toEqual(['-y acme-weather@1.2.3']);
    expect((await plug('call', 'weather/env')).stdout).toContain('"WEATHER_API_KEY":"canary-5512"');
    const { text } = await plug.json('export', 'weather', '--to', 'mcp-json');
    expect(text).toContain('${vault:weather/WEATHER_API_KEY}');
    const twice = await plug('add', 'io.github.acme/weather', 'WEATHER_API_KEY=other-5513', '--yes');
    expect(twice.stderr).toContain('A server named “weather” already exists');
    expect((await plug('call', 'weather/env')).stdout).toContain('canary-5512');
  },
  LONG_MS,
);

verifies(
  ['S14'],
  'a package that does not exist is said before anything runs',
  async () => {
    const npm = await listen(() => undefined);
    const { PATH, calls } = standInNpx();
    const official = await listen(officialApi([]));
    const plug = newPlug({ ...registriesAt({ official: official.url }), PATH, npm_config_registry: npm.url });
    const { code, stderr } = await plug('add', '@acme/no-such-server', '--yes');
    expect(code).toBe(6);
    expect(stderr).toContain('There is no package @acme/no-such-server');
    expect(calls()).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['S13', 'S16', 'S17'],
  'plain words find a listed server; several are listed instead of guessed; nothing is said to be nothing',
  async () => {
    await using remote = await startHttpFixture('dual');
    const official = await listen(
      officialApi([
        { name: 'com.acme/tides', remotes: [{ type: 'streamable-http', url: remote.url }] },
        { name: 'com.acme/tides-pro', remotes: [{ type: 'sse', url: 'https://tides.example/pro' }] },
      ]),
    );
    const plug = newPlug(registriesAt({ official: official.url }));
    const several = await plug('add', 'tides');
    expect(several.code).toBe(6);
    expect(several.stdout).toContain('com.acme/tides-pro');
    expect(several.stderr).toContain('plug add official:com.acme/tides');
    expect((await plug.json('list'))['servers']).toEqual([]);
    expect(await plug.json('add', 'com.acme/tides', '--yes')).toMatchObject({
      server: { id: 'tides' },
      tested: true,
    });
    const nothing = await plug('add', 'unheard', 'of', 'thing');
    expect(nothing).toMatchObject({ code: 6 });
    expect(nothing.stderr).toContain('No server of that name is known');
  },
  LONG_MS,
);

verifies(
  ['S15', 'S17'],
  'a server that wants a sign-in is saved, and the next step is named',
  async () => {
    await using authorization = await startAuthorizationServer();
    await using remote = await startProtectedServer({ issuer: authorization.url });
    const plug = newPlug({ PLUG_REGISTRIES: '{"official":false,"smithery":false}' });
    const added = await plug('add', remote.url, '--name', 'guarded');
    expect(added.stdout).toContain('It answered 401: it wants you to sign in');
    expect(added).toMatchObject({ code: 4, stdout: expect.stringContaining('Next: plug auth guarded') });
    expect((await plug.json('list'))['servers']).toMatchObject([{ id: 'guarded' }]);
  },
  LONG_MS,
);
