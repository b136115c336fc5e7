import { expect } from 'vitest';
import { nameForms, renderName } from '../../src/catalog/names.ts';
import { verifies } from '../requirements.ts';
import { everythingCommand, newPlug, type Plug } from './plug-command.ts';

const LONG_MS = 180_000;
const REF = 'everything/get-sum';
const FORMS = [REF, ...nameForms.map((form) => renderName({ server: 'everything', tool: 'get-sum' }, form))];

/** The published demo server, whose every write would ask. */
async function openPlug(id = 'everything'): Promise<Plug> {
  const plug = newPlug({ PLUG_NO_KEYRING: '1' });
  await plug.json('add', id, '--yes', '--', ...everythingCommand());
  return plug;
}

/** Everything of a command that takes a tool, and what it must have done to that tool. */
const COMMANDS: readonly (readonly [string, (plug: Plug, name: string) => Promise<unknown>, unknown])[] = [
  [
    'call',
    (plug, name) => plug.json('call', name, 'a=2', 'b=3'),
    { server: 'everything', tool: 'get-sum', isError: false },
  ],
  ['tools risk', (plug, name) => plug.json('tools', 'risk', name, 'read'), { tool: REF }],
  ['tools disable', (plug, name) => plug.json('tools', 'disable', name), { tools: [REF] }],
  ['tools enable', (plug, name) => plug.json('tools', 'enable', name), { tools: [REF] }],
  ['tools approve', (plug, name) => plug.json('tools', 'approve', name, '--yes'), { approved: [REF] }],
  ['tools confirm', (plug, name) => plug.json('tools', 'confirm', name, 'on'), { tool: REF }],
  [
    'grants add',
    (plug, name) => plug.json('grants', 'add', name, '--args', 'a=2'),
    { grant: { serverId: 'everything', scope: { tool: 'get-sum' } } },
  ],
  [
    'audit --tool',
    (plug, name) => plug.json('audit', '--tool', name, '-n', '1'),
    { records: [{ server: 'everything', tool: 'get-sum' }] },
  ],
  [
    'profile save --deny',
    (plug, name) => plug.json('profile', 'save', 'few', '--deny', name),
    { profile: { tools: { deny: [REF] } } },
  ],
  [
    'profile save --allow',
    (plug, name) => plug.json('profile', 'save', 'few', '--allow', name),
    { profile: { tools: { allow: [REF] } }, tools: 1 },
  ],
];

verifies(
  ['T1'],
  'every command that takes a tool takes its name in every form',
  async () => {
    const plug = await openPlug();
    expect(new Set(FORMS)).toEqual(
      new Set([
        REF,
        'mcp__everything__get-sum',
        'mcp:everything:get-sum',
        'everything.get-sum',
        'everything__get-sum',
      ]),
    );
    for (const name of FORMS)
      for (const [command, run, outcome] of COMMANDS)
        expect({ command, name, outcome: await run(plug, name) }).toMatchObject({ command, name, outcome });
    // A mistake in any form is still a mistake, with the near name.
    for (const name of ['mcp__everything__get-som', 'everything.get-som', 'everything/get-som']) {
      const { code, stdout } = await plug('--json', 'call', name, 'a=1', 'b=2');
      expect({ name, code, error: JSON.parse(stdout) as unknown }).toMatchObject({
        code: 6,
        error: { error: { code: 'not_found', details: { suggestions: [REF] } } },
      });
    }
  },
  LONG_MS,
);

verifies(
  ['T1', 'U1'],
  'completion goes on with the form that was begun, and knows the arguments behind every form',
  async () => {
    const plug = await openPlug();
    const offers = async (...words: readonly string[]): Promise<readonly string[]> =>
      (await plug('complete', '--', ...words)).stdout
        .split('\n')
        .map((line) => line.split('\t', 1)[0] ?? '')
        .filter((line) => line !== '');
    for (const name of FORMS) {
      expect(await offers('call', name.slice(0, -1)), name).toEqual([name]);
      expect(await offers('tools', 'risk', name.slice(0, -1)), name).toEqual([name]);
      expect(await offers('call', name, ''), name).toEqual(expect.arrayContaining(['a=', 'b=']));
    }
    // Who has begun nothing is not shown each tool five times.
    const all = await offers('call', '');
    expect(all).toContain(REF);
    expect(all.filter((name) => name.includes('get-sum'))).toEqual([REF]);
  },
  LONG_MS,
);

verifies(
  ['T1'],
  'a name that is too long for models is found again by the short one that they are shown',
  async () => {
    const id = `a-server-with-${'a-very-long-'.repeat(3)}name`;
    const plug = await openPlug(id);
    const names = nameForms.map((form) => renderName({ server: id, tool: 'get-sum' }, form));
    for (const name of names) {
      expect(name.length).toBeLessThanOrEqual(64);
      expect(await plug.json('call', name, 'a=2', 'b=3')).toMatchObject({
        server: id,
        tool: 'get-sum',
        isError: false,
      });
      expect(await plug.json('tools', 'disable', name)).toMatchObject({ tools: [`${id}/get-sum`] });
      expect(await plug.json('tools', 'enable', name)).toMatchObject({ tools: [`${id}/get-sum`] });
    }
  },
  LONG_MS,
);
