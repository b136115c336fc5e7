import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../requirements.ts';
import { openWireHub, type WireHub } from './gateway-wire-hub.ts';
import { FEATURES, type Cell } from './matrix-features.ts';
import { open, type TriedHost, type Way } from './matrix-hosts.ts';

const TEST_MS = 180_000;

let hub: WireHub;

beforeAll(async () => {
  hub = await openWireHub({});
  const program = fileURLToPath(new URL('matrix-server.ts', import.meta.url));
  for (const era of ['legacy', 'modern']) {
    await hub.json('add', era, '--yes', '--', process.execPath, program, `era=${era}`);
  }
  // A server that has asked once is no longer shared, so that hosts that run at once are told apart.
  await hub.json('call', 'legacy/roots');
}, TEST_MS);
afterAll(() => hub.close(), TEST_MS);

const matrix = readMatrix();

describe.each([...matrix.hosts])('%s', (name, cells) => {
  verifies(
    ['G1', 'G2'],
    'does through the gateway what docs/gateway.md says of it, over stdio and over HTTP',
    async () => {
      const wanted = [...cells].filter(([, cell]) => cell === 'yes').map(([feature]) => feature);
      const failed = await Promise.all(
        waysOf(name).map(async (way) => {
          const host = await open(name, hub, way);
          try {
            return await failures(host, { way, name, features: wanted });
          } finally {
            await host.close();
          }
        }),
      );
      expect(failed.flat()).toEqual([]);
    },
    TEST_MS,
  );
});

test('the matrix in docs/gateway.md has every feature, and a reason for each cell without a yes', () => {
  expect(matrix.hosts.size).toBe(6);
  for (const cells of matrix.hosts.values()) {
    expect([...cells.keys()]).toEqual(Object.keys(FEATURES));
    for (const cell of cells.values()) expect(['yes', ...matrix.reasons]).toContain(cell);
  }
  const given = new Set([...matrix.hosts.values()].flatMap((cells) => [...cells.values()]));
  expect(matrix.reasons.filter((reason) => !given.has(reason))).toEqual([]);
});

/** mcp-remote is there for hosts that know no HTTP: to them it speaks stdio, and to us HTTP. */
function waysOf(name: string): readonly Way[] {
  if (name === 'mcp-remote') return ['http'];
  return name === 'SDK 1' ? ['stdio', 'http', 'sse'] : ['stdio', 'http'];
}

/** A command is a process for each call: it meets each server on one of its ways. */
function serversOf(host: TriedHost, way: Way): readonly Cell['server'][] {
  if ('asked' in host) return ['legacy', 'modern'];
  return way === 'stdio' ? ['legacy'] : ['modern'];
}

async function failures(
  host: TriedHost,
  { way, name, features }: { readonly way: Way; readonly name: string; readonly features: readonly string[] },
): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const feature of features) {
    for (const server of serversOf(host, way)) {
      const file = `${hub.folder}/${name}-${way}-${feature}-${server}`.replaceAll(/[ ,]+/g, '-');
      try {
        await FEATURES[feature]?.({ host, server, file });
      } catch (error) {
        failed.push(`${feature} over ${way} on the ${server} server: ${String(error)}`);
      }
    }
  }
  return failed;
}

interface Matrix {
  /** By host and feature: `yes`, or the mark of a reason. */
  readonly hosts: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly reasons: readonly string[];
}

function readMatrix(): Matrix {
  const page = readFileSync(new URL('../../docs/gateway.md', import.meta.url), 'utf8');
  const section = page.split('\n## Hosts that are tried\n')[1]?.split('\n## ')[0] ?? '';
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const [[, ...names] = [], , ...body] = rows;
  const hosts = names.map((name, at): [string, ReadonlyMap<string, string>] => [
    name,
    new Map(body.map(([feature = '', ...cells]) => [feature, cells[at] ?? ''])),
  ]);
  const reasons = [...section.matchAll(/^- \*\*(\w)\*\*: \S/gm)].map((match) => String(match[1]));
  return { hosts: new Map(hosts), reasons };
}
