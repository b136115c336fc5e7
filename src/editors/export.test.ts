import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { defineServer } from '../servers/definition.ts';
import { clients } from '../servers/clients/clients.ts';
import type { ClientPlace } from '../servers/clients/client.ts';
import { parseText } from '../servers/clients/documents/parse.ts';
import { entriesOf } from '../servers/clients/entries.ts';
import { readEntry } from '../servers/clients/read-entry.ts';
import { deepLinks, exportServer, gooseLink, vscodeLink } from './export.ts';

const local = defineServer({
  id: 'tides',
  name: 'tides',
  endpoint: {
    kind: 'stdio',
    command: 'npx',
    args: ['-y', 'tides-mcp', 'a b&c'],
    env: { TIDE_KEY: '${TIDE_KEY}' },
  },
});
const remote = defineServer({
  id: 'charts',
  endpoint: {
    kind: 'http',
    url: 'https://charts.example/mcp?x=1',
    headers: { Authorization: 'Bearer ${CHART_KEY}' },
  },
});

for (const client of clients) {
  verifies(
    ['S12'],
    `a server exported to ${client.title} is read back from that text as the same server`,
    () => {
      const [place] = client.places({ home: '/', cwd: '/', env: {}, platform: 'linux' }) as readonly [
        ClientPlace,
      ];
      for (const definition of [local, remote]) {
        const { text } = exportServer(definition, client.name);
        const parsed = parseText(place.syntax, text);
        if (parsed.kind === 'malformed') throw new Error(parsed.reason);
        const [entry, ...others] = entriesOf(parsed.document, place, client);
        expect(others).toEqual([]);
        expect(entry?.key).toBe(definition.id);
        const outcome = readEntry(client, entry?.value, {
          key: definition.id,
          source: definition.source,
          home: '/',
          inputs: [],
        });
        expect(outcome).toMatchObject({
          kind: 'ok',
          definition: { id: definition.id, endpoint: definition.endpoint },
        });
      }
    },
  );
}

verifies(['S12'], 'each dialect looks as its client writes it', () => {
  expect(parseToml(exportServer(remote, 'codex').text)).toEqual({
    mcp_servers: { charts: { url: 'https://charts.example/mcp?x=1', bearer_token_env_var: 'CHART_KEY' } },
  });
  expect(parseToml(exportServer(local, 'codex').text)).toEqual({
    mcp_servers: { tides: { command: 'npx', args: ['-y', 'tides-mcp', 'a b&c'], env_vars: ['TIDE_KEY'] } },
  });
  expect(parseYaml(exportServer(local, 'goose').text)).toEqual({
    extensions: {
      tides: {
        name: 'tides',
        type: 'stdio',
        cmd: 'npx',
        args: ['-y', 'tides-mcp', 'a b&c'],
        env_keys: ['TIDE_KEY'],
        enabled: true,
      },
    },
  });
  expect(parseYaml(exportServer(remote, 'continue').text)).toMatchObject({
    mcpServers: [{ name: 'charts', type: 'streamable-http' }],
  });
  expect(JSON.parse(exportServer(local, 'opencode').text)).toEqual({
    mcp: {
      tides: {
        type: 'local',
        command: ['npx', '-y', 'tides-mcp', 'a b&c'],
        environment: { TIDE_KEY: '{env:TIDE_KEY}' },
      },
    },
  });
  expect(JSON.parse(exportServer(remote, 'cursor').text)).toEqual({
    mcpServers: {
      charts: {
        url: 'https://charts.example/mcp?x=1',
        headers: { Authorization: 'Bearer ${env:CHART_KEY}' },
      },
    },
  });
});

verifies(['S12'], 'VS Code gets a question for each input, and what it cannot say is named', () => {
  const definition = defineServer({
    id: 'a',
    endpoint: { kind: 'http', url: 'https://a.example', headers: { K: '${input:k}', V: '${vault:a/V}' } },
  });
  const { text, warnings } = exportServer(definition, 'vscode');
  expect(JSON.parse(text)).toMatchObject({
    servers: { a: { headers: { K: '${input:k}', V: '${vault:a/V}' } } },
    inputs: [{ type: 'promptString', id: 'k', password: true }],
  });
  expect(warnings).toEqual([
    'VS Code does not read “${vault:a/V}” in headers.V as it is meant; put the value there by hand.',
  ]);
});

verifies(['S12'], 'deep links carry the whole server, escaped', () => {
  const { text } = exportServer(local, 'deeplink');
  const [cursor = '', vscode = '', studio = '', goose = ''] = text.trim().split('\n');
  const config = (link: string): unknown =>
    JSON.parse(Buffer.from(new URL(link).searchParams.get('config') ?? '', 'base64').toString());
  expect(cursor.startsWith('cursor://anysphere.cursor-deeplink/mcp/install?name=tides&config=')).toBe(true);
  expect(config(cursor)).toEqual({
    command: 'npx',
    args: ['-y', 'tides-mcp', 'a b&c'],
    env: { TIDE_KEY: '${env:TIDE_KEY}' },
  });
  expect(config(studio)).toMatchObject({ command: 'npx' });
  expect(studio.startsWith('lmstudio://add_mcp?name=tides&')).toBe(true);
  expect(JSON.parse(decodeURIComponent(vscode.replace('vscode:mcp/install?', '')))).toMatchObject({
    name: 'tides',
    type: 'stdio',
    args: ['-y', 'tides-mcp', 'a b&c'],
  });
  const query = new URL(goose).searchParams;
  expect(query.getAll('arg')).toEqual(['-y', 'tides-mcp', 'a b&c']);
  expect(query.getAll('env')).toEqual(['TIDE_KEY=TIDE_KEY']);
  expect(new URL(gooseLink(remote).link).searchParams.get('type')).toBe('streamable_http');
});

test('no link and no export holds what the vault holds', () => {
  const secret = defineServer({
    id: 'a',
    endpoint: { kind: 'stdio', command: 'python3', args: [], env: { K: '${vault:a/K}' } },
  });
  const { warnings } = deepLinks(secret);
  expect(warnings.some((warning) => warning.includes('${vault:a/K}'))).toBe(true);
  expect(warnings.some((warning) => warning.includes('may refuse “python3”'))).toBe(true);
  expect(decodeURIComponent(vscodeLink(secret).link)).toContain('${vault:a/K}');
});

test('an unknown target is named', () => {
  expect(() => exportServer(local, 'emacs')).toThrow('Unknown client “emacs”');
});
