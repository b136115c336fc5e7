import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { npmRunner } from '../../connections/processes/run-npm.ts';
import { verifies } from '../../../test/requirements.ts';
import { temporaryFolder } from '../../../test/servers/temporary-folder.ts';
import { fillPlan } from '../../servers/plans/fill.ts';
import { npmMetadata, pypiMetadata } from '../../servers/plans/package-metadata.ts';
import { planPasted } from '../../servers/plans/pasted-plan.ts';
import { type MetadataByRegistry, checkIntegrity, pinPlan } from '../../servers/plans/pin.ts';
import type { InstallPlan } from '../../servers/plans/plan.ts';

function release(version: string, dist: object): object {
  return { name: '@acme/tool', version, dist };
}

const PACKAGES: Readonly<Record<string, unknown>> = {
  '/@acme%2ftool': {
    name: '@acme/tool',
    'dist-tags': { latest: '2.1.0', next: '3.0.0-beta.1' },
    versions: {
      '1.0.0': {
        ...release('1.0.0', { shasum: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' }),
        deprecated: 'use 2',
      },
      '2.1.0': release('2.1.0', { integrity: 'sha512-two' }),
      '3.0.0-beta.1': release('3.0.0-beta.1', { integrity: 'sha512-three' }),
    },
  },
};

const FILES = {
  name: 'acme-tool',
  files: [
    { filename: 'acme_tool-1.9.0-py3-none-any.whl', hashes: { sha256: '1'.repeat(64) }, yanked: 'broken' },
    { filename: 'acme_tool-1.10.0.tar.gz', hashes: { sha256: '2'.repeat(64) } },
    { filename: 'acme_tool-1.10.0-py3-none-any.whl', hashes: { sha256: '3'.repeat(64) }, yanked: false },
    { filename: 'acme_tool-2.0.0rc1-py3-none-any.whl', hashes: { sha256: '4'.repeat(64) } },
  ],
};

/** A package registry in the shape that npm reads, on loopback. */
async function packages(
  env: (url: string) => NodeJS.ProcessEnv = (url) => ({ npm_config_registry: url }),
): Promise<{ metadata: MetadataByRegistry; asked: string[]; tokens: (string | undefined)[] }> {
  const asked: string[] = [];
  const tokens: (string | undefined)[] = [];
  const listener = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.accept}`);
    tokens.push(request.headers.authorization);
    const found = request.url === '/simple/acme-tool/' ? FILES : PACKAGES[request.url ?? ''];
    const missing = request.url === '/broken' ? 500 : 404;
    response.writeHead(found === undefined ? missing : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { error: 'Not found' }));
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`; // a TCP listener
  const metadata = {
    npm: npmMetadata(
      npmRunner({
        hubEnv: { ...process.env, ...env(url) },
        platform: process.platform,
        searchPath: () => Promise.resolve(process.env['PATH'] ?? ''),
        clock: systemClock,
        limits,
      }),
    ),
    pypi: pypiMetadata({ fetch, limits, index: `${url}simple` }),
  };
  return { metadata, asked, tokens };
}

function pasted(...args: readonly string[]): InstallPlan {
  return commandLine('npx', ...args);
}

function commandLine(command: string, ...args: readonly string[]): InstallPlan {
  const server = { name: 'tool', transport: 'stdio', command, args, needs: [] } as const;
  const planned = planPasted(server, { origin: 'paste' });
  if (planned.kind === 'refused') throw new Error(planned.why);
  return planned.plan;
}

verifies(
  ['S14', 'attack:C11'],
  '“npx -y package” is pinned to one version, and its integrity is recorded',
  async () => {
    const { metadata, asked } = await packages();
    const plan = await pinPlan(pasted('-y', '@acme/tool', '--stdio'), metadata);
    expect(plan.package).toMatchObject({ version: '2.1.0', pinned: 'exact', integrity: 'sha512-two' });
    expect(plan.warnings).toEqual([]);
    const { definition } = fillPlan(plan, {});
    expect(definition.endpoint).toMatchObject({
      command: 'npx',
      args: ['-y', '@acme/tool@2.1.0', '--stdio'],
    });
    const integrity = 'sha512-two';
    expect(definition.package).toEqual({ registry: 'npm', name: '@acme/tool', version: '2.1.0', integrity });
    expect(definition.extra).toEqual({});
    expect(asked[0]).toMatch(/^\/@acme%2ftool /);
  },
);

verifies(['S14'], 'tags become versions, old versions are found with their warning', async () => {
  const { metadata } = await packages();
  expect((await pinPlan(pasted('@acme/tool@next'), metadata)).package?.version).toBe('3.0.0-beta.1');
  const old = await pinPlan(pasted('@acme/tool@1.0.0'), metadata);
  expect(old.package?.integrity).toMatch(/^sha1-/);
  expect(old.warnings).toMatchObject([
    { kind: 'deprecated', message: expect.stringContaining('use 2') as string },
  ]);
});

verifies(
  ['S14', 'attack:C12'],
  'a package or version that does not exist is a clear error, and nothing is made of it',
  async () => {
    const { metadata } = await packages();
    await expect(pinPlan(pasted('-y', 'no-such-package'), metadata)).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no package no-such-package at npm. Nothing was installed.',
    });
    await expect(pinPlan(pasted('@acme/tool@9.9.9'), metadata)).rejects.toMatchObject({
      code: 'not_found',
      next: 'Ask for the newest one, @acme/tool@2.1.0.',
    });
    await expect(pinPlan(pasted('constructor@1.0.0'), metadata)).rejects.toMatchObject({ code: 'not_found' });
    await expect(pinPlan(pasted('broken'), metadata)).rejects.toMatchObject({
      code: 'unreachable',
      owner: 'network',
    });
  },
);

