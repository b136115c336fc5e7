import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { startHttpFixture, stdioFixture } from '../servers/start.ts';
import { openAdd } from './add-world.ts';
import { seriousViolations } from './axe.ts';

const LONG_MS = 90_000;
const WEATHER = { command: 'npx', args: ['-y', 'acme-weather'] };

function cursorLink(entry: object): string {
  const config = encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=acme&config=${config}`;
}

/** What is pasted, what is said of it while typing, and what the plan then says it would do. */
const KINDS: readonly (readonly [string, string, RegExp])[] = [
  [
    '{\n  // mine\n  "servers": { "weather": { "command": "npx", "args": ["-y", "acme-weather"] } }\n}',
    'VS Code mcp.json, 1 server',
    /Runs acme-weather@1\.2\.3/,
  ],
  [
    JSON.stringify({ mcpServers: { weather: WEATHER } }),
    'mcp.json (mcpServers), 1 server',
    /Runs acme-weather@1\.2\.3/,
  ],
  [
    JSON.stringify({ context_servers: { weather: WEATHER } }),
    'Zed settings.json, 1 server',
    /Runs acme-weather/,
  ],
  [
    JSON.stringify({ mcp: { weather: { type: 'local', command: ['npx', '-y', 'acme-weather'] } } }),
    'opencode.json, 1 server',
    /Runs acme-weather/,
  ],
  [
    '[mcp_servers.weather]\ncommand = "npx"\nargs = ["-y", "acme-weather"]\n',
    'Codex config.toml, 1 server',
    /Runs acme-weather/,
  ],
  [
    'extensions:\n  weather:\n    type: stdio\n    cmd: npx\n    args: ["-y", "acme-weather"]\n',
    'goose config.yaml, 1 server',
    /Runs acme-weather/,
  ],
  [
    'npx -y acme-weather',
    'an npx command, 1 server',
    /Runs acme-weather@1\.2\.3 on this machine, with your permissions/,
  ],
  [
    'docker run -i --rm -e WEATHER_API_KEY acme/weather:1.0',
    'a docker command, 1 server, 1 value to fill in',
    /Runs .*acme\/weather:1\.0/,
  ],
  [
    'claude mcp add weather --env WEATHER_API_KEY=<your-key> -- npx -y acme-weather',
    'claude mcp add, 1 server, 1 value to fill in',
    /Runs acme-weather/,
  ],
  [
    '## Install\n\nAdd this to your client:\n\n```json\n{ "mcpServers": { "weather": { "command": "npx", "args": ["-y", "acme-weather"] } } }\n```\n\nThen restart.',
    'mcp.json (mcpServers), 1 server',
    /Runs acme-weather/,
  ],
  ['connect me to Notion', 'plain words, 1 server', /Connects to mcp\.notion\.com/],
  [cursorLink(WEATHER), 'Cursor link, 1 server', /Confirm only if you trust the author of the link/],
];

verifies(
  ['W2', 'S8'],
  'whatever is pasted is recognized while typing, and going on shows what it would do',
  async () => {
    const { page, box, goOn, recognized, npm } = await openAdd();
    for (const [text, format, plan] of KINDS) {
      await box.fill(text);
      await recognized.getByText(format).waitFor();
      await goOn(text);
      await page.getByText(plan).waitFor();
      await page.getByRole('button', { name: 'Test' }).waitFor();
      await box.fill('');
    }
    expect(npm.asked.length).toBeGreaterThan(0);
    expect(await seriousViolations(page)).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['W2', 'S8', 'S17'],
  'an address is tried without saving anything, then added, and its tools are one click away',
  async () => {
    await using fixture = await startHttpFixture('dual');
    const { page, hub, box, plan } = await openAdd();
    await box.fill(fixture.url);
    await box.press('Enter');
    const card = plan(/127\.0\.0\.1|fixture|mcp/i);
    await card.getByLabel('Name').fill('boat');
    await card.getByRole('button', { name: 'Test' }).click();
    await card.getByText(/Connected to Fixture server, \d+ tools including .*Nothing is saved yet/).waitFor();
    expect(await card.getByRole('list', { name: 'What happens' }).innerText()).toContain('Connected to');
    expect((await hub.servers.list()).servers).toEqual([]);
    await card.getByRole('button', { name: 'Add', exact: true }).click();
    // The same words stand in the log while it is being added: only this card says that it is.
    const added = page.getByRole('region', { name: /is added$/ });
    await added.getByText(/Connected to Fixture server, \d+ tools including/).waitFor();
    expect((await hub.servers.list()).servers).toMatchObject([{ id: 'boat', state: { kind: 'ready' } }]);
    await page.getByRole('link', { name: 'All tools' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/servers/boat/tools');
    await page.goBack();
  },
  LONG_MS,
);

verifies(
  ['W2', 'S9'],
  'damaged JSON is explained by line, shown corrected, and used only after a yes',
  async () => {
    const key = 'sk-live-0123456789abcdefghijklmnop';
    const { command, args } = stdioFixture('dual');
    const text = `{\n  "mcpServers": {\n    "mended": {\n      "command": ${JSON.stringify(command)}\n      "args": ${JSON.stringify(args)},\n      "env": { "API_KEY": "${key}" },\n    }\n  }\n`;
    const { page, hub, box, goOn } = await openAdd();
    await box.fill(text);
    await page.getByText('Line 4: a comma was missing at the end of this line').waitFor();
    await goOn(text);
    await page.getByText('Line 4: a comma was missing at the end of this line').waitFor();
    // Nothing is offered that was only guessed.
    expect(await page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Use the corrected text' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('region', { name: /is added$/ }).waitFor();
    // The key came through the correction, and nowhere else than into the vault.
    expect(JSON.parse(await box.inputValue())).toMatchObject({
      mcpServers: { mended: { env: { API_KEY: key } } },
    });
    expect(await hub.secrets.list()).toEqual(['mended/API_KEY']);
    expect(JSON.stringify(await hub.servers.definition({ id: 'mended' }))).not.toContain(key);
  },
  LONG_MS,
);

verifies(
  ['W2', 'S9'],
  'using the correction while typing keeps the key that stands in the text',
  async () => {
    const { box, page } = await openAdd();
    const key = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
    await box.fill(
      `{"mcpServers": {"a": {"command": "npx" "args": ["acme-x"], "env": {"GITHUB_TOKEN": "${key}"}}}`,
    );
    await page.getByRole('button', { name: 'Use the corrected text' }).click();
    await expect.poll(async () => (await box.inputValue()).includes('\n')).toBe(true);
    expect(await box.inputValue()).toContain(key);
  },
  LONG_MS,
);

verifies(
  ['W2', 'S14'],
  'a link that somebody made is not followed until one says who made it',
  async () => {
    const { page, hub, goOn, npxCalls } = await openAdd();
    await goOn(cursorLink(WEATHER));
    const add = page.getByRole('button', { name: 'Add', exact: true });
    await add.waitFor();
    expect(await add.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Test' }).isDisabled()).toBe(true);
    await page.getByLabel(/I know who made this link/).check();
    await add.click();
    await page.getByRole('region', { name: /is added$/ }).waitFor();
    expect((await hub.servers.list()).servers.map(({ id }) => id)).toEqual(['acme']);
    expect(npxCalls().join('\n')).toContain('acme-weather@1.2.3');
  },
  LONG_MS,
);

verifies(
  ['W2', 'S8'],
  'several servers come one by one: the complete ones are added together, the others say what they miss',
  async () => {
    const { command, args } = stdioFixture('dual');
    const { page, hub, goOn } = await openAdd();
    await goOn(
      JSON.stringify({
        mcpServers: {
          one: { command, args },
          two: { command, args, env: { NEEDED_TOKEN: '<your token>' } },
          three: { command, args },
        },
      }),
    );
    await page.getByRole('button', { name: 'Add all complete servers' }).click();
    await page.getByRole('region', { name: 'one is added' }).waitFor();
    await page.getByRole('region', { name: 'three is added' }).waitFor();
    await page.getByText('Paste it here.').waitFor();
    expect((await hub.servers.list()).servers.map(({ id }) => id).toSorted()).toEqual(['one', 'three']);
  },
  LONG_MS,
);

verifies(
  ['W2', 'S10'],
  'a hub that runs nothing declines what would run there, while one types, and says what to give instead',
  async () => {
    const { page, box, goOn, hub } = await openAdd({ env: { PLUG_REMOTE_ONLY: '1' } });
    await box.fill('npx -y acme-weather');
    await page.getByText(/Give the address of a remote server instead/).waitFor();
    await goOn('npx -y acme-weather');
    await page.getByRole('region', { name: /is not added/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0);
    expect((await hub.servers.list()).servers).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['W2'],
  'something else than a server is named for what it is, and markup in a name stays text',
  async () => {
    const { page, box, goOn, complaints } = await openAdd();
    await box.fill('{"openapi":"3.0.0","paths":{}}');
    await page.getByText(/This is an OpenAPI description, not a server/).waitFor();
    const evil = '<img src=x onerror=alert(1)>\u202e';
    await goOn(JSON.stringify({ mcpServers: { [evil]: WEATHER } }));
    await page.getByText('Line 1: invisible characters were removed').waitFor();
    await page.getByText('<U+202E>').first().waitFor();
    await page.getByRole('button', { name: 'Use the corrected text' }).click();
    await page.getByRole('button', { name: 'Test' }).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.getByRole('main').innerText()).toContain('<img src=x onerror=alert(1)>');
    expect(complaints).toEqual([]);
  },
  LONG_MS,
);
