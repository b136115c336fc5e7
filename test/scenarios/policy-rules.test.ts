import { mkdirSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Hub } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { played, reading, writing } from './calls-played.ts';
import { local, withHub } from './lifecycle-hub.ts';
import { rule } from './policy-world.ts';

const LONG_MS = 40_000;
const SECRET_PLAN = 'The launch of the blue rocket is on the ninth of May in Kourou.';

interface Rules {
  readonly config: string;
  /** Writes the file as a person would, and waits until the hub has seen it. */
  readonly write: (hub: Hub, text: string, seen: (view: View) => boolean) => Promise<View>;
}

type View = Awaited<ReturnType<Hub['policy']['rules']>>;

function rulesIn(document: object): Rules {
  const config = temporaryFolder();
  mkdirSync(config, { recursive: true });
  writeFileSync(`${config}/rules.json`, JSON.stringify(document));
  const write: Rules['write'] = async (hub, text, seen) => {
    writeFileSync(`${config}/rules.json`, text);
    await waitFor(async () => seen(await hub.policy.rules()), 10_000);
    return hub.policy.rules();
  };
  return { config, write };
}

const permissive = { call: { read: 'allow', write: 'allow', unknown: 'allow' } };

verifies(
  ['P8', 'P1'],
  'what came from one server may not go to another, whole, in part or encoded, and the record says why',
  async () => {
    const files = played('files', reading('get_plan', { text: SECRET_PLAN }));
    const mail = played('mail', writing('send'));
    const name = 'files do not leave';
    const stays = rule('deny', name, { from: 'files', to: 'mail/*' });
    const { config } = rulesIn({ defaults: permissive, rules: [stays] });
    await withHub({ approve: 'nobody', config }, async ({ hub }) => {
      await hub.servers.apply({ definitions: [files.definition, mail.definition] });
      await hub.tools.call({ tool: 'mail/send', args: { body: 'nothing to hide' } });
      await hub.tools.call({ tool: 'files/get_plan' });
      const forms = [
        SECRET_PLAN,
        `fyi: ${SECRET_PLAN.slice(4, 48)} …`,
        Buffer.from(SECRET_PLAN).toString('base64'),
        encodeURIComponent(SECRET_PLAN),
      ];
      for (const text of forms) {
        const sent = hub.tools.call({ tool: 'mail/send', args: { parts: [{ text }] } });
        await expect(sent).rejects.toMatchObject({
          code: 'denied',
          details: {
            by: { kind: 'data_rule', name, origin: { server: 'files', tool: 'get_plan' } },
          },
        });
      }
      expect(mail.calls()).toHaveLength(1);
      await hub.tools.call({ tool: 'mail/send', args: { body: 'still nothing' } });
      const { records } = await hub.audit.query({ server: 'mail', outcome: 'refused' });
      expect(records).toHaveLength(forms.length);
      expect(records[0]).toMatchObject({ effect: 'deny', by: { kind: 'data_rule', name } });
    });
  },
  LONG_MS,
);

verifies(
  ['P8', 'L1'],
  'a rule about data also holds for resources and prompts, on their way in and on their way out',
  async () => {
    const mail = played('mail', writing('send'));
    const name = 'files do not leave';
    const stays = rule('deny', name, { from: 'files', to: '*' });
    const { config } = rulesIn({ defaults: permissive, rules: [stays] });
    await withHub({ approve: 'nobody', config }, async ({ hub }) => {
      await hub.servers.apply({
        definitions: [local('files', 'modern'), local('other', 'legacy'), mail.definition],
      });
      const uri = `test://item/${encodeURIComponent(SECRET_PLAN)}`;
      await hub.resources.read({ server: 'other', uri });
      await hub.prompts.get({ server: 'files', name: 'greet', args: { who: SECRET_PLAN } });
      const denied = { code: 'denied', details: { by: { kind: 'data_rule', name } } };
      const sent = hub.tools.call({ tool: 'mail/send', args: { body: SECRET_PLAN } });
      await expect(sent).rejects.toMatchObject(denied);
      await expect(hub.resources.read({ server: 'other', uri })).rejects.toMatchObject(denied);
      const asked = hub.prompts.get({ server: 'other', name: 'greet', args: { who: SECRET_PLAN } });
      await expect(asked).rejects.toMatchObject(denied);
      expect(mail.calls()).toEqual([]);
      // Its own words may go back to whom they came from.
      await hub.prompts.get({ server: 'files', name: 'greet', args: { who: SECRET_PLAN } });
    });
  },
  LONG_MS,
);