verifies(['S14', 'attack:C13'], 'the same version with another integrity is refused', async () => {
  const recorded = {
    server: 'tool',
    registry: 'npm',
    name: '@acme/tool',
    version: '2.1.0',
    integrity: 'sha512-two',
  } as const;
  const found = { exists: true, version: '2.1.0' };
  expect(() => checkIntegrity(recorded, { ...found, integrity: 'sha512-other' })).toThrow(
    expect.objectContaining({
      code: 'denied',
      owner: 'registry',
      message: expect.stringContaining('its checksum was sha512-two, now it is sha512-other') as string,
      details: expect.objectContaining({ found: 'sha512-other' }) as object,
    }),
  );
  expect(() => checkIntegrity(recorded, { ...found, integrity: 'sha512-two' })).not.toThrow();
  // Who leaves the sum out must not get past the check.
  expect(() => checkIntegrity(recorded, found)).toThrow('none is given now');

  const { metadata } = await packages();
  const old = await metadata.npm?.lookup('@acme/tool', '1.0.0');
  const python = await metadata.pypi?.lookup('acme-tool', '1.10.0');
  if (!old?.integrity || !python) throw new Error('the listener knows both');
  const first = { ...recorded, version: '1.0.0', integrity: old.integrity };
  const better = { ...old, integrity: 'sha512-one', sums: ['sha512-one', ...(old.sums ?? [])] };
  expect(() => checkIntegrity(first, better), 'a better sum was added').not.toThrow();
  const source = `sha256-${Buffer.from('2'.repeat(64), 'hex').toString('base64')}`;
  const early = { ...recorded, registry: 'pypi', version: '1.10.0', integrity: source } as const;
  expect(() => checkIntegrity(early, python), 'a wheel was added').not.toThrow();
});

verifies(['S14'], '“uvx package” is pinned to the newest release that was not withdrawn', async () => {
  const { metadata } = await packages();
  const plan = await pinPlan(commandLine('uvx', 'Acme_Tool', 'serve'), metadata);
  expect(plan.package).toMatchObject({
    version: '1.10.0',
    pinned: 'exact',
    integrity: `sha256-${Buffer.from('3'.repeat(64), 'hex').toString('base64')}`,
  });
  expect(fillPlan(plan, {}).definition.endpoint).toMatchObject({ args: ['Acme_Tool==1.10.0', 'serve'] });
  const withdrawn = await pinPlan(commandLine('uvx', 'acme-tool==1.9.0'), metadata);
  expect(withdrawn.warnings).toMatchObject([
    { kind: 'deprecated', message: expect.stringContaining('broken') as string },
  ]);
  await expect(pinPlan(commandLine('uvx', 'acme-tool==7'), metadata)).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(pinPlan(commandLine('uvx', 'missing-tool'), metadata)).rejects.toMatchObject({
    code: 'not_found',
  });
});

verifies(
  ['S14'],
  'the registry, sign-in and proxy that npm is set up with are used for look-ups',
  async () => {
    const home = temporaryFolder();
    const settings = (lines: readonly string[]): NodeJS.ProcessEnv => {
      const file = join(home, 'npmrc');
      writeFileSync(file, lines.join('\n'));
      return { npm_config_userconfig: file, ACME_TOKEN: 'token-from-the-shell' };
    };
    const ofScope = await packages((url) =>
      settings([
        'registry=http://127.0.0.1:9/',
        `@acme:registry=${url}`,
        `${url.replace('http:', '')}:_authToken=\${ACME_TOKEN}`,
      ]),
    );
    expect(await ofScope.metadata.npm?.lookup('@acme/tool', undefined)).toMatchObject({ version: '2.1.0' });
    expect(ofScope.tokens).toEqual(['Bearer token-from-the-shell']);

    const proxied = await packages((url) =>
      settings(['registry=http://registry.acme.test/', `proxy=${url}`, 'noproxy=']),
    );
    await proxied.metadata.npm?.lookup('@acme/tool', undefined);
    expect(proxied.asked[0]).toMatch(/^http:\/\/registry\.acme\.test\/@acme%2ftool /);
  },
);
