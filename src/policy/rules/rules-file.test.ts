import { mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { decide } from '../decide.ts';
import type { CallQuestion, Decision } from '../decision.ts';
import type { Grant } from '../grant.ts';
import { GrantIndex } from '../grants.ts';
import { RulesFile } from './rules-file.ts';
import { rulesFolder } from './rules-place.ts';

let folder: string;
let file: RulesFile | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plug-rules-'));
});
afterEach(async () => {
  file?.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(): Promise<RulesFile> {
  file?.close();
  file = await RulesFile.open(rulesFolder({ folder, clock: systemClock, ids: systemIds }));
  return file;
}

const write = (text: string, name = 'rules.json'): Promise<void> => writeFile(join(folder, name), text);
const DENY = '{ "rules": [{ "name": "no mail", "when": { "tool": "mail/*" }, "then": "deny" }] }';

const grant: Grant = {
  id: 'g',
  principal: 'local',
  server: 'mail',
  fingerprint: 'f1',
  scope: { kind: 'tool', tool: 'list', hash: 'h1' },
  session: false,
  source: 'test',
  createdAt: 0,
};

/** A read on a trusted server: nothing but a rule could stop it. */
function decideRead(rules: RulesFile, grants: readonly Grant[] = []): Decision {
  const question: CallQuestion = {
    action: 'call',
    principal: 'local',
    requester: { kind: 'host', id: 'h' },
    now: 0,
    server: { id: 'mail', key: 'mail', fingerprint: 'f1', trust: 'kept' },
    tool: { name: 'list', risk: 'read', hash: 'h1', flags: [], quarantined: false },
    args: {},
    origins: [],
  };
  return decide(question, { ...rules.inForce, grants: new GrantIndex(grants), readOnly: false });
}

async function changed(rules: RulesFile, act: () => Promise<unknown>): Promise<void> {
  const told = new Promise<void>((resolve) => {
    const stop = rules.onChange(() => {
      stop();
      resolve();
    });
  });
  await act();
  await told;
}

verifies(['P2', 'P8'], 'a rule counts as soon as its file is saved, and is gone with the file', async () => {
  const rules = await open();
  expect(rules.view()).toEqual({ file: join(folder, 'rules.json'), exists: false, rules: [], problems: [] });
  expect(decideRead(rules).effect).toBe('allow');
  await changed(rules, () => write(DENY));
  expect(decideRead(rules)).toMatchObject({ effect: 'deny', by: { kind: 'rule', name: 'no mail' } });
  expect(rules.view().rules).toEqual([{ name: 'no mail', says: 'Deny calls of mail/*.' }]);
  await changed(rules, () => rm(join(folder, 'rules.json')));
  expect(decideRead(rules).effect).toBe('allow');
});

verifies(
  ['P8'],
  'with a mistake in the file the last valid rules stay in force, and it is told',
  async () => {
    await write(DENY);
    const rules = await open();
    await changed(rules, () => write(DENY.replace('"then"', '"thne"')));
    expect(decideRead(rules).effect).toBe('deny');
    expect(rules.view().problems[0]).toMatchObject({
      line: 1,
      message: expect.stringContaining('Did you mean “then”?'),
    });
    await changed(rules, () => write('{}'));
    expect(rules.view().problems).toEqual([]);
    expect(decideRead(rules).effect).toBe('allow');
  },
);

verifies(
  ['P8'],
  'a file that is broken from the start asks about everything, whatever was granted or trusted',
  async () => {
    await write('{ "rules": [');
    const rules = await open();
    expect(decideRead(rules, [grant])).toMatchObject({ effect: 'ask', by: { kind: 'rule' } });
    expect(decideRead(rules).reason).toContain('while the rules file cannot be used');
    expect(rules.view().problems).toHaveLength(1);
    await changed(rules, () => write('{}'));
    expect(decideRead(rules).effect).toBe('allow');
  },
);

verifies(
  ['P8'],
  'two rules files, or one that cannot be read, are a problem and not an empty set of rules',
  async () => {
    await write(DENY);
    await write('{}', 'rules.jsonc');
    expect((await open()).view().problems[0]?.message).toContain('keep one of the two');
    expect(decideRead(await open()).effect).toBe('ask');
    await rm(join(folder, 'rules.json'));
    expect(decideRead(await open()).effect).toBe('allow');
    await writeFile(join(folder, 'rules.jsonc'), Buffer.from([0x7b, 0xff, 0x7d]));
    expect(decideRead(await open()).effect).toBe('ask');
  },
);

verifies(
  ['P2'],
  'a default is changed at run time, at once and in the file, and comments and order stay',
  async () => {
    const text = [
      '{',
      '\t// mine',
      '\t"rules": [], // none yet',
      '\t"defaults": { "list": "ask" },',
      '}',
      '',
    ].join('\n');
    await write(text);
    const rules = await open();
    const now = await rules.setDefaults({ connect: 'deny', call: { write: 'allow' } });
    expect(now).toEqual({
      connect: 'deny',
      list: 'ask',
      call: { read: 'allow', write: 'allow', destructive: 'ask', unknown: 'ask' },
    });
    expect(rules.inForce.defaults).toEqual(now);
    const after = await readFile(join(folder, 'rules.json'), 'utf8');
    expect(after.startsWith('{\n\t// mine\n\t"rules": [], // none yet\n\t"defaults": {')).toBe(true);
    expect((await open()).inForce.defaults).toEqual(now);
    expect((await stat(join(folder, 'rules.json'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['rules.json']);
  },
);

verifies(
  ['P2'],
  'a first default makes a file with its schema beside it; parallel changes are all kept',
  async () => {
    const rules = await open();
    await Promise.all([
      rules.setDefaults({ connect: 'allow' }),
      rules.setDefaults({ call: { write: 'deny' } }),
      rules.setDefaults({ call: { unknown: 'deny' } }),
    ]);
    expect(JSON.parse(await readFile(join(folder, 'rules.json'), 'utf8'))).toEqual({
      $schema: './rules.schema.json',
      defaults: { connect: 'allow', call: { write: 'deny', unknown: 'deny' } },
    });
    expect((await readdir(folder)).toSorted()).toEqual(['rules.json', 'rules.schema.json']);
  },
);

test('a default is not written into a file with a mistake, and what destroys cannot be allowed by one', async () => {
  const broken = '{ "rulse": [] }';
  await write(broken);
  const rules = await open();
  await expect(rules.setDefaults({ list: 'ask' })).rejects.toMatchObject({
    code: 'bad_config',
    next: 'plug rules check',
  });
  expect(await readFile(join(folder, 'rules.json'), 'utf8')).toBe(broken);
  await expect(rules.setDefaults({ call: { destructive: 'allow' } })).rejects.toMatchObject({
    code: 'usage',
  });
});

test('a link to a rules file elsewhere stays a link', async () => {
  await write('{}', 'elsewhere.json');
  await symlink(join(folder, 'elsewhere.json'), join(folder, 'rules.json'));
  const rules = await open();
  await rules.setDefaults({ list: 'deny' });
  expect(JSON.parse(await readFile(join(folder, 'elsewhere.json'), 'utf8'))).toEqual({
    defaults: { list: 'deny' },
  });
});
