import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { Mask } from './secrets-said.ts';

const KEY = 'q7Zt2canary9Lw4Xv8Rb';
const hub = {
  secrets: { hide: (texts: readonly string[]): Promise<readonly string[]> => Promise.resolve(texts) },
} as unknown as ConstructorParameters<typeof Mask>[0]; // only this method is used

function shown(text: string): string {
  return new Mask(hub, [text]).said(text);
}

const PASTES: Readonly<Record<string, string>> = {
  'a variable in JSON': `{"mcpServers":{"a":{"command":"npx","args":["a"],"env":{"A_TOKEN":"${KEY}"}}}}`,
  'a variable without a telling name': `{"mcpServers":{"a":{"command":"npx","args":["a"],"env":{"WORKSPACE":"${KEY}"}}}}`,
  'a header': `{"servers":{"a":{"url":"https://a.example/mcp","headers":{"Authorization":"Bearer ${KEY}"}}}}`,
  'a header of its own': `{"servers":{"a":{"url":"https://a.example/mcp","headers":{"X-Acme":"${KEY}"}}}}`,
  'an argument behind a flag': `npx -y acme-mcp --api-key ${KEY} --verbose`,
  'an argument with an equals sign': `npx -y acme-mcp --api-key=${KEY}`,
  'a bare argument': `npx -y acme-mcp ${KEY}`,
  'a variable before a command': `ACME_KEY=${KEY} npx -y acme-mcp`,
  'a docker variable': `docker run -i --rm -e ACME_TOKEN=${KEY} acme/mcp`,
  'a command of Claude Code': `claude mcp add --transport http acme https://a.example/mcp --header "X-Api-Key: ${KEY}"`,
  'a query': `https://a.example/mcp?api_key=${KEY}&profile=me`,
  'a path': `https://a.example/s/${KEY}/mcp`,
  'a password in an address': `https://me:${KEY}@a.example/mcp`,
  'a connection string': `npx -y pg-mcp postgresql://me:${KEY}@db.example/main`,
  TOML: `[mcp_servers.a]\ncommand = "npx"\n[mcp_servers.a.env]\nA_KEY = "${KEY}"`,
  YAML: `mcpServers:\n  a:\n    command: npx\n    env:\n      A_KEY: ${KEY}`,
  'damaged JSON': `{"mcpServers":{"a":{"command":"npx" "args":["a"],"env":{"A_TOKEN":"${KEY}",}}`,
  'a sentence': `Here is my key: ${KEY}. Please use it.`,
  'a sentence without a sign': `my notion token is ${KEY}`,
  'the word alone': KEY,
};

for (const [where, paste] of Object.entries(PASTES)) {
  verifies(['A2'], `a key in ${where} is not in the model's copy`, () => {
    expect(shown(paste)).not.toContain(KEY);
    expect(shown(paste)).toContain('[secret]');
  });
}

test('passwords that are only words are hidden where they are said to be one', () => {
  expect(shown('Connect to https://a.example/mcp, the password is hunter2!')).not.toContain('hunter2');
  expect(shown('ACME_PASSWORD=swordfish npx acme-mcp')).not.toContain('swordfish');
  expect(shown('{"env":{"DB_PASS":"abcd"}}')).not.toContain('abcd');
});

test('a key that the person wrote once is hidden wherever it comes up later, however it is written', () => {
  const mask = new Mask(hub, [`A_TOKEN=${KEY} npx a`]);
  for (const form of [KEY, Buffer.from(KEY).toString('base64'), Buffer.from(KEY).toString('hex')]) {
    expect(mask.hideSaid(`The server said: bad value ${form} in line 1`)).not.toContain(form);
  }
});

test('a private key is hidden whole, and a text full of keys is not told at all', () => {
  const block = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEF\n'.repeat(20)}-----END PRIVATE KEY-----`;
  expect(shown(`Use this:\n${block}`)).not.toContain('MIIEvQIBADANBgkqhkiG9w0BAQEF');
  const many = Array.from({ length: 3_000 }, (_, index) => `k${index}Zq8Wv2Rt5Yx7Pb3Ld9Hs1`).join('\n');
  expect(shown(many)).toBe('[a text full of keys, which only the tools read]');
});

test('what people ask in plain words stays readable', () => {
  for (const text of [
    'Connect me to Notion and Linear, please.',
    'https://mcp.example.com/sse',
    'npx -y @modelcontextprotocol/server-filesystem ./notes',
    'the second one',
    'Why does github-enterprise-server-2025 not work?',
    '{"mcpServers":{"a":{"command":"npx","args":["-y","@acme/mcp-server@1.2.3"],"env":{"A_TOKEN":"${A_TOKEN}"}}}}',
  ])
    expect(shown(text)).toBe(text);
});

test('no text makes looking for secrets slow or fail', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2_000 }), (text) => {
      expect(typeof shown(text)).toBe('string');
    }),
    { numRuns: 100 },
  );
  for (const text of ['key '.repeat(5_000), '--a '.repeat(5_000), 'a:'.repeat(10_000), 'a'.repeat(100_000)]) {
    expect(shown(text).length).toBeGreaterThan(0);
  }
});
