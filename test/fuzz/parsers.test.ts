import { readdirSync, rmSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { PlugError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { challengeOf } from '../../src/connections/sign-in/authorized-fetch.ts';
import { discover } from '../../src/connections/sign-in/discover.ts';
import { toTokens } from '../../src/connections/sign-in/renewal.ts';
import { pictureKind } from '../../src/hub/icons/icons.ts';
import { readTable, unzip } from '../../src/servers/plans/unzip.ts';
import { officialRegistry } from '../../src/servers/registry/official.ts';
import { smitheryRegistry } from '../../src/servers/registry/smithery.ts';
import { looksLikeImage, readImageHeader } from '../../src/servers/screenshot/image-format.ts';
import { verifies } from '../requirements.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { RUNS, batchesOf, damaged, jsonWith, throughAll } from './inputs.ts';

const LONG_MS = 60_000 + RUNS * 10;
const GROWTH_MB_MAX = 300;

/** A failure with words of ours is an outcome; any other is a bug. */
async function outcome(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof PlugError) || error.code === 'internal') throw error;
  }
}

async function bounded(work: () => Promise<void>): Promise<void> {
  const before = process.memoryUsage().rss;
  await work();
  expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(GROWTH_MB_MAX);
  expect(Object.keys(Object.prototype)).toEqual([]);
}

