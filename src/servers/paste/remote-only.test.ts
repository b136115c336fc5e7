import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { definitionFrom } from './definition-from.ts';
import { parsePaste } from './parse-paste.ts';

const LOCAL = [
  'npx -y @acme/mcp',
  'node /srv/acme.js',
  'python -m acme_mcp',
  'docker run -i --rm acme/mcp',
  '{"mcpServers":{"acme":{"command":"acme"}}}',
  'https://www.npmjs.com/package/@acme/mcp',
  'claude mcp add acme -- uvx acme-mcp',
  '{"mcpServers":{"acme":{"url":"file:///srv/acme.sock"}}}',
  'https://hub.docker.com/r/mcp/acme',
];

for (const text of LOCAL) {
  verifies(
    ['S10'],
    `in remote-only mode a local server is declined with what to give instead: ${text}`,
    () => {
      const [server] = parsePaste(text, { remoteOnly: true }).servers;
      expect(server?.declined).toMatch(/local server|file of one machine|container image/);
      expect(server?.declined).toContain('https://');
      expect(() =>
        definitionFrom(server ?? expect.fail('no server'), { source: { kind: 'manual' } }),
      ).toThrow(server?.declined);
      expect(parsePaste(text).servers[0]?.declined).toBeUndefined();
    },
  );
}

verifies(
  ['S10'],
  'in remote-only mode a remote server passes, and a wrapper names the address behind it',
  () => {
    expect(parsePaste('https://acme.test/mcp', { remoteOnly: true }).servers[0]?.declined).toBeUndefined();
    const [wrapped] = parsePaste('npx mcp-remote https://acme.test/mcp', { remoteOnly: true }).servers;
    expect(wrapped?.declined).toContain('give that address instead');
    expect(wrapped?.alt?.url).toBe('https://acme.test/mcp');
  },
);
