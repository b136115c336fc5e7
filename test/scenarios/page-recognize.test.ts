import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { openWorld } from './policy-world.ts';

const KEY = 'ghp_0123456789abcdefghijABCDEFGHIJ0123';
const env = {
  PATH: process.env['PATH'],
  PLUG_NO_KEYRING: '1',
  PLUG_REGISTRIES: '{"official":false,"smithery":false}',
};

async function openPage(more: Readonly<Record<string, string>> = {}): Promise<Hub> {
  return (await openWorld([], { env: { ...env, ...more } })).connect('terminal');
}

const config = (entry: object): string =>
  JSON.stringify({ servers: { github: entry, web: { url: 'https://a.test/mcp' } } });

verifies(['W2', 'S8'], 'what is typed is recognized at once: format, servers, what is missing', async () => {
  const hub = await openPage();
  const found = await hub.plans.recognize({
    text: config({ command: 'npx', args: ['-y', '@acme/github'], env: { GITHUB_TOKEN: '<your token>' } }),
  });
  expect(found).toMatchObject({
    format: expect.stringContaining('2 servers'),
    servers: [
      { name: 'github', transport: 'stdio', needs: ['GITHUB_TOKEN'] },
      { name: 'web', transport: 'http', needs: [] },
    ],
    problems: [],
  });
  expect(await hub.plans.recognize({ text: 'https://mcp.example.test/sse?key=1' })).toMatchObject({
    servers: [{ name: expect.not.stringContaining('key=1'), transport: expect.any(String) }],
  });
  expect(await hub.plans.recognize({ text: 'connect me to notion' })).toMatchObject({
    servers: [{ name: expect.stringMatching(/notion/i) }],
  });
  expect(await hub.plans.recognize({ text: 'npx -y @acme/boats --fast' })).toMatchObject({
    servers: [{ name: '@acme/boats' }],
  });
  expect(await hub.plans.recognize({ text: '  \n' })).toEqual({ format: '', servers: [], problems: [] });
  expect(await hub.plans.recognize({ text: 'SELECT * FROM users;' })).toMatchObject({ servers: [] });
});

verifies(
  ['W2', 'S9', 'V1'],
  'keys in a text do not come back, not even in its corrected version',
  async () => {
    const hub = await openPage();
    const texts = [
      config({ command: 'npx', args: ['x', '--token', KEY], env: { GITHUB_TOKEN: KEY, OTHER: KEY } }),
      `{"mcpServers": {"a": {"url": "https://a.test/mcp?api_key=${KEY}", "headers": {"Authorization": "Bearer ${KEY}"},}}`,
      `{mcpServers: {"a": {"command": "npx", "args": ["x", "${KEY}"], env: {"SOME_KEY": "${KEY}"}}`,
      `claude mcp add github -e GITHUB_TOKEN=${KEY} -- npx -y @acme/github`,
      `GITHUB_TOKEN=${KEY} npx -y @acme/github`,
      `https://user:${KEY}@a.test/mcp`,
    ];
    for (const text of texts) {
      const found = await hub.plans.recognize({ text });
      expect(JSON.stringify(found)).not.toContain(KEY);
    }
    const repaired = await hub.plans.recognize({ text: texts[2] ?? '' });
    expect(repaired.repair?.changes.length).toBeGreaterThan(0);
    expect(repaired.servers).toMatchObject([{ name: 'a' }]);
  },
);

verifies(
  ['W2', 'S18'],
  'where only remote servers are allowed, a local one is declined as one types',
  async () => {
    const hub = await openPage({ PLUG_REMOTE_ONLY: '1' });
    const found = await hub.plans.recognize({ text: config({ command: 'npx', args: ['x'] }) });
    expect(found.servers[0]?.declined).toContain('local server');
    expect(found.servers[1]?.declined).toBeUndefined();
  },
);

verifies(['W2', 'S8'], 'a text that is too long is answered, not read', async () => {
  const hub = await openPage();
  const found = await hub.plans.recognize({ text: 'x'.repeat(limits.pasteCharsMax + 1) });
  expect(found).toMatchObject({ servers: [], problems: [{ severity: 'error' }] });
  const endless = '{"mcpServers":'.repeat(20_000);
  expect((await hub.plans.recognize({ text: endless })).servers).toEqual([]);
});

verifies(
  ['W2', 'S10'],
  'a screenshot that is pasted becomes text on this machine',
  async () => {
    const hub = await openPage();
    const file = new URL('../fixtures/screenshots/editor-light.png', import.meta.url);
    const image = readFileSync(file).toString('base64');
    const { text } = await hub.plans.readImage({ image: `data:image/png;base64,${image}` });
    expect(text).toContain('mcpServers');
    const found = await hub.plans.recognize({ text });
    expect(found.servers.length).toBeGreaterThan(0);
  },
  90_000,
);

verifies(
  ['W2', 'S10'],
  'what is no picture, or too large a one, is refused with what to do instead',
  async () => {
    const hub = await openPage();
    const refusal = async (image: string): Promise<unknown> =>
      hub.plans.readImage({ image }).catch((error: unknown) => error);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
    expect(await refusal(svg)).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('PNG or JPEG'),
      next: expect.stringContaining('paste the text'),
    });
    expect(await refusal('%%% not base64 at all %%%')).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('base64'),
    });
    // As much as is allowed arrives, with the JSON around it, and is looked at.
    expect(await refusal('A'.repeat(limits.apiImageBytesMax))).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('PNG or JPEG'),
    });
    expect(await refusal('A'.repeat(limits.apiImageBytesMax + 4))).toMatchObject({
      message: expect.stringContaining('too large'),
    });
    expect(await refusal('A'.repeat(limits.apiImageBytesMax + 8 * 1024))).toMatchObject({
      code: 'too_large',
    });
  },
);
