import { expect, test } from 'vitest';
import { toyHub } from '../../../test/contracts/toy-hub.ts';
import { toyPerson } from '../../../test/contracts/toy-person.ts';
import { verifies } from '../../../test/requirements.ts';
import { waitFor } from '../../../test/servers/start.ts';
import type { ToolView } from '../../hub/hub.ts';
import { defineServer } from '../../servers/definition.ts';

const toy = defineServer({ id: 'toy', endpoint: { kind: 'stdio', command: 'toy', args: [], env: {} } });

const tool = (name: string, given: Partial<ToolView> = {}): ToolView => ({
  ref: `toy/${name}`,
  server: 'toy',
  name,
  description: `Does ${name}. And more.`,
  risk: 'write',
  riskFrom: 'name',
  flags: [],
  pinned: true,
  tokens: 50,
  definition: { name },
  ...given,
});

const flag = { kind: 'instructions', field: 'description', detail: 'It says “ignore all”.' } as const;

async function person(options: Parameters<typeof toyHub>[0] = {}, terminal = false) {
  const made = toyHub({ tools: [tool('write'), tool('read', { risk: 'read' })], ...options });
  await made.hub.servers.add(toy);
  return { ...made, plug: toyPerson(made.hub, { terminal }) };
}

verifies(
  ['P7'],
  'without a terminal a write exits 3 and names the grant command; with the grant it runs',
  async () => {
    const { plug } = await person();
    const refused = await plug(['call', 'toy/write', '--args', '{"text":"hi"}']);
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toContain('next   plug grants add toy/write\n');
    const asJson = await plug(['call', 'toy/write', '--args', '{}', '--json']);
    expect(asJson).toMatchObject({ code: 3, stderr: '' });
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      error: { code: 'approval_required', next: 'plug grants add toy/write' },
    });
    const granted = await plug(['grants', 'add', 'toy/write']);
    expect(granted.code).toBe(0);
    expect(granted.stdout).toContain('Granted: Calls of toy/write.');
    expect(granted.stdout).toContain('plug grants revoke grant_');
    const ran = await plug(['call', 'toy/write', '--args', '{"text":"hi"}', '-v']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toBe('wrote {"text":"hi"}\n');
    expect(ran.stderr).toMatch(/Allowed: The grant grant_\d+ allows it\./);
  },
);

test('a person at a terminal sees the whole card and may say yes once', async () => {
  const { plug, hub } = await person({}, true);
  const { code, stdout, stderr } = await plug(['call', 'toy/write', '--args', '{"text":"hi"}'], 'y');
  expect(code).toBe(0);
  expect(stdout).toBe('wrote {"text":"hi"}\n');
  for (const said of ['toy (ada@example.com)', 'write', 'It writes, and writes ask.', '"hi"']) {
    expect(stderr).toContain(said);
  }
  expect(await hub.grants.list()).toEqual([]);
});

test('Enter is a no, and the no ends the call', async () => {
  const { plug } = await person({}, true);
  const { code, stdout, stderr } = await plug(['call', 'toy/write', '--args', '{}'], '');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('It was denied.');
});

test('only what is offered can be chosen: a destructive call has no always', async () => {
  const { plug, hub } = await person({}, true);
  // t is no choice here and is asked again; n is.
  const { stderr, unused } = await plug(['call', 'toy/wipe', '--args', '{}'], 't', 'n');
  expect(unused).toEqual([]);
  expect(stderr).toContain('[y/e/N]');
  expect(stderr).not.toContain('this tool always');
  expect(await hub.grants.list()).toEqual([]);
});

test('an answer can be remembered for the tool, and the next call does not ask', async () => {
  const { plug, hub } = await person({}, true);
  expect((await plug(['call', 'toy/write', '--args', '{}'], 't')).code).toBe(0);
  expect(await hub.grants.list()).toMatchObject([{ scope: { kind: 'tool' } }]);
  const again = await plug(['call', 'toy/write', '--args', '{}'], 'n');
  expect(again).toMatchObject({ code: 0, unused: ['n'] });
});

test('arguments can be edited before they run, and mistakes are asked again', async () => {
  const { plug } = await person({}, true);
  // The line begins with the arguments as they are: the last characters are taken back.
  const answers = ['e', ' not json', 'e', '\u007f,"refused":1}', 'e', '\u007f\u007f2}'];
  const { code, stdout, stderr, unused } = await plug(['call', 'toy/write', '--args', '{"a":1}'], ...answers);
  expect(stderr).toContain('is not valid JSON');
  expect(stderr).toContain('refused is not an argument.');
  expect({ code, stdout, unused }).toEqual({ code: 0, stdout: 'wrote {"a":2}\n', unused: [] });
});

test('Escape stops the call, and nothing is left waiting', async () => {
  const { plug, hub } = await person({}, true);
  const { code, stderr } = await plug(['call', 'toy/write', '--args', '{}'], '\u001b');
  expect(code).toBe(1);
  expect(stderr).toContain('You stopped it. toy/write was not called.');
  expect(await hub.approvals.list()).toEqual([]);
});

