import { expect } from 'vitest';
import { toPlugError } from '../../src/base/errors.ts';
import { dispatch } from '../../src/hub/dispatch.ts';
import { mapOperations, type Implementations, type Run } from '../../src/hub/operations/table.ts';
import { TEAM_ROLES, type Space, type TeamRole } from '../../src/hub/principal.ts';
import { ACCESS, type OperationId } from '../../src/hub/team-access.ts';
import { verifies } from '../requirements.ts';

const SPACES: readonly Space[] = ['own', 'team', 'other'];

/** Every operation of the table, through the same check as for every face, with nothing behind it. */
async function open(role: TeamRole, space: Space): Promise<readonly string[]> {
  const ran: string[] = [];
  const parts = mapOperations((area, name) => (): Promise<void> => {
    ran.push(`${area}.${name}`);
    return Promise.resolve();
  }) as unknown as Implementations;
  const apis = dispatch(parts, { id: 'someone', role: 'owner', team: { role, space } });
  const names: string[] = [];
  for (const [area, api] of Object.entries(apis)) {
    for (const [name, run] of Object.entries(api as unknown as Readonly<Record<string, Run>>)) {
      // Without a fitting input an operation that is allowed says so, and does not run.
      const code = await Promise.resolve()
        .then(() => run({}, {}))
        .then(
          () => 'ran',
          (error: unknown) => toPlugError(error).code,
        );
      if (code !== 'denied') names.push(`${area}.${name}`);
      else expect(ran).not.toContain(`${area}.${name}`);
    }
  }
  return names;
}

const all = Object.keys(ACCESS) as readonly OperationId[];
const ofKind = (...kinds: readonly string[]): readonly string[] =>
  all.filter((id) => kinds.includes(ACCESS[id]) && !LISTENER.has(id)).toSorted();

/** The listener looks these up in the same table. */
const LISTENER = new Set<string>([
  'health',
  'openapi',
  'status',
  'watch',
  'shutdown',
  'page.link',
  'hosts.requests',
  'hosts.answer',
  'hosts.detach',
]);

const RECORDS = [
  'audit.query',
  'audit.summary',
  'audit.verify',
  'results.grep',
  'results.list',
  'results.ofCall',
  'results.page',
  'results.path',
];

verifies(
  ['M1', 'M6'],
  'each role may use what its part in a team needs, in each space, and nothing else',
  async () => {
    const expected: Readonly<Record<TeamRole, Readonly<Record<Space, readonly string[]>>>> = {
      owner: { own: ofKind('use', 'look', 'records'), team: ofKind('use', 'look'), other: [] },
      admin: { own: ofKind('use', 'look', 'records'), team: ofKind('use', 'look'), other: [] },
      member: { own: ofKind('use', 'look', 'records'), team: [], other: [] },
      auditor: { own: ofKind('look', 'records'), team: ofKind('look', 'records'), other: RECORDS },
    };
    for (const role of TEAM_ROLES) {
      for (const space of SPACES) {
        expect([role, space, (await open(role, space)).toSorted()]).toEqual([
          role,
          space,
          expected[role][space],
        ]);
      }
    }
  },
);

verifies(['M2'], 'nobody in a team reaches the machine of the hub', async () => {
  const machine = [
    'backups.make',
    'backups.restore',
    'clients.connect',
    'clients.disconnect',
    'clients.list',
    'doctor.fix',
    'doctor.run',
    'imports.run',
    'imports.scan',
    'models.save',
    'plans.unpack',
    'registries.save',
    'servers.install',
    'setup.run',
    'updates.apply',
  ];
  expect(ofKind('never')).toEqual(expect.arrayContaining(machine));
  for (const role of TEAM_ROLES) {
    for (const space of SPACES) {
      const reached = await open(role, space);
      expect(machine.filter((name) => reached.includes(name))).toEqual([]);
    }
  }
});

verifies(['M6'], 'an auditor changes nothing, and calls no tool', async () => {
  for (const space of SPACES) {
    const reached = await open('auditor', space);
    expect(reached.filter((name) => ACCESS[name as OperationId] === 'use')).toEqual([]);
    expect(reached).not.toContain('tools.call');
    expect(reached).not.toContain('servers.add');
    expect(reached).not.toContain('approvals.answer');
  }
});

verifies(['H2'], 'a hub of one user has every operation', async () => {
  const parts = mapOperations(() => () => Promise.resolve('ran')) as unknown as Implementations;
  const apis = dispatch(parts, { id: 'local', role: 'owner' });
  await expect(apis.backups.make()).resolves.toBe('ran');
  await expect(apis.servers.list()).resolves.toBe('ran');
});
