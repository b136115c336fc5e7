import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { appUri } from '../../src/catalog/app-tools.ts';
import type { Mode } from '../../src/gateway/scope.ts';
import { startFront } from '../contracts/http-host.ts';
import { verifies } from '../requirements.ts';
import { scriptedServer, toolNamed } from './catalog-server.ts';
import { firstText, gatewayWorld, legacyHost, modernHost } from './gateway-world.ts';

const APPS: JsonObject = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};
const URI = 'ui://board/view.html';
const MODES: readonly Mode[] = ['all', 'servers', 'search', 'code', 'auto'];
const reads = { annotations: { readOnlyHint: true } };

const server = () =>
  scriptedServer('board', [
    toolNamed('show_board', { ...reads, _meta: { ui: { resourceUri: URI } } }),
    toolNamed('show_old', { ...reads, _meta: { 'ui/resourceUri': URI } }),
    toolNamed('refresh', { ...reads, _meta: { ui: { resourceUri: URI, visibility: ['app'] } } }),
    toolNamed('plain', reads),
  ]);

async function toolsOf(host: { request: (method: string) => Promise<JsonObject> }) {
  const { tools } = await host.request('tools/list');
  return tools as readonly (JsonObject & { readonly name: string })[]; // MCP has it so
}

verifies(
  ['G2', 'G3'],
  'a host that shows apps finds their tools in every mode, and can call them',
  async () => {
    const board = server();
    const { gateway } = await gatewayWorld([board.definition], { rules: 'permissive' });
    for (const mode of MODES) {
      for (const host of [modernHost(gateway, { mode }, APPS), await legacyHost(gateway, { mode }, APPS)]) {
        const tools = await toolsOf(host);
        const byName = new Map(tools.map((tool) => [tool.name, tool]));
        expect(byName.size).toBe(tools.length);
        for (const name of ['show_board', 'show_old', 'refresh']) {
          const tool = byName.get(`board__${name}`);
          expect(appUri(tool ?? {})).toBe('ui://plug/board/board/view.html');
          expect(firstText(await host.request('tools/call', { name: `board__${name}`, arguments: {} }))).toBe(
            `did ${name}`,
          );
        }
        expect(byName.get('board__refresh')).toMatchObject({ _meta: { ui: { visibility: ['app'] } } });
        expect(byName.has('board__plain')).toBe(mode === 'all' || mode === 'auto');
      }
    }
  },
);

verifies(['G2', 'G3'], 'a host without apps is never offered a tool that is for apps alone', async () => {
  const board = server();
  const { gateway } = await gatewayWorld([board.definition], { rules: 'permissive' });
  for (const mode of MODES) {
    const host = modernHost(gateway, { mode });
    expect(JSON.stringify(await toolsOf(host))).not.toContain('refresh');
    if (mode === 'all') expect((await toolsOf(host)).map(({ name }) => name)).toContain('board__show_board');
  }
  const call = (mode: Mode, name: string, args: JsonObject): Promise<JsonObject> =>
    modernHost(gateway, { mode }, APPS).request('tools/call', { name, arguments: args });
  // A host that shows apps has a model too.
  expect(firstText(await call('servers', 'board', { action: 'describe' }))).not.toContain('refresh');
  expect(
    firstText(await call('search', 'search_tools', { queries: ['refresh', 'show board'] })),
  ).not.toContain('refresh');
  expect(await call('search', 'call_tool', { name: 'board__refresh' })).toMatchObject({ isError: true });
  expect(board.calls()).toEqual([]);
});

verifies(['G2', 'G3'], 'one server in a lean mode keeps the names and addresses of its apps', async () => {
  const { gateway } = await gatewayWorld([server().definition], { rules: 'permissive' });
  const host = modernHost(gateway, { server: 'board', mode: 'search' }, APPS);
  const shown = (await toolsOf(host)).filter(({ _meta }) => _meta !== undefined);
  expect(shown.map(({ name }) => name)).toEqual(['show_board', 'show_old', 'refresh']);
  expect(appUri(shown[0] ?? {})).toBe(URI);
  expect(firstText(await host.request('tools/call', { name: 'refresh' }))).toBe('did refresh');
});

verifies(
  ['G2', 'G3'],
  'the official client gets apps over HTTP when it says that it shows them',
  async () => {
    const { gateway } = await gatewayWorld([server().definition], { rules: 'permissive' });
    const { url } = await startFront(gateway);
    const namesFor = async (capabilities: JsonObject): Promise<readonly string[]> => {
      const client = new Client({ name: 'official', version: '1' }, { capabilities });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp?mode=search`)));
      const { tools } = await client.listTools();
      await client.close();
      return tools.map(({ name }) => name);
    };
    const search = ['search_tools', 'describe_tool', 'call_tool'];
    expect(await namesFor({})).toEqual(expect.not.arrayContaining(['board__show_board', 'board__refresh']));
    expect(await namesFor(APPS)).toEqual(
      expect.arrayContaining([...search, 'board__refresh', 'board__show_board']),
    );
  },
);