test('an answer from elsewhere ends the question', async () => {
  const { plug, hub } = await person({}, true);
  const calling = plug(['call', 'toy/write', '--args', '{}']);
  await waitFor(async () => (await hub.approvals.list()).length === 1);
  const [approval] = await hub.approvals.list();
  const other = toyPerson(hub);
  expect((await other(['approve', approval?.id ?? ''])).code).toBe(0);
  const { code, stdout } = await calling;
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'wrote {}\n' });
});

test('what waits is listed, shown whole, answered, and a wrong id is answered with the right one', async () => {
  const { plug, hub } = await person();
  const calling = hub.tools.call({ tool: 'toy/write', args: { text: 'x' }, approval: 'wait' });
  const refused = expect(calling).rejects.toThrow('Not on a Friday.');
  const listed = await plug(['approvals']);
  const [id = ''] = /appr_\d+/.exec(listed.stdout) ?? [];
  expect(listed.stdout).toMatch(/toy\/write\s+write\s+Some Agent/);
  expect((await plug(['status'])).stdout).toContain('1 call waits for your answer.');
  expect((await plug(['approvals', id])).stdout).toContain('"x"');
  const wrong = await plug(['approve', `${id}0`]);
  expect(wrong.code).toBe(6);
  expect(wrong.stderr).toContain(`Did you mean ${id}?`);
  const never = await plug(['approve', id, '--remember', 'reads']);
  expect(never.code).toBe(1);
  expect(never.stderr).toContain('It may be remembered for: session, tool, arguments.');
  expect((await plug(['approve', id, '--remember', 'arguments'])).code).toBe(2);
  // The toy knows this caller and the asker by the same name, and the asker cannot answer.
  const { hub: toyAs } = { hub: hub.as?.({ kind: 'terminal', id: 'another' }) ?? hub };
  const denied = await toyPerson(toyAs)(['deny', id, '--note', 'Not on a Friday.', '--json']);
  expect(JSON.parse(denied.stdout)).toMatchObject({ outcome: { kind: 'denied' } });
  await refused;
  expect((await plug(['approvals'])).stdout).toBe('No call waits for an answer.\n');
});

test('grants are listed in words and revoked by id; dates and patterns are read as people write them', async () => {
  const { plug, hub } = await person();
  const added = await plug([
    'grants',
    'add',
    'toy/write',
    '--args',
    'repo=acme/*',
    '--until',
    '2h',
    '--json',
  ]);
  expect(JSON.parse(added.stdout)).toMatchObject({ grant: { scope: { pattern: { repo: 'acme/*' } } } });
  const [grant] = await hub.grants.list();
  expect((grant?.until ?? 0) - Date.now()).toBeGreaterThan(7_100_000);
  const list = await plug(['grants', 'list', 'toy']);
  expect(list.stdout).toContain('Calls of toy/write where repo is acme/*');
  expect((await plug(['grants', 'add', 'toy/write', '--until', 'soon'])).code).toBe(2);
  expect((await plug(['grants', 'add', 'toy', '--once'])).code).toBe(2);
  const wrong = await plug(['grants', 'revoke', `${grant?.id}x`]);
  expect(wrong.stderr).toContain(`Did you mean ${grant?.id}?`);
  expect((await plug(['grants', 'revoke', grant?.id ?? ''])).stdout).toContain('Revoked: Calls of toy/write');
  expect(await hub.grants.list()).toEqual([]);
  expect((await plug(['grants'])).stdout).toContain('Nothing is granted.');
});

test('trust says what it means, names flagged tools, and is taken back', async () => {
  const tools = [tool('read', { risk: 'read' }), tool('odd', { flags: [flag] })];
  const { plug, hub } = await person({ tools }, true);
  const no = await plug(['trust', 'toy'], 'n');
  expect(no.code).toBe(1);
  expect(no.stdout).toContain('what reads runs without asking; what writes still asks');
  expect(no.stdout).toContain('odd description: It says “ignore all”.');
  expect((await hub.servers.get('toy')).trust).toBe('none');
  expect((await plug(['trust', 'toy', '--session'], 'y')).code).toBe(0);
  expect((await hub.servers.get('toy')).trust).toBe('session');
  expect((await plug(['trust', 'toy', '--yes'])).code).toBe(0);
  expect((await hub.servers.get('toy')).trust).toBe('kept');
  expect((await plug(['trust', 'toy'])).stdout).toContain('is trusted already');
  expect((await plug(['trust'])).stdout).toMatch(/trusted +toy/);
  expect((await plug(['untrust', 'toy'])).code).toBe(0);
  expect((await hub.servers.get('toy')).trust).toBe('none');
  expect((await plug(['untrust', 'tyo'])).stderr).toContain('Did you mean toy?');
});

test('rules are shown, checked and their defaults changed', async () => {
  const problem = { line: 3, column: 7, message: 'There is no effect “dney”.' };
  const { plug, hub } = await person({ ruleProblems: [problem] });
  expect((await plug(['rules'])).stdout).toContain('What came from notes may not go to web.');
  const check = await plug(['rules', 'check']);
  expect(check.code).toBe(1);
  expect(check.stderr).toContain('rules.yaml:3:7 There is no effect “dney”.');
  expect((await plug(['rules', 'default', 'call.write', 'deny'])).code).toBe(0);
  expect((await hub.policy.defaults()).call.write).toBe('deny');
  const wrong = await plug(['rules', 'default', 'call.wrte', 'deny']);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('Did you mean call.write?');
});
