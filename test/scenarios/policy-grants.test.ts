import { expect } from 'vitest';
import type { GrantView, Hub } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { skippingClock } from './calls-clock.ts';
import { destroying, played, reading, writing } from './calls-played.ts';

import { withHub } from './lifecycle-hub.ts';

const LONG_MS = 40_000;
const DAY_MS = 24 * 60 * 60_000;

/** `ok`, or the code with which it was refused. */
async function outcomeOf(hub: Hub, tool: string, args = {}): Promise<string> {
  return hub.tools.call({ tool, args }).then(
    () => 'ok',
    (error: { code: string }) => error.code,
  );
}

async function onlyGrant(hub: Hub): Promise<GrantView> {
  const grants = await hub.grants.list();
  expect(grants).toHaveLength(1);
  return grants[0] as GrantView; // just counted
}

verifies(
  ['P4'],
  'a grant for once lets one call through, also when twenty come at the same time',
  async () => {
    const notes = played('notes', writing());
    await withHub({ approve: 'nobody' }, async ({ hub }) => {
      await hub.servers.add({ definition: notes.definition });
      expect(await outcomeOf(hub, 'notes/create_note')).toBe('approval_required');
      const { says } = await hub.grants.add({ tool: 'notes/create_note', once: true });
      expect(says).toMatch(/notes\/create_note/);
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, n) => outcomeOf(hub, 'notes/create_note', { n })),
      );
      expect(outcomes.toSorted()).toEqual([...Array<string>(19).fill('approval_required'), 'ok'].toSorted());
      expect(notes.calls()).toHaveLength(1);
      expect(await hub.grants.list()).toEqual([]);
    });
  },
  LONG_MS,
);

verifies(
  ['P4'],
  'a grant for once that names its arguments lets no others through',
  async () => {
    const notes = played('notes', destroying());
    await withHub({ approve: 'nobody' }, async ({ hub }) => {
      await hub.servers.add({ definition: notes.definition });
      const refused = hub.tools.call({ tool: 'notes/delete_note', args: { id: 1 } });
      const { details } = (await refused.catch((error: unknown) => error)) as {
        details: { argsHash: string };
      };
      await hub.grants.add({ tool: 'notes/delete_note', once: true, argsHash: details.argsHash });
      expect(await outcomeOf(hub, 'notes/delete_note', { id: 2 })).toBe('approval_required');
      expect(await outcomeOf(hub, 'notes/delete_note', { id: 1 })).toBe('ok');
      expect(await outcomeOf(hub, 'notes/delete_note', { id: 1 })).toBe('approval_required');
      expect(notes.calls().map(({ args }) => args)).toEqual([{ id: 1 }]);
    });
  },
  LONG_MS,
);

verifies(
  ['P4', 'P1'],
  'a grant covers what it says and nothing beside: a tool, a pattern of arguments, the reads of a server',
  async () => {
    const notes = played('notes', reading(), writing(), writing('update_note'), destroying());
    await withHub({ approve: 'nobody' }, async ({ hub }) => {
      await hub.servers.add({ definition: notes.definition });
      const tool = await hub.grants.add({ tool: 'notes/create_note' });
      expect(await outcomeOf(hub, 'notes/create_note')).toBe('ok');
      expect(await outcomeOf(hub, 'notes/update_note')).toBe('approval_required');
      await hub.grants.add({ tool: 'notes/update_note', args: { 'to.folder': 'drafts/*' } });
      expect(await outcomeOf(hub, 'notes/update_note', { to: { folder: 'drafts/a' }, text: 'x' })).toBe('ok');
      expect(await outcomeOf(hub, 'notes/update_note', { to: { folder: 'sent/a' } })).toBe(
        'approval_required',
      );
      expect(await outcomeOf(hub, 'notes/update_note', {})).toBe('approval_required');
      expect(await outcomeOf(hub, 'notes/get_note')).toBe('approval_required');
      const reads = await hub.grants.add({ tool: 'notes' });
      expect(await outcomeOf(hub, 'notes/get_note')).toBe('ok');
      // Never for ever: what destroys is granted once, for arguments, or until a date.
      await expect(hub.grants.add({ tool: 'notes/delete_note' })).rejects.toMatchObject({ code: 'usage' });
      expect(await outcomeOf(hub, 'notes/delete_note')).toBe('approval_required');

      const explained = await hub.policy.explain({ tool: 'notes/create_note' });
      expect(explained).toMatchObject({ effect: 'allow', by: { kind: 'grant', id: tool.id } });
      const { records } = await hub.audit.query({ outcome: 'ok' });
      expect(records.map(({ by }) => (by.kind === 'grant' ? by.id : by.kind)).slice(0, 1)).toEqual([
        reads.id,
      ]);
      await hub.grants.revoke({ id: tool.id });
      expect(await outcomeOf(hub, 'notes/create_note')).toBe('approval_required');
      await expect(hub.grants.revoke({ id: tool.id })).rejects.toMatchObject({ code: 'not_found' });
      expect(notes.calls().map(({ name }) => name)).toEqual(['create_note', 'update_note', 'get_note']);
    });
  },
  LONG_MS,
);

