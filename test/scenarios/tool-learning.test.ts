import { expect } from 'vitest';
import { learnedLimits } from '../../src/catalog/learned/limits.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { LOCAL } from '../../src/hub/principal.ts';
import { verifies } from '../requirements.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { meet, scriptedServer, toolNamed } from './catalog-server.ts';
import { firstText, gatewayWorld, legacyHost, modernHost } from './gateway-world.ts';
import { withHub } from './lifecycle-hub.ts';
import { newPlug } from './plug-command.ts';

const SLOW = 60_000;

/** The words of the search say “ledger”; both tools fit it, and only use tells which one is meant. */
const books = () =>
  scriptedServer('books', [
    toolNamed('alpha_ledger', { description: 'Ledger of the quarter.' }),
    toolNamed('omega_ledger', { description: 'Ledger of the quarter.' }),
    toolNamed('close_year', { description: 'Closes a year for a customer and sends a statement.' }),
  ]);

const QUERY = 'ledger for customer Zebedee 4711';

async function found(hub: Hub, search = QUERY): Promise<readonly string[]> {
  return (await hub.tools.list({ search })).tools.map(({ ref }) => ref);
}

verifies(
  ['T7', 'L6'],
  'a search that a successful call follows finds that tool first the next time, keeps no value, and survives a restart',
  async () => {
    const folder = temporaryFolder();
    const storage = { kind: 'sqlite', file: `${folder}/plug.db` } as const;
    await withHub({ folder, storage }, async ({ hub }) => {
      await meet(hub, books());
      expect((await found(hub))[0]).toBe('books/alpha_ledger');
      await hub.tools.call({ tool: 'books/omega_ledger' });
      expect((await found(hub))[0]).toBe('books/omega_ledger');
      // What fits no tool's own words is no word of the catalog.
      const learned = await hub.tools.learnedQueries();
      expect(learned).toEqual([{ tool: 'books/omega_ledger', queries: ['ledger custom'] }]);
      expect(JSON.stringify(learned)).not.toMatch(/zebede|4711/i);
    });
    await withHub({ folder, storage }, async ({ hub }) => {
      expect((await found(hub))[0]).toBe('books/omega_ledger');
      await hub.tools.clearLearnedQueries();
      expect(await hub.tools.learnedQueries()).toEqual([]);
      expect((await found(hub))[0]).toBe('books/alpha_ledger');
      await hub.tools.call({ tool: 'books/omega_ledger' });
      await hub.servers.remove({ id: 'books' });
      await meet(hub, books());
      expect(await hub.tools.learnedQueries()).toEqual([]);
    });
  },
  SLOW,
);

verifies(
  ['T7', 'L6'],
  'nothing is learned of a server that is not recorded, of a call that failed, of another caller, or of one without a search',
  async () => {
    await withHub({}, async ({ hub }) => {
      await meet(hub, books());
      const other = hub.as({ id: 'another-program', kind: 'library', principal: LOCAL });
      await found(hub);
      await other.tools.call({ tool: 'books/omega_ledger' });
      expect(await hub.tools.learnedQueries()).toEqual([]);
      await hub.audit.setRecorded({ server: 'books', recorded: false });
      await hub.tools.call({ tool: 'books/omega_ledger' });
      expect(await hub.tools.learnedQueries()).toEqual([]);
      await hub.audit.setRecorded({ server: 'books', recorded: true });
      // Its search is used up.
      await hub.tools.call({ tool: 'books/omega_ledger' });
      expect(await hub.tools.learnedQueries()).toEqual([]);
      await found(hub);
      await expect(hub.tools.call({ tool: 'books/no_such' })).rejects.toThrow();
      expect(await hub.tools.learnedQueries()).toEqual([]);
    });
  },
  SLOW,
);

verifies(
  ['T7'],
  'a tool keeps its last eight searches, and one that is not offered is neither found nor shown by them',
  async () => {
    await withHub({}, async ({ hub }) => {
      await meet(hub, books());
      const words = ['year', 'customer', 'statement', 'quarter', 'close', 'omega', 'alpha', 'sends', 'books'];
      for (const word of words) {
        await found(hub, `ledger ${word}`);
        await hub.tools.call({ tool: 'books/omega_ledger' });
      }
      const [learned] = await hub.tools.learnedQueries();
      expect(learned?.queries).toHaveLength(learnedLimits.queriesPerToolMax);
      expect(learned?.queries[0]).toBe('ledger book');
      expect(learned?.queries.at(-1)).toBe('ledger custom');
      expect(await found(hub, 'statement ledger')).toContain('books/omega_ledger');
      await hub.tools.setEnabled({ ref: 'books/omega_ledger', enabled: false });
      expect(await found(hub, 'statement ledger')).not.toContain('books/omega_ledger');
      expect(await hub.tools.learnedQueries()).toEqual([]);
    });
  },
  SLOW,
);

verifies(
  ['T7', 'G3'],
  'in the gateway a host’s search and its call are joined, in both eras, and no other host’s',
  async () => {
    const { hub, gateway } = await gatewayWorld([books().definition], { rules: 'permissive' });
    const search = { name: 'search_tools', arguments: { queries: ['ledger customer', 'close year'] } };
    const call = (name: string) => ({ name: 'call_tool', arguments: { name } });
    const one = await legacyHost(gateway, { mode: 'search' });
    const other = await legacyHost(gateway, { mode: 'search' });
    await one.request('tools/call', search);
    await other.request('tools/call', call('books__omega_ledger'));
    expect(await hub.tools.learnedQueries()).toEqual([]);
    await one.request('tools/call', call('books__omega_ledger'));
    // Of two queries, the one that found it.
    const omega = { tool: 'books/omega_ledger', queries: ['ledger custom'] };
    expect(await hub.tools.learnedQueries()).toEqual([omega]);
    expect(firstText(await other.request('tools/call', search))).toMatch(
      /books__omega_ledger[^]*books__alpha_ledger/,
    );
    const modern = modernHost(gateway, { mode: 'search' });
    await modern.request('tools/call', search);
    await modern.request('tools/call', call('books__close_year'));
    const [, closed] = await hub.tools.learnedQueries();
    expect(closed).toMatchObject({ tool: 'books/close_year' });
    expect(closed?.queries).toContain('close year');
  },
  SLOW,
);

verifies(
  ['T7', 'U5'],
  'at a terminal a search and the call after it are joined, and what was learned is shown and cleared',
  async () => {
    const plug = newPlug({}, { rules: 'permissive' });
    await plug.json('add', 'books', '--', ...books().command);
    expect((await plug('tools', 'learned')).stdout).toContain('Nothing learned yet');
    await plug.json('tools', '--search', QUERY);
    await plug.json('call', 'books/omega_ledger');
    const learned = [{ tool: 'books/omega_ledger', queries: ['ledger custom'] }];
    expect(await plug.json('tools', 'learned')).toMatchObject({ learned });
    expect((await plug('tools', 'learned')).stdout).toMatch(/^books\/omega_ledger +ledger custom$/m);
    expect((await plug.json('tools', '--search', QUERY))['tools']).toMatchObject([
      { ref: 'books/omega_ledger' },
      { ref: 'books/alpha_ledger' },
      {},
    ]);
    expect((await plug('tools', 'learned', '--clear')).code).toBe(0);
    expect(await plug.json('tools', 'learned')).toMatchObject({ learned: [] });
  },
  SLOW,
);
