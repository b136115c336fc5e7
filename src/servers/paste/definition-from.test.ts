import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import type { ServerDefinition } from '../definition.ts';
import { idFrom } from '../entry/names.ts';
import { definitionFrom } from './definition-from.ts';
import { parsePaste } from './parse-paste.ts';

function define(text: string): ServerDefinition {
  const [server] = parsePaste(text).servers;
  return definitionFrom(server ?? expect.fail('no server'), { source: { kind: 'manual' } });
}

verifies(['S8'], 'example text becomes an input that is asked for, and references keep their meaning', () => {
  const { endpoint } = define(
    '{"mcpServers":{"acme":{"command":"/path/to/acme","args":["--key=YOUR_KEY","--team","<your team>","$HOME/x","${A}","$B_VAR","%C_VAR%"],"env":{"ACME_KEY":"your-key","LEVEL":"info","REF":"{env:REF}"}}}}',
  );
  expect(endpoint).toEqual({
    kind: 'stdio',
    command: '${input:path-to-acme}',
    args: [
      '--key=${input:YOUR_KEY}',
      '--team',
      '${input:your-team}',
      '${HOME}/x',
      '${A}',
      '${B_VAR}',
      '${C_VAR}',
    ],
    env: { ACME_KEY: '${input:ACME_KEY}', LEVEL: 'info', REF: '${REF}' },
  });
});

verifies(['S8'], 'headers and addresses are filled in the same way', () => {
  const { endpoint } = define(
    '{"url":"https://your-team.acme.test/mcp?key=YOUR_KEY","headers":{"Authorization":"Bearer {{TOKEN}}"}}',
  );
  expect(endpoint).toEqual({
    kind: 'http',
    url: 'https://${input:your-team}.acme.test/mcp?key=${input:YOUR_KEY}',
    headers: { Authorization: 'Bearer ${input:TOKEN}' },
  });
});

verifies(['S8', 'S19'], 'a bridge without a name of its own is called after what it reaches', () => {
  expect(define('npx -y mcp-remote https://mcp.acme.test/sse').id).toBe('acme');
  expect(define('cmd /k npx -y mcp-remote https://mcp.acme.test/mcp').id).toBe('acme');
  expect(define('npx -y supergateway --stdio "npx -y @acme/mcp"').id).toBe('acme');
});

test('variables that are only named come from outside', () => {
  expect(define('docker run -i --rm -e ACME_KEY -e ZONE=your-zone acme/mcp').endpoint).toMatchObject({
    args: ['run', '-i', '--rm', '-e', 'ACME_KEY', '-e', 'ZONE=${input:ZONE}', 'acme/mcp'],
    env: { ACME_KEY: '${ACME_KEY}' },
  });
  expect(
    define('extensions:\n  acme:\n    type: stdio\n    cmd: acme\n    args: []\n    env_keys: [ACME_TOKEN]\n')
      .endpoint,
  ).toMatchObject({ env: { ACME_TOKEN: '${ACME_TOKEN}' } });
});

test('timeouts keep their unit, whatever the dialect counts in', () => {
  expect(
    define('[mcp_servers.acme]\ncommand = "acme"\nstartup_timeout_sec = 20\ntool_timeout_sec = 90\n')
      .timeouts,
  ).toEqual({ startMs: 20_000, callMs: 90_000 });
  expect(
    define('extensions:\n  acme:\n    type: stdio\n    cmd: acme\n    args: []\n    timeout: 300\n').timeouts,
  ).toEqual({ callMs: 300_000 });
  expect(
    define('{"mcpServers":{"acme":{"httpUrl":"https://acme.test/mcp","timeout":600000}}}').timeouts,
  ).toEqual({ callMs: 600_000 });
});

test('switched-off servers and tool lists stay as they were', () => {
  const definition = define(
    '{"mcpServers":{"acme":{"command":"acme","disabled":true,"includeTools":["read"],"excludeTools":["drop"],"color":"blue"}}}',
  );
  expect(definition).toMatchObject({
    enabled: false,
    tools: { allow: ['read'], deny: ['drop'] },
    extra: { color: 'blue' },
  });
});

verifies(
  ['S8'],
  'limits in the words of our own files are kept: denied tools, read-only mode, timeouts',
  () => {
    const definition = define(
      '{"mcpServers":{"acme":{"command":"acme","tools":{"allow":["read_*"],"deny":["drop"]},"readOnly":true,"timeouts":{"startMs":5000,"callMs":9000}}}}',
    );
    expect(definition).toMatchObject({
      tools: { allow: ['read_*'], deny: ['drop'] },
      readOnly: true,
      timeouts: { startMs: 5_000, callMs: 9_000 },
    });
  },
);

test('any name becomes an id that the product accepts', () => {
  expect(idFrom('My Server (beta)')).toBe('my-server-beta');
  expect(idFrom('@acme/Tools')).toBe('acme-tools');
  expect(idFrom('Größe')).toBe('grosse');
  expect(idFrom('名前')).toMatch(/^server-[0-9a-f]{6}$/);
  expect(idFrom('con')).toBe('server-con');
  expect(idFrom('x'.repeat(300))).toHaveLength(64);
  expect(define('https://mcp.acme.test/mcp').id).toBe('acme');
  expect(define('http://127.0.0.1:3000/mcp').id).toBe('127.0.0.1');
});

test('a link that only says where a server is published cannot be a definition yet', () => {
  expect(() => define('https://smithery.ai/server/@acme/tools')).toThrow(
    expect.objectContaining({ code: 'bad_config', owner: 'you', next: 'plug add @acme/tools' }),
  );
});

test('a container is named after its image, not after a variable that it is given', () => {
  expect(define('docker run -i --rm -e GITHUB_TOKEN ghcr.io/acme/notes-mcp:2').id).toBe('notes');
  expect(define('podman run --rm -i --env TOKEN -v /srv:/data docker.io/acme/notes').id).toBe('notes');
  expect(define('ghcr.io/acme/notes-mcp').id).toBe('notes');
});

test('what a shell would fill in becomes a placeholder: nothing is started through a shell', () => {
  expect(define('docker run -i --rm -v $(pwd):/data -v "$HOME/.aws:/aws" mcp/aws').endpoint).toMatchObject({
    args: ['run', '-i', '--rm', '-v', '${workspaceFolder}:/data', '-v', '${HOME}/.aws:/aws', 'mcp/aws'],
  });
  expect(define('npx -y acme-mcp --root "$PWD/docs"').endpoint).toMatchObject({
    args: ['-y', 'acme-mcp', '--root', '${workspaceFolder}/docs'],
  });
});
