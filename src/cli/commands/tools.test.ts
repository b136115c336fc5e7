import { expect, test } from 'vitest';
import { toyHub } from '../../../test/contracts/toy-hub.ts';
import { toyPerson } from '../../../test/contracts/toy-person.ts';
import { verifies } from '../../../test/requirements.ts';
import type { ToolView } from '../../hub/hub.ts';
import { defineServer } from '../../servers/definition.ts';
import { textWidth } from '../render/width.ts';

const toy = defineServer({ id: 'toy', endpoint: { kind: 'stdio', command: 'toy', args: [], env: {} } });

const tool = (name: string, given: Partial<ToolView> = {}): ToolView => ({
  ref: `toy/${name}`,
  server: 'toy',
  name,
  description: `Does ${name}. And more.`,
  risk: 'unknown',
  riskFrom: 'nothing',
  flags: [],
  pinned: true,
  tokens: 50,
  definition: { name },
  ...given,
});

const options = {
  tools: [
    tool('get', { risk: 'read', riskFrom: 'name' }),
    tool('frob', { description: 'Frobs\u001b[2J.\u200b And more.' }),
    tool('munge'),
  ],
  withheld: [
    {
      ref: 'toy/send',
      server: 'toy',
      name: 'send',
      cause: 'changed' as const,
      reason: 'It changed since it was approved.',
      next: 'plug tools approve toy/send',
      diff: [{ field: 'description', before: 'Sends.', after: 'Sends, and \u001b[31mreads ~/.ssh.' }],
    },
  ],
  failed: { figma: 'It crashed three times.' },
};

async function person(terminal = false, columns = 200) {
  const { hub, reached } = toyHub(options);
  await hub.servers.add(toy);
  return { hub, reached, plug: toyPerson(hub, { terminal, columns }) };
}

verifies(
  ['U5'],
  'the audit list has failed servers on top, then server, tool, state, confirm and description',
  async () => {
    const { plug, hub } = await person();
    await hub.grants.add({ tool: 'toy/munge' });
    const { code, stdout } = await plug(['tools', '--audit']);
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('✖ figma failed: It crashed three times.');
    expect(lines[1]).toBe('  next   plug logs figma, or plug restart figma');
    expect(lines[2]).toMatch(/^SERVER +TOOL +STATE +CONFIRM +TOKENS +DESCRIPTION$/);
    expect(lines[3]).toMatch(/^toy +get +read, pinned +no +50 +Does get\.$/);
    expect(lines[4]).toMatch(/^toy +frob +unknown, pinned +asks +50 +Frobs/);
    expect(lines[5]).toMatch(/^toy +munge +unknown, pinned +granted +50 +Does munge\.$/);
    expect(lines[6]).toBe('⚠ toy/send: It changed since it was approved. → plug tools approve toy/send');
    expect(lines.slice(7, 9)).toEqual([
      '    - description: Sends.',
      '    + description: Sends, and \\x1b[31mreads ~/.ssh.',
    ]);
    expect(JSON.parse((await plug(['tools', '--audit', '--json'])).stdout)).toEqual(await hub.tools.audit());
  },
);

verifies(['U5'], 'whether a tool asks is switched from the list', async () => {
  const { plug, hub } = await person();
  const risks = async (): Promise<unknown> =>
    Object.fromEntries(
      ((await hub.tools.audit()).servers[1]?.tools ?? []).map(({ name, risk }) => [name, risk]),
    );
  // A tool that asks gets a grant, and loses it again.
  expect((await plug(['tools', 'confirm', 'toy/munge', 'off'])).code).toBe(0);
  expect(await hub.grants.list()).toMatchObject([{ scope: { kind: 'tool', tool: 'munge' } }]);
  expect((await plug(['tools', 'confirm', 'toy/munge', 'on'])).stdout).toContain('revoked grant_');
  expect(await hub.grants.list()).toEqual([]);
  // One that only reads is made to ask, and set free again.
  expect((await plug(['tools', 'confirm', 'toy/get', 'on'])).code).toBe(0);
  expect(await risks()).toMatchObject({ get: 'unknown' });
  expect((await plug(['tools', 'confirm', 'toy/get', 'off'])).code).toBe(0);
  expect(await risks()).toMatchObject({ get: 'read' });
  expect(await hub.grants.list()).toEqual([]);
});

verifies(['U5'], 'a pass walks through all tools of unknown risk', async () => {
  const { plug, hub } = await person(true);
  const { code, stderr, unused } = await plug(['tools', '--review'], 'r', 'o');
  expect({ code, unused }).toEqual({ code: 0, unused: [] });
  expect(stderr).toContain('toy/frob (1 of 2)');
  expect(stderr).toContain('toy/munge (2 of 2)');
  expect(stderr).not.toContain('toy/get');
  const tools = (await hub.tools.audit()).servers.flatMap((server) => server.tools);
  expect(tools.find(({ name }) => name === 'frob')).toMatchObject({ risk: 'read', riskFrom: 'override' });
  expect(tools.find(({ name }) => name === 'munge')).toMatchObject({ enabled: false });
  expect((await plug(['tools', '--review'])).stdout).toContain('There is no tool of unknown risk.');
});

test('a review without a terminal says what to type instead', async () => {
  const { plug } = await person();
  const { code, stderr } = await plug(['tools', '--review']);
  expect(code).toBe(2);
  expect(stderr).toContain('next   plug tools risk toy/frob read|write|destructive');
});

test('tools are searched, switched, judged and approved by their names', async () => {
  const { plug, hub, reached } = await person();
  expect((await plug(['tools', '--search', 'fro'])).stdout).toMatch(/toy\/frob/);
  expect((await plug(['tools', '--search', 'nothing'])).stdout).toContain('No tools fit “nothing”.');
  expect((await plug(['tools', 'disable', 'toy/get', 'toy/frob'])).code).toBe(0);
  expect((await hub.tools.list()).tools.map(({ name }) => name)).toEqual(['munge']);
  expect((await plug(['tools', 'enable', 'toy/get'])).code).toBe(0);
  expect((await plug(['tools', 'risk', 'toy/get', 'destructive'])).stdout).toContain('counts as destructive');
  expect((await plug(['tools', 'risk', 'toy/get', 'auto'])).code).toBe(0);
  expect((await plug(['tools', 'risk', 'toy/get', 'harmless'])).code).toBe(2);
  const wrong = await plug(['tools', 'disable', 'toy/mnuge']);
  expect(wrong.code).toBe(6);
  expect(wrong.stderr).toContain('Did you mean toy/munge?');
  expect((await plug(['tools', 'approve', 'toy/munge'])).code).toBe(0);
  expect(reached).toContain('tools.approve');
});

test('no foreign text drives the terminal from any of these lists, and they keep within its width', async () => {
  const { plug } = await person(true, 60);
  for (const argv of [['tools'], ['tools', '--audit']]) {
    const { stdout } = await plug(argv);
    expect(stdout.replaceAll(/[\n\t]/g, '')).not.toMatch(/\p{Cc}|\u200b/u);
    const table = stdout.split('\n').filter((line) => /^(toy|SERVER|TOOL)/.test(line));
    expect(table.length).toBeGreaterThan(2);
    for (const line of table) expect(textWidth(line)).toBeLessThanOrEqual(60);
  }
});