verifies(
  ['P8', 'P4'],
  'a rule asks when an argument matches, whatever is granted; only a grant for this one call goes before it',
  async () => {
    const mail = played('mail', writing('send'));
    const when = { tool: 'mail/send', args: { 'to.*': { matches: '@' } } };
    const { config } = rulesIn({ defaults: permissive, rules: [rule('ask', 'mail leaves', { when })] });
    await withHub({ approve: 'nobody', config }, async ({ hub }) => {
      await hub.servers.add({ definition: mail.definition });
      await hub.grants.add({ tool: 'mail/send' });
      await hub.tools.call({ tool: 'mail/send', args: { to: ['ada'] } });
      const send = (): Promise<unknown> =>
        hub.tools.call({ tool: 'mail/send', args: { to: ['ada', 'bob@example.com'] } });
      const refused = (await send().catch((error: unknown) => error)) as { code: string; next: string };
      expect(refused.code).toBe('approval_required');
      expect(refused.next).toMatch(/--once/);
      await hub.grants.add({ tool: 'mail/send', once: true });
      await send();
      await expect(send()).rejects.toMatchObject({ code: 'approval_required' });
      expect(mail.calls()).toHaveLength(2);
    });
  },
  LONG_MS,
);

verifies(
  ['P8'],
  'the rules file holds as soon as it is saved; a mistake in it is told by line and column and changes nothing',
  async () => {
    const notes = played('notes', writing());
    const { config, write } = rulesIn({ defaults: permissive });
    const call = (hub: Hub): Promise<unknown> => hub.tools.call({ tool: 'notes/create_note' });
    await withHub({ approve: 'nobody', config }, async ({ hub }) => {
      await hub.servers.add({ definition: notes.definition });
      await call(hub);
      const deny = `{"rules":[{"name":"no notes","when":{"server":"notes"},"then":"deny"}]}`;
      await write(hub, deny, ({ rules }) => rules.length === 1);
      await expect(call(hub)).rejects.toMatchObject({
        code: 'denied',
        details: { by: { kind: 'rule', name: 'no notes' } },
      });
      const broken =
        '{\n  "rules": [\n    {"name": "x", "when": {"sever": "notes"}, "then": "allow"}\n  ]\n}';
      const { problems, rules } = await write(hub, broken, (view) => view.problems.length > 0);
      expect(problems[0]).toMatchObject({ line: 3, column: 28 });
      expect(problems[0]?.message).toMatch(/sever/);
      expect(rules.map(({ name }) => name)).toEqual(['no notes']);
      await expect(call(hub)).rejects.toMatchObject({ code: 'denied' });
      expect(notes.calls()).toHaveLength(1);
      await write(hub, JSON.stringify({ defaults: permissive }), (view) => view.problems.length === 0);
      await call(hub);
      expect(notes.calls()).toHaveLength(2);
    });
  },
  LONG_MS,
);

verifies(
  ['P8', 'P2'],
  'a hub that starts with a broken rules file calls nothing until the file is mended',
  async () => {
    const notes = played('notes', writing());
    const { config, write } = rulesIn({ defaults: permissive });
    const folder = temporaryFolder();
    const storage = { kind: 'sqlite', file: `${folder}/plug.db` } as const;
    const options = { approve: 'nobody', config, folder, storage } as const;
    await withHub(options, async ({ hub }) => {
      await hub.servers.add({ definition: notes.definition });
      await hub.grants.add({ tool: 'notes/create_note' });
    });
    writeFileSync(`${config}/rules.json`, '{"defaults": {');
    await withHub(options, async ({ hub }) => {
      await expect(hub.tools.call({ tool: 'notes/create_note' })).rejects.toThrow();
      expect(notes.calls()).toEqual([]);
      await write(hub, '{}', ({ problems }) => problems.length === 0);
      await hub.tools.call({ tool: 'notes/create_note' });
      expect(notes.calls()).toHaveLength(1);
    });
  },
  LONG_MS,
);