verifies(
  ['P4'],
  'grants outlive the hub, but not those for the session, and not beyond their date',
  async () => {
    const folder = temporaryFolder();
    const storage = { kind: 'sqlite', file: `${folder}/plug.db` } as const;
    const notes = played('notes', writing('a_create'), writing('b_create'), writing('c_create'));
    const clock = skippingClock();
    const tools = ['notes/a_create', 'notes/b_create', 'notes/c_create'];
    const outcomes = async (hub: Hub): Promise<readonly string[]> =>
      Promise.all(tools.map((tool) => outcomeOf(hub, tool)));
    const options = { folder, storage, clock, approve: 'nobody' } as const;
    await withHub(options, async ({ hub }) => {
      await hub.servers.add({ definition: notes.definition });
      await hub.grants.add({ tool: 'notes/a_create' });
      await hub.grants.add({ tool: 'notes/b_create', session: true });
      await hub.grants.add({ tool: 'notes/c_create', until: clock.now() + DAY_MS });
      expect(await outcomes(hub)).toEqual(['ok', 'ok', 'ok']);
    });
    await withHub(options, async ({ hub }) => {
      expect(await outcomes(hub)).toEqual(['ok', 'approval_required', 'ok']);
      clock.skip(DAY_MS + 1);
      expect((await outcomes(hub))[2]).toBe('approval_required');
    });
  },
  LONG_MS,
);

verifies(
  ['P4'],
  'a tool that changes its definition, or a server that runs another command, loses its grants',
  async () => {
    const notes = played('notes', writing());
    const other = played('notes', writing());
    await withHub({ approve: 'nobody' }, async ({ hub }) => {
      await hub.servers.add({ definition: notes.definition });
      await hub.grants.add({ tool: 'notes/create_note' });
      expect(await outcomeOf(hub, 'notes/create_note')).toBe('ok');
      expect(await onlyGrant(hub)).not.toHaveProperty('stale');

      notes.offer({ ...writing(), description: 'Creates a note, and sends it away.' });
      await waitFor(async () => (await onlyGrant(hub)).stale !== undefined, 10_000);
      expect(await outcomeOf(hub, 'notes/create_note')).not.toBe('ok');
      expect((await onlyGrant(hub)).stale).toMatch(/The tool changed/);

      notes.offer(writing());
      await waitFor(async () => (await outcomeOf(hub, 'notes/create_note')) === 'ok', 10_000);
      await hub.servers.apply({ definitions: [other.definition] });
      expect(await outcomeOf(hub, 'notes/create_note')).toBe('approval_required');
      expect((await onlyGrant(hub)).stale).toMatch(/server changed/);
      expect(other.calls()).toEqual([]);
    });
  },
  LONG_MS,
);
