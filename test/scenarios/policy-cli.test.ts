import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { destroying, played, reading, writing, type Played } from './calls-played.ts';
import { newPlug, type Plug } from './plug-command.ts';

const LONG_MS = 60_000;

async function openPlug(): Promise<{ readonly plug: Plug; readonly notes: Played }> {
  const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { rules: 'shipped' });
  const notes = played('notes', reading(), writing(), destroying());
  expect((await plug('add', 'notes', '--yes', '--', ...notes.command)).code).toBe(0);
  return { plug, notes };
}

verifies(
  ['P7', 'P4', 'L1'],
  'in a script a call that needs an approval exits 3 with one document, and its own command grants it',
  async () => {
    const { plug, notes } = await openPlug();
    for (const tool of ['create_note', 'delete_note', 'get_note']) {
      const call = ['call', `notes/${tool}`, 'id=7'];
      const refused = await plug('--json', ...call);
      expect(refused.code).toBe(3);
      const { error } = JSON.parse(refused.stdout) as {
        error: { code: string; owner: string; next: string; details: Record<string, unknown> };
      };
      expect(error).toMatchObject({ code: 'approval_required', owner: 'you', server: 'notes' });
      expect(error.details).toMatchObject({ tool, grant: error.next, decision: { effect: 'ask' } });
      expect(notes.calls().some(({ name }) => name === tool)).toBe(false);
      expect((await plug(...error.next.split(' ').slice(1))).code).toBe(0);
      expect((await plug(...call)).code).toBe(0);
      expect(notes.calls().filter(({ name }) => name === tool)).toHaveLength(1);
    }
    // What destroys was granted for once, what writes until it is revoked.
    expect((await plug('call', 'notes/delete_note', 'id=7')).code).toBe(3);
    expect((await plug('call', 'notes/create_note', 'id=8')).code).toBe(0);
    const { grants } = (await plug.json('grants', 'list')) as { grants: readonly { says: string }[] };
    expect(grants.map(({ says }) => says).toSorted()).toEqual([
      'Calls of notes/create_note',
      'Calls of notes/get_note',
    ]);
  },
  LONG_MS,
);

verifies(
  ['P8', 'P2'],
  'plug rules checks a file, shows what holds, and changes a default at run time for every face',
  async () => {
    const { plug, notes } = await openPlug();
    const file = join(plug.cwd, 'rules.json');
    writeFileSync(
      file,
      '{\n  "rules": [{ "name": "a", "when": { "risk": ["wirte"] }, "then": "deny" }]\n}\n',
    );
    const broken = await plug('rules', 'check', 'rules.json');
    expect(broken.code).toBe(1);
    expect(broken.stderr).toMatch(/rules\.json:2:\d+ .*wirte/);
    writeFileSync(file, '{ "rules": [{ "name": "a", "when": { "risk": ["write"] }, "then": "deny" }] }');
    expect((await plug('rules', 'check', 'rules.json')).code).toBe(0);

    expect((await plug('grants', 'add', 'notes/get_note')).code).toBe(0);
    expect((await plug('call', 'notes/create_note')).code).toBe(3);
    expect((await plug('rules', 'default', 'call.write', 'allow')).code).toBe(0);
    expect((await plug('call', 'notes/create_note')).code).toBe(0);
    expect((await plug('rules', 'default', 'call.write', 'deny')).code).toBe(0);
    const denied = await plug('--json', 'call', 'notes/create_note');
    expect(denied.code).not.toBe(0);
    expect(JSON.parse(denied.stdout)).toMatchObject({ error: { code: 'denied', owner: 'you' } });
    expect(notes.calls()).toHaveLength(1);
    expect((await plug('rules', 'default', 'call.destructive', 'allow')).code).toBe(2);
    const { defaults, file: kept } = (await plug.json('rules')) as { defaults: object; file: string };
    expect(defaults).toMatchObject({ call: { write: 'deny', destructive: 'ask' } });
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toMatchObject({ defaults: { call: { write: 'deny' } } });
  },
  LONG_MS,
);
