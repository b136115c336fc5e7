import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { openWorld } from './policy-world.ts';
import { listen, officialApi } from './registry-listener.ts';

const env = { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1' };
/** Nobody outside is asked: the two that everybody has are off. */
const OFF = '{"official": false, "smithery": false}';

verifies(
  ['W5', 'S12'],
  'a registry that is added is searched at once, switched off it is not, removed it is gone',
  async () => {
    const acme = await listen(officialApi([{ name: 'com.acme/files' }]));
    const { connect, config } = await openWorld([], { env });
    writeFileSync(join(config, 'registries.json'), OFF);
    const hub = connect('terminal');
    expect(await hub.registries.list()).toEqual([
      expect.objectContaining({ name: 'official', enabled: false, own: false }),
      expect.objectContaining({ name: 'smithery', enabled: false, own: false, kind: 'smithery' }),
    ]);
    const found = async (): Promise<readonly string[]> =>
      (await hub.registries.search({ query: 'files' })).results
        .filter(({ sources }) => !sources.includes('featured'))
        .map(({ name }) => name);
    expect(await found()).toEqual([]);
    const added = await hub.registries.save({ name: 'acme', url: acme.url });
    expect(added.at(-1)).toEqual({ name: 'acme', url: acme.url, kind: 'official', enabled: true, own: true });
    expect(await found()).toEqual(['com.acme/files']);
    expect(acme.asked.length).toBeGreaterThan(0);
    await hub.registries.save({ name: 'acme', enabled: false });
    const asked = acme.asked.length;
    expect(await found()).toEqual([]);
    expect(acme.asked).toHaveLength(asked);
    expect((await hub.registries.list()).at(-1)).toMatchObject({
      name: 'acme',
      url: acme.url,
      enabled: false,
    });
    await hub.registries.save({ name: 'acme', enabled: true });
    expect(await found()).toEqual(['com.acme/files']);
    expect((await hub.registries.remove({ name: 'acme' })).map(({ name }) => name)).toEqual([
      'official',
      'smithery',
    ]);
    expect(await found()).toEqual([]);
    expect(JSON.parse(readFileSync(join(config, 'registries.json'), 'utf8'))).toEqual(JSON.parse(OFF));
  },
  20_000,
);

verifies(
  ['W5', 'S12'],
  'the file keeps what somebody wrote by hand, and only its owner may read it',
  async () => {
    const { connect, config } = await openWorld([], { env });
    const file = join(config, 'registries.json');
    const hub = connect('terminal');
    const ours = {
      url: 'https://registry.acme.test',
      headers: { authorization: '${ACME_KEY}' },
      note: 'ours',
    };
    writeFileSync(file, JSON.stringify({ official: { headers: { 'x-a': 'b' } }, acme: ours }));
    await hub.registries.save({ name: 'acme', enabled: false });
    await hub.registries.save({ name: 'official', enabled: false });
    await hub.registries.save({ name: 'smithery', enabled: false });
    const read = (): unknown => JSON.parse(readFileSync(file, 'utf8'));
    expect(read()).toEqual({
      official: { headers: { 'x-a': 'b' }, enabled: false },
      acme: { ...ours, enabled: false },
      smithery: false,
    });
    expect(statSync(file).mode & 0o077).toBe(0);
    await hub.registries.save({ name: 'smithery', enabled: true });
    await hub.registries.save({ name: 'official', enabled: true });
    // A key is for the address that it was given for.
    await hub.registries.save({ name: 'acme', url: 'https://elsewhere.test', enabled: true });
    expect(read()).toEqual({
      official: { headers: { 'x-a': 'b' } },
      acme: { url: 'https://elsewhere.test', note: 'ours' },
    });
    const names = Array.from({ length: 10 }, (_, index) => `r${index}`);
    await Promise.all(names.map((name) => hub.registries.save({ name, url: `https://${name}.test` })));
    expect(Object.keys(read() as object)).toEqual(expect.arrayContaining(names));
  },
);

verifies(['W5', 'S12'], 'what cannot be a registry is refused, and nothing is written', async () => {
  const { connect, config } = await openWorld([], { env });
  const hub = connect('terminal');
  const refused = async (registry: Parameters<typeof hub.registries.save>[0]): Promise<unknown> =>
    hub.registries.save(registry).catch((error: unknown) => error);
  for (const url of [
    'ftp://a.test',
    'registry',
    'https://me:secret1@a.test',
    'file:///etc/passwd',
    'ws://a.test',
  ]) {
    const error = await refused({ name: 'acme', url });
    expect(error).toMatchObject({ code: 'usage', message: expect.not.stringContaining('secret1') });
  }
  expect(await refused({ name: 'acme' })).toMatchObject({
    code: 'usage',
    message: '“acme” needs an address.',
  });
  expect(await refused({ name: 'all', url: 'https://a.test' })).toMatchObject({ code: 'usage' });
  expect(await refused({ name: 'featured', url: 'https://a.test' })).toMatchObject({ code: 'usage' });
  expect(await refused({ name: '__proto__', url: 'https://a.test' })).toMatchObject({ code: 'usage' });
  expect(await refused({ name: 'official', url: 'https://a.test' })).toMatchObject({ code: 'usage' });
  await expect(hub.registries.remove({ name: 'official' })).rejects.toMatchObject({
    next: 'Disable it instead.',
  });
  await expect(hub.registries.remove({ name: 'nobody' })).rejects.toMatchObject({ code: 'not_found' });
  expect(existsSync(join(config, 'registries.json'))).toBe(false);
  writeFileSync(join(config, 'registries.json'), '{ broken');
  expect(await refused({ name: 'acme', url: 'https://a.test' })).toMatchObject({ code: 'bad_config' });
  expect(readFileSync(join(config, 'registries.json'), 'utf8')).toBe('{ broken');
});

verifies(['W5', 'S12'], 'registries that the environment sets are shown, and not changed here', async () => {
  const PLUG_REGISTRIES = '{"official": false, "smithery": false, "team": {"url": "https://r.team.test"}}';
  const { connect, config } = await openWorld([], { env: { ...env, PLUG_REGISTRIES } });
  const hub = connect('terminal');
  expect((await hub.registries.list()).filter(({ enabled }) => enabled)).toMatchObject([{ name: 'team' }]);
  for (const change of [
    hub.registries.save({ name: 'acme', url: 'https://a.test' }),
    hub.registries.remove({ name: 'team' }),
  ]) {
    await expect(change).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('PLUG_REGISTRIES'),
      next: expect.stringContaining('PLUG_REGISTRIES'),
    });
  }
  expect(existsSync(join(config, 'registries.json'))).toBe(false);
});
