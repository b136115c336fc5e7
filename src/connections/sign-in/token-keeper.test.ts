import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { systemClock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import { systemIds as ids } from '../../base/ids.ts';
import { limits } from '../../base/limits.ts';
import { signInError } from '../failures.ts';
import type { Renewal } from './renewal.ts';
import type { SignIn, SignInStore, StoredSignIn } from './sign-in.ts';
import { TokenKeeper } from './token-keeper.ts';

const ISSUER = 'https://login.test';
const SIGN_IN: SignIn = {
  issuer: ISSUER,
  metadata: { issuer: ISSUER, authorization_endpoint: `${ISSUER}/a`, token_endpoint: `${ISSUER}/t` },
  client: { id: 'us', kind: 'registered' },
};

/** What several processes share, with compare-and-swap like the vault. */
class SharedStore implements SignInStore {
  stored: StoredSignIn | undefined;
  saves = 0;

  constructor(signIn: SignIn) {
    this.stored = { signIn, version: 1 };
  }

  get(): Promise<StoredSignIn | undefined> {
    return Promise.resolve(this.stored);
  }

  save(_key: string, signIn: SignIn, replaces: number | undefined): Promise<boolean> {
    if (this.stored?.version !== replaces) return Promise.resolve(false);
    this.saves += 1;
    this.stored = { signIn, version: (replaces ?? 0) + 1 };
    return Promise.resolve(true);
  }

  delete(): Promise<boolean> {
    const had = this.stored !== undefined;
    this.stored = undefined;
    return Promise.resolve(had);
  }
}

function keeperOf(store: SignInStore, request: Renewal['request']): TokenKeeper {
  const renewal: Renewal = {
    begin: () => Promise.resolve(undefined),
    canRenew: ({ tokens }) => tokens?.refresh !== undefined,
    request,
    refused: () => signInError('site', 401),
  };
  return new TokenKeeper({ server: 'site', key: 'site', store, renewal, clock: systemClock, ids, limits });
}

const expired = { access: 'old', refresh: 'r1', expiresAt: 1, renewAt: 1 };
const fresh = { access: 'new', refresh: 'r2' };

verifies(
  ['O3', 'attack:F13'],
  'a process whose refresh token is old news takes what the winner has saved',
  async () => {
    const store = new SharedStore({ ...SIGN_IN, tokens: expired });
    let requests = 0;
    const stale = keeperOf(store, () => {
      requests += 1;
      // Another process was faster: its tokens are in the store when our answer comes.
      store.stored = { signIn: { ...SIGN_IN, tokens: fresh }, version: 99 };
      return Promise.reject(new OAuthError(OAuthErrorCode.InvalidGrant, 'spent'));
    });
    expect(await stale.token()).toBe('new');
    expect(requests).toBe(1);
    expect(store.stored).toEqual({ signIn: { ...SIGN_IN, tokens: fresh }, version: 99 });
  },
);

verifies(['O3'], 'a grant that is over is asked about once, and then waits for a person', async () => {
  const store = new SharedStore({ ...SIGN_IN, tokens: expired });
  let requests = 0;
  const keeper = keeperOf(store, () => {
    requests += 1;
    return Promise.reject(new OAuthError(OAuthErrorCode.InvalidGrant, 'over'));
  });
  await expect(keeper.token()).rejects.toMatchObject({ code: 'sign_in_needed' });
  expect(await keeper.token()).toBeUndefined();
  await expect(keeper.renew('old')).rejects.toMatchObject({ code: 'sign_in_needed' });
  expect(requests).toBe(1);
  expect(store.stored?.signIn).toEqual(SIGN_IN);
});

verifies(['O3'], 'a rotated token is kept although somebody wrote in the meantime', async () => {
  const store = new SharedStore({ ...SIGN_IN, tokens: expired });
  const keeper = keeperOf(store, () => {
    // A process that took us for dead has claimed the refresh, with the token that is spent now.
    const refreshing = { by: 'another', until: Number.MAX_SAFE_INTEGER };
    store.stored = { signIn: { ...SIGN_IN, tokens: expired, refreshing }, version: 50 };
    return Promise.resolve(fresh);
  });
  expect(await keeper.token()).toBe('new');
  expect(store.stored?.signIn).toEqual({ ...SIGN_IN, tokens: fresh });
});

verifies(['O3'], 'a new sign-in is never overwritten by a refresh of the old one', async () => {
  const store = new SharedStore({ ...SIGN_IN, tokens: expired });
  const person = { access: 'of a person', refresh: 'p1' };
  const keeper = keeperOf(store, () => {
    store.stored = { signIn: { ...SIGN_IN, tokens: person }, version: 50 };
    return Promise.resolve(fresh);
  });
  expect(await keeper.token()).toBe('of a person');
  expect(store.stored?.signIn.tokens).toEqual(person);
});

verifies(['O3'], 'a moment without network costs nothing while the token still lives', async () => {
  const soon = { ...expired, expiresAt: systemClock.now() + 30_000 };
  const store = new SharedStore({ ...SIGN_IN, tokens: soon });
  let requests = 0;
  const keeper = keeperOf(store, () => {
    requests += 1;
    return Promise.reject(new PlugError('unreachable', 'no network', { owner: 'network' }));
  });
  expect(await keeper.token()).toBe('old');
  expect(requests).toBe(1);
  // Nobody else has to wait for us.
  expect(store.stored?.signIn.refreshing).toBeUndefined();
});

verifies(['O3'], 'fifty callers of two keepers share one request', async () => {
  const store = new SharedStore({ ...SIGN_IN, tokens: expired });
  let requests = 0;
  const request = async (): Promise<typeof fresh> => {
    requests += 1;
    await systemClock.sleep(20);
    return fresh;
  };
  const keepers = [keeperOf(store, request), keeperOf(store, request)];
  const callers = Array.from({ length: 25 }, () => keepers).flat();
  const tokens = await Promise.all(callers.map((keeper) => keeper.token()));
  expect(tokens).toHaveLength(50);
  expect(new Set(tokens)).toEqual(new Set(['new']));
  expect(requests).toBe(1);
});

verifies(
  ['O3'],
  'a missing sign-in is read once for many calls, and again when one may have happened',
  async () => {
    const store = new SharedStore({ ...SIGN_IN });
    store.stored = undefined;
    let reads = 0;
    const get = store.get.bind(store);
    store.get = () => {
      reads += 1;
      return get();
    };
    const keeper = keeperOf(store, () => Promise.reject(new Error('nothing to renew')));
    for (let n = 0; n < 5; n += 1) expect(await keeper.token()).toBeUndefined();
    expect(reads).toBe(1);
    store.stored = { signIn: { ...SIGN_IN, tokens: fresh }, version: 1 };
    keeper.forget();
    expect(await keeper.token()).toBe('new');
  },
);
