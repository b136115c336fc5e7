import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { systemClock } from '../base/clock.ts';
import { decide } from './decide.ts';
import type { Trust } from './decision.ts';
import { GrantIndex } from './grants.ts';
import { shippedDefaults } from './policy.ts';
import { ruleSetOf } from './rules/rule.ts';
import type { PolicyStore, ServerTrust } from './store.ts';
import { TrustBook } from './trust-book.ts';

class Rows implements Pick<PolicyStore, 'listServerTrust' | 'putServerTrust' | 'deleteServerTrust'> {
  readonly rows = new Map<string, ServerTrust>();

  async listServerTrust(): Promise<readonly ServerTrust[]> {
    return [...this.rows.values()];
  }

  async putServerTrust(_owner: string, trust: ServerTrust): Promise<void> {
    this.rows.set(trust.server, trust);
  }

  async deleteServerTrust(_owner: string, server: string): Promise<boolean> {
    await systemClock.sleep(1);
    return this.rows.delete(server);
  }
}

function open(rows: Rows): Promise<TrustBook> {
  // The book reads and writes trust alone; the rest of the store is of no concern here.
  return TrustBook.load({ store: rows as unknown as PolicyStore, owner: 'local', clock: systemClock });
}

function readWith(trust: Trust): string {
  const grants = new GrantIndex();
  return decide(
    {
      action: 'call',
      principal: 'local',
      requester: { kind: 'host', id: 'h' },
      now: 0,
      server: { id: 'mail', key: 'mail', fingerprint: 'f1', trust },
      tool: { name: 'list_mail', risk: 'read', hash: 'h1', flags: [], quarantined: false },
      args: {},
      origins: [],
    },
    { defaults: shippedDefaults, rules: ruleSetOf([]), grants, readOnly: false },
  ).effect;
}

verifies(
  ['P3'],
  'trust is kept over a restart or ends with the session, and can be taken back at any time',
  async () => {
    const rows = new Rows();
    const book = await open(rows);
    expect(readWith(book.trustOf('mail', 'f1'))).toBe('ask');

    await book.trustForSession('mail', 'f1');
    expect(book.trustOf('mail', 'f1')).toBe('session');
    expect(readWith(book.trustOf('mail', 'f1'))).toBe('allow');
    expect((await open(rows)).trustOf('mail', 'f1')).toBe('none');

    await book.keep('mail', 'f1', 'you');
    expect(book.trustOf('mail', 'f1')).toBe('kept');
    expect([...rows.rows.values()]).toMatchObject([{ server: 'mail', fingerprint: 'f1', source: 'you' }]);
    const restarted = await open(rows);
    expect(readWith(restarted.trustOf('mail', 'f1'))).toBe('allow');

    const revoking = restarted.revoke('mail');
    expect(restarted.trustOf('mail', 'f1')).toBe('none');
    expect(await revoking).toBe(true);
    expect(await restarted.revoke('mail')).toBe(false);
    expect((await open(rows)).trustOf('mail', 'f1')).toBe('none');
  },
);

verifies(['P3'], 'a server that runs something else than when it was trusted is not trusted', async () => {
  const book = await open(new Rows());
  await book.keep('mail', 'f1', 'you');
  await book.trustForSession('web', 'f1');
  expect(book.trustOf('mail', 'f2')).toBe('none');
  expect(book.trustOf('web', 'f2')).toBe('none');
  expect(book.trustOf('other', 'f1')).toBe('none');
  await book.trustForSession('mail', 'f1');
  expect(book.trustOf('mail', 'f1')).toBe('session');
});
