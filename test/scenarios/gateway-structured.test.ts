import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { limits } from '../../src/base/limits.ts';
import { startFront } from '../contracts/http-host.ts';
import { verifies } from '../requirements.ts';
import { played, reading, type PlayedTool } from './calls-played.ts';
import { gatewayWorld, modernHost } from './gateway-world.ts';

const TEST_MS = 60_000;
const INFO = { name: 'validating', version: '1' };
const KB = 1024;

const row: JsonObject = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
  required: ['id', 'name'],
  additionalProperties: false,
};
const outputSchema: JsonObject = {
  type: 'object',
  properties: { rows: { type: 'array', items: row }, total: { type: 'integer' }, deep: {} },
  required: ['rows', 'total'],
  additionalProperties: false,
};

function rowsOf(bytes: number): JsonObject {
  const rows = Array.from({ length: Math.ceil(bytes / 100) }, (_, id) => ({ id, name: 'n'.repeat(80) }));
  return { rows, total: rows.length };
}

function nested(levels: number): JsonObject {
  let deep: Json = 'end';
  for (let level = 0; level < levels; level += 1) deep = [deep];
  return { rows: [], total: 0, deep };
}

const RESULTS: Readonly<Record<string, JsonObject>> = {
  deep: nested(480),
  small: rowsOf(20 * KB),
  medium: rowsOf(200 * KB),
  large: rowsOf(1024 * KB),
  huge: rowsOf(limits.resultStructuredBytesMax + 100 * KB),
};

function tool(name: string, structuredContent: JsonObject, declares: boolean): PlayedTool {
  const text = JSON.stringify(structuredContent).slice(0, 300 * KB);
  const plays = { result: { content: [{ type: 'text', text }], structuredContent } };
  return { ...reading(name, plays), ...(declares ? { outputSchema } : {}) };
}

const offered = Object.entries(RESULTS).flatMap(([name, result]) => [
  tool(name, result, true),
  tool(`${name}_undeclared`, result, false),
]);

interface Called {
  readonly content: readonly { readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

verifies(
  ['G2', 'L3'],
  'both official clients, which check results against the output schema, take structured results of any size',
  async () => {
    const { gateway } = await gatewayWorld([played('data', ...offered).definition], { rules: 'permissive' });
    const { url } = await startFront(gateway);
    for (const [path, prefix] of [
      ['/mcp?mode=all', 'data__'],
      ['/mcp/s/data', ''],
    ] as const) {
      const at = new URL(url + path);
      const legacy = new LegacyClient(INFO);
      await legacy.connect(new LegacyHttp(at));
      const modern = new ModernClient(INFO, { versionNegotiation: { mode: 'auto' } });
      await modern.connect(new StreamableHTTPClientTransport(at));
      for (const client of [legacy, modern]) {
        // Both compile the validators of a list that they have read.
        const { tools } = await client.listTools();
        expect(tools.filter((each) => each.outputSchema).length).toBe(offered.length / 2);
        for (const { name } of offered) {
          const called = (await client.callTool({ name: prefix + name, arguments: {} })) as Called; // as specified
          const [plain = '', undeclared] = name.split('_');
          const bare = prefix === '' ? 'whole' : plain === 'huge' ? 'beyond' : 'whole';
          if (bare === 'whole') {
            expect([name, called.isError ?? false]).toEqual([name, false]);
            expect(JSON.stringify(called.structuredContent)).toBe(JSON.stringify(RESULTS[plain]));
          } else if (undeclared === undefined) {
            expect([called.isError, called.structuredContent]).toEqual([true, undefined]);
          } else expect(called.isError ?? false).toBe(false);
        }
        await client.close();
      }
    }
  },
  TEST_MS,
);

verifies(
  ['L3', 'G3'],
  'text for the model stays a preview with a handle that reads all of it, beside whole structured content',
  async () => {
    const { gateway } = await gatewayWorld([played('data', ...offered).definition], { rules: 'permissive' });
    const host = modernHost(gateway, { mode: 'all' });
    for (const name of ['large', 'huge']) {
      const { content } = (await host.request('tools/call', { name: `data__${name}` })) as unknown as Called;
      const texts = content.map(({ text = '' }) => text);
      expect(texts.join('').length).toBeLessThan(2 * limits.resultPreviewCharsShown);
      const [id] = /result_\w+/.exec(texts.at(-1) ?? '') ?? [];
      const args = { id, path: '$.structuredContent.total' } as JsonObject; // a missing id fails the call
      const read = await host.request('tools/call', { name: 'plug__read_result', arguments: args });
      expect(JSON.stringify(read['content'])).toContain(JSON.stringify(RESULTS[name]?.['total']));
    }
    // A model reads what our own tools answer: there structured content is cut like text.
    const searching = modernHost(gateway, { mode: 'search' });
    const call = { name: 'call_tool', arguments: { name: 'data__large' } };
    const { length } = JSON.stringify(await searching.request('tools/call', call));
    expect(length).toBeLessThan(4 * limits.resultPreviewCharsShown);
  },
  TEST_MS,
);