interface Said {
  readonly status: number;
  readonly text: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** What somebody else's web server may answer. */
function answers(values: fc.Arbitrary<unknown>): fc.Arbitrary<Said> {
  const deep = fc.tuple(fc.constantFrom('servers', 'server', 'x'), fc.nat(20_000)).map(([key, levels]) => {
    const nested = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const name = '"name":"io.x/y","qualifiedName":"io.x/y"';
    return key === 'servers'
      ? `{"servers":[{${name},"x":${nested}}]}`
      : `{"${key}":{${name},"x":${nested}},${name}}`;
  });
  const json = values.map((value) => JSON.stringify(value) ?? '');
  return fc.record({
    status: fc.constantFrom(200, 200, 200, 200, 201, 301, 302, 400, 401, 403, 404, 429, 500, 503),
    text: fc.oneof(
      { weight: 6, arbitrary: json },
      deep,
      fc.string({ unit: 'binary' }),
      json.map((text) => text.slice(0, -1)),
    ),
    headers: fc.array(
      fc.constantFrom(
        ['content-type', 'application/json'] as const,
        ['content-type', 'text/html'] as const,
        ['retry-after', '0'] as const,
        ['retry-after', '-1'] as const,
        ['retry-after', 'x'] as const,
        ['www-authenticate', 'Bearer resource_metadata="x", scope="\u0001"'] as const,
        [
          'www-authenticate',
          'Bearer resource_metadata="https://x.example/%zz", error="insufficient_scope"',
        ] as const,
        ['www-authenticate', 'Bearer ='] as const,
      ),
      { maxLength: 3 },
    ),
  });
}

function responseOf({ status, text, headers }: Said): Response {
  const given = new Headers();
  for (const [name, value] of headers) given.set(name, value.replaceAll('\u0001', ''));
  return new Response(text, { status, headers: given });
}

verifies(
  ['attack:fuzz', 'attack:registry-answers', 'S13'],
  `${RUNS} random answers of a registry are read, or refused with words of ours`,
  async () => {
    const values = jsonWith(
      'servers server name description version packages remotes registryType identifier transport url headers environmentVariables _meta metadata nextCursor next_cursor qualifiedName displayName connections pagination'.split(
        ' ',
      ),
      [
        'npm',
        'pypi',
        'stdio',
        'https://x.example/mcp',
        'io.x/y',
        '1.0.0',
        { name: 'io.x/y', packages: [{ registryType: 'npm', identifier: 'x' }] },
      ],
    );
    await bounded(() =>
      throughAll(answers(values), async (said) => {
        const fetch = (): Promise<Response> => Promise.resolve(responseOf(said));
        const clock = { ...systemClock, sleep: () => Promise.resolve() };
        const options = { name: 'x', url: 'https://registry.example', fetch, clock, limits };
        for (const registry of [officialRegistry(options), smitheryRegistry(options)]) {
          await outcome(() => registry.search('some words', { limit: 5 }));
          await outcome(() => registry.details('io.x/y'));
        }
      }),
    );
  },
  LONG_MS,
);

verifies(
  ['attack:fuzz', 'O7'],
  `${RUNS} random answers during a sign-in are read, or refused with words of ours`,
  async () => {
    const values = jsonWith(
      'issuer authorization_endpoint token_endpoint registration_endpoint code_challenge_methods_supported response_types_supported scopes_supported resource authorization_servers access_token refresh_token expires_in scope token_type error'.split(
        ' ',
      ),
      [
        'https://server.example',
        'https://server.example/mcp',
        ['S256'],
        ['code'],
        ['https://server.example'],
        'javascript:alert(1)',
        'http://10.0.0.1/',
        {
          issuer: 'https://server.example',
          authorization_endpoint: 'https://server.example/a',
          token_endpoint: 'x',
          response_types_supported: ['code'],
        },
      ],
    );
    await bounded(() =>
      throughAll(fc.tuple(answers(values), answers(values), values), async ([first, second, tokens]) => {
        let asked = 0;
        const fetch = (): Promise<Response> => Promise.resolve(responseOf(asked++ === 0 ? first : second));
        await outcome(() => challengeOf(responseOf(first)));
        await outcome(() => discover({ server: 'x', url: 'https://server.example/mcp', fetch }));
        // The SDK has read the answer by its schema before: an object with texts and numbers.
        const given = typeof tokens === 'object' && tokens !== null ? tokens : {};
        await outcome(() => toTokens(given as never, { clock: systemClock, limits }));
      }),
    );
  },
  LONG_MS,
);

verifies(
  ['attack:fuzz', 'attack:14', 'S14'],
  `${RUNS} damaged bundles are unpacked within their bounds, or refused with words of ours`,
  async () => {
    const small = { ...limits, bundleUnpackedBytesMax: 1024 * 1024 };
    const folder = temporaryFolder();
    const name = fc.oneof(
      fc.constantFrom('manifest.json', '../x', '/etc/passwd', 'a/../../b', 'C:\\x', 'a\u0000b', 'a/', ''),
      fc.string({ maxLength: 20 }),
    );
    const file = fc.record({ name, content: fc.uint8Array({ maxLength: 300 }), packed: fc.boolean() });
    const archive = fc.array(file, { maxLength: 4 }).map((files) => zipOf(files));
    await bounded(async () => {
      for (const batch of batchesOf(
        fc.oneof(
          archive,
          damaged(archive),
          fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
        ),
      )) {
        for (const bytes of batch) {
          await outcome(() => {
            for (const { path } of readTable(bytes, small)) expect(path.split(/[\\/]/)).not.toContain('..');
          });
          await outcome(() => unzip(bytes, `${folder}/in`, small));
          rmSync(`${folder}/in`, { recursive: true, force: true });
        }
      }
    });
    expect(readdirSync(folder)).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['attack:fuzz', 'attack:pictures', 'S18'],
  `${RUNS} damaged pictures are told apart, or are none`,
  async () => {
    const heads = fc.constantFrom(
      Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
      Buffer.from('ffd8ffe000104a46494600010100000100010000ffc00011080001000103012200021101031101', 'hex'),
      Buffer.from('ffd8ffff'.repeat(20), 'hex'),
      Buffer.from('ffd8ffe00000'.repeat(20), 'hex'),
      Buffer.from('GIF89a'),
      Buffer.from('RIFF0000WEBP'),
    );
    const picture = fc
      .tuple(heads, fc.uint8Array({ maxLength: 400 }))
      .map(([head, rest]) => Buffer.concat([head, rest]));
    await bounded(async () => {
      for (const batch of batchesOf(
        fc.oneof(
          picture,
          damaged(picture),
          fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        ),
      )) {
        for (const bytes of batch) {
          await outcome(() => [looksLikeImage(bytes), readImageHeader(bytes), pictureKind(bytes)]);
        }
      }
    });
  },
  LONG_MS,
);

interface Entry {
  readonly name: string;
  readonly content: Uint8Array;
  readonly packed: boolean;
}

/** A zip archive, written by hand: no program would write some of these. */
function zipOf(files: readonly Entry[]): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, content, packed } of files) {
    const path = Buffer.from(name);
    const data = packed ? deflateRawSync(content) : Buffer.from(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(packed ? 8 : 0, 4);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common, path, data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    central.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002', 'latin1'), Buffer.from([20, 0]), common, rest, path]),
    );
    parts.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, directory, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}
