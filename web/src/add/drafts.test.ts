import { expect, test } from 'vitest';
import { mayHoldSecret } from './drafts.ts';

test.each([
  'connect me to Notion',
  'https://mcp.example.com/mcp',
  'npx -y @modelcontextprotocol/server-memory',
  '{"mcpServers": {"files": {"command": "npx", "args": ["-y", "some-files-server", "/home/ana"]}}}',
])('%s survives a reload: there is no secret in it', (text) => {
  expect(mayHoldSecret(text)).toBe(false);
});

test.each([
  'sk-live-0123456789abcdefghijklmnop',
  '{"env": {"GITHUB_TOKEN": "x"}}',
  'claude mcp add a --header "Authorization: Bearer abc" https://a.example.com',
  'https://user:pass@mcp.example.com/mcp',
  'docker run -e FOO=ghp_0123456789abcdefghijklmnopqrstuvwxyz acme/x',
])('%s is not written down', (text) => {
  expect(mayHoldSecret(text)).toBe(true);
});
