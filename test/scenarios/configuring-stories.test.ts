import { assert, expect, onTestFinished } from 'vitest';
import { getFeatured } from '../../src/servers/featured.ts';
import { verifies } from '../requirements.ts';
import { startHttpFixture } from '../servers/start.ts';
import { signIn } from '../sign-in/signed-in-hub.ts';
import { startAuthorizationServer, startProtectedServer } from '../sign-in/start.ts';
import { installIn, withConfiguring } from './configuring-world.ts';

/** The featured Notion stands on this machine. Test files share one table, so that it is put back. */
function notionAt(url: string): void {
  const remote = getFeatured('notion')?.remote;
  assert(remote);
  const { url: before } = remote;
  Object.assign(remote, { url });
  onTestFinished(() => void Object.assign(remote, { url: before }));
}

const PLAIN = { withModel: false } as const;

verifies(
  ['A2', 'A5'],
  'an address is pasted, its key is said in the conversation, and the server is connected',
  async () => {
    await using server = await startHttpFixture('unauthorized', { token: 'sk-xxx' });
    await withConfiguring(PLAIN, async ({ hub, say, transcript }) => {
      const found = await say(server.url);
      expect(installIn(found.proposals).plan.view.url).toBe(server.url);
      expect((await hub.servers.list()).servers).toEqual([]);
      const { text, outcome, events } = await say("Here's my key: sk-xxx");
      const { servers } = await hub.servers.list();
      expect(servers).toMatchObject([{ state: { kind: 'ready' }, enabled: true }]);
      expect(await hub.secrets.list()).toHaveLength(1);
      expect(text).toMatch(/^Connected to .*It is added to your servers/s);
      expect(outcome.said).toEqual({ shown: "Here's my key: [secret]", forget: true });
      expect(events[0]).toMatchObject({ kind: 'said', said: { shown: "Here's my key: [secret]" } });
      expect(JSON.stringify([outcome, events]) + transcript()).not.toContain('sk-xxx');
    });
  },
  40_000,
);

verifies(
  ['A2', 'A5'],
  'Notion is asked for in plain words, and a “yes” adds it and opens its sign-in',
  async () => {
    await using as = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer: as.url });
    notionAt(server.url);
    await withConfiguring({ ...PLAIN, env: { PLUG_NO_KEYRING: '1' } }, async ({ hub, say, fact }) => {
      const asked = await say('I want to connect to the Notion MCP server');
      expect(installIn(asked.proposals).plan).toMatchObject({ server: 'notion', needs: [] });
      expect((await hub.servers.list()).servers).toEqual([]);
      const agreed = await say('Yes');
      expect(agreed.proposals, agreed.text).toEqual([{ kind: 'sign-in', server: 'notion', agreed: true }]);
      expect((await hub.servers.list()).servers.map(({ id }) => id)).toEqual(['notion']);
      // The face opens the page, and the person agrees there.
      const { account } = await signIn(hub, { server: 'notion' });
      fact(`You are signed in to notion as ${account.displayName}.`, { kind: 'signed-in', server: 'notion' });
      expect(await hub.servers.get({ id: 'notion' })).toMatchObject({ state: { kind: 'ready' } });
      expect((await say('does it work?')).text).toMatch(
        /^notion works: it is connected and has \d+ tools?\.$/,
      );
    });
  },
  40_000,
);

verifies(
  ['A2', 'A5', 'S9'],
  'malformed JSON is told with its line and shown corrected, and a “yes” uses it',
  async () => {
    await using server = await startHttpFixture('legacy-stateless');
    await withConfiguring(PLAIN, async ({ hub, say }) => {
      const malformed = `{\n  "mcpServers": {\n    "example": { "type": "http" "url": "${server.url}" }\n  }\n}`;
      const asked = await say(malformed);
      expect(asked.proposals).toMatchObject([
        { kind: 'repair', offer: { repair: { changes: [{ line: 3 }] } } },
      ]);
      const [repair] = asked.proposals.flatMap((each) => (each.kind === 'repair' ? [each.offer.repair] : []));
      const example = { type: 'http', url: server.url };
      expect(JSON.parse(repair?.text ?? '')).toEqual({ mcpServers: { example } });
      expect(asked.text).toContain('Shall I use it?');
      expect((await hub.servers.list()).servers).toEqual([]);
      expect(installIn((await say('yes')).proposals).plan.server).toBe('example');
      await say('yes');
      expect(await hub.servers.get({ id: 'example' })).toMatchObject({ state: { kind: 'ready' } });
    });
  },
  40_000,
);
