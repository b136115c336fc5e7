import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { namespacedUris } from '../../src/gateway/uris.ts';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { scriptedServer, toolNamed } from '../scenarios/catalog-server.ts';
import { withHub } from '../scenarios/lifecycle-hub.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';

const LONG_MS = 60_000;

const schema = (of: JsonObject): JsonObject => ({
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, ...of },
});

verifies(
  ['T5', 'attack:E10'],
  'a schema that names another one at an address makes nobody call there: not when listed, not when called',
  async () => {
    let asked = 0;
    const trap = createServer((_, response) => {
      asked += 1;
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(trap, 'listening');
    onTestFinished(() => void trap.close());
    const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/schema.json`; // it listens
    const server = scriptedServer('notes', [
      toolNamed('get_ref', schema({ properties: { text: { $ref: url } } })),
      toolNamed('get_root', schema({ $ref: url })),
      toolNamed('get_named', schema({ $schema: url, $id: url, allOf: [{ $ref: `${url}#/a` }] })),
      toolNamed('get_out', { ...schema({}), outputSchema: { type: 'object', $ref: url } }),
    ]);
    await withHub({}, async ({ hub }) => {
      await hub.servers.add({ definition: server.definition });
      for (const { ref } of (await hub.tools.list()).tools) {
        await hub.tools.call({ tool: ref, args: { text: 'x' } }).catch(() => undefined);
      }
      expect(server.calls().length).toBeGreaterThan(0);
    });
    expect(asked).toBe(0);
  },
  LONG_MS,
);

/** Its tool has a schema of ten thousand levels, written as text because nobody can write it otherwise. */
function deepServer(): ServerDefinition {
  const levels = 10_000;
  const deep = `${'{"type":"object","properties":{"a":'.repeat(levels)}{}${'}}'.repeat(levels)}`;
  const program = `
    const say = (id, result) => process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":' + result + '}\\n');
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (id === undefined) return;
      if (method === 'initialize') say(id, '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"d","version":"1"}}');
      else if (method === 'tools/list') say(id, '{"tools":[{"name":"get_x","inputSchema":' + ${JSON.stringify(deep)} + '}]}');
      else if (method === 'server/discover') process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"error":{"code":-32601,"message":"no"}}\\n');
      else say(id, '{"content":[]}');
    });`;
  const file = join(temporaryFolder(), 'deep.cjs');
  writeFileSync(file, program);
  const endpoint = { kind: 'stdio', command: process.execPath, args: [file], env: {} } as const;
  return defineServer({ id: 'deep', endpoint });
}

verifies(
  ['T5', 'attack:E11'],
  'a schema without end, with a million choices or with a slow pattern holds up nobody',
  async () => {
    const doubled = Object.fromEntries(
      Array.from({ length: 20 }, (_, level) => [
        `l${level}`,
        { oneOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] },
      ]),
    );
    const servers = {
      choices: schema({
        properties: { text: { $ref: '#/$defs/l0' } },
        $defs: { ...doubled, l20: { type: 'number' } },
      }),
      slow: schema({ properties: { text: { type: 'string', pattern: '(a+)+$' } } }),
    };
    await withHub({}, async ({ hub }) => {
      const definitions = Object.entries(servers).map(
        ([id, more]) => scriptedServer(id, [toolNamed('get_x', more)]).definition,
      );
      for (const definition of [...definitions, deepServer()]) {
        // One that is refused as a whole is as good as one whose tool is set aside.
        await hub.servers.add({ definition, test: false });
        await hub.servers.start({ id: definition.id }).catch(() => undefined);
      }
      const args = { text: `${'a'.repeat(50)}!` };
      await hub.tools.list();
      // Processor time, because a busy machine makes everything slow: the choices alone took twenty seconds of it.
      const before = process.cpuUsage();
      for (const id of ['deep', ...Object.keys(servers)]) {
        await hub.tools.call({ tool: `${id}/get_x`, args }).catch(() => undefined);
      }
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000);
    });
  },
  LONG_MS,
);

verifies(['G2', 'attack:E12'], 'a template of addresses is passed on as a text, however it is made', () => {
  const hostile = [
    `{/${'a*,'.repeat(50_000)}z*}`,
    `${'{?a*}'.repeat(50_000)}!`,
    `plug://${'/'.repeat(200_000)}`,
    `ui://plug/${'a/'.repeat(100_000)}\n`,
  ];
  const before = process.cpuUsage();
  for (const text of hostile) {
    const shown = namespacedUris.out('notes', text);
    expect(namespacedUris.back(shown)).toMatchObject({ server: 'notes' });
    namespacedUris.back(text);
  }
  expect(process.cpuUsage(before).user / 1_000 / hostile.length).toBeLessThan(50);
});
