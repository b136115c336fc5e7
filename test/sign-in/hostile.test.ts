import { expect } from 'vitest';
import { PlugError } from '../../src/base/errors.ts';
import type { Limits } from '../../src/base/limits.ts';
import { verifies } from '../requirements.ts';
import { browse } from './browser.ts';
import { callTool, clockAhead, openTestHub, remoteServer, signIn } from './signed-in-hub.ts';
import { giveToken, startTwin, type Twin, type TwinOptions } from './twin.ts';

const SLOW = 40_000;

interface Attempt {
  readonly error: PlugError | undefined;
  /** Addresses that a browser was asked to open. */
  readonly opened: readonly string[];
  readonly accounts: number;
  readonly secrets: readonly string[];
}

/** One try to sign in at a server, and everything that it left behind. */
async function attempt(
  twin: Pick<Twin, 'url'>,
  options: { readonly visit?: (address: string) => Promise<unknown>; readonly limits?: Partial<Limits> } = {},
): Promise<Attempt> {
  await using hub = await openTestHub(options.limits ? { limits: options.limits } : {});
  await hub.servers.add({ definition: remoteServer(twin.url), test: false });
  await hub.servers.start({ id: 'site' }).catch((problem: unknown) => {
    expect(problem).toBeInstanceOf(PlugError);
  });
  const opened: string[] = [];
  const visits: Promise<unknown>[] = [];
  const visit = options.visit ?? browse;
  const error = await hub.accounts
    .signIn(
      { server: 'site' },
      {
        onProgress: ({ address }) => {
          opened.push(address);
          visits.push(Promise.allSettled([visit(address)]));
        },
      },
    )
    .then(
      () => undefined,
      (problem: unknown) => problem,
    );
  await Promise.all(visits);
  if (error !== undefined) expect(error).toBeInstanceOf(PlugError);
  return {
    error: error as PlugError | undefined, // just looked at
    opened,
    accounts: (await hub.accounts.list()).length,
    secrets: await hub.secrets.list(),
  };
}

/** Nothing was opened, nothing asked for, nothing kept. */
function expectUntouched(twin: Twin, { error, opened, accounts, secrets }: Attempt): void {
  expect(error?.server).toBe('site');
  expect(opened).toEqual([]);
  expect(twin.to('/register')).toEqual([]);
  expect(twin.to('/authorize')).toEqual([]);
  expect(twin.to('/token')).toEqual([]);
  expect({ accounts, secrets }).toEqual({ accounts: 0, secrets: [] });
}

for (const address of [
  'file:///etc/passwd',
  'vscode://evil/x',
  'ms-settings:display',
  'javascript:alert(1)',
  'http://evil.test/authorize',
  'http://127.0.0.1.evil.test/authorize',
  'https://user:pass@evil.test/authorize',
]) {
  verifies(
    ['O1', 'O7', 'attack:F1'],
    `a sign-in page at ${address} is never opened`,
    async () => {
      await using twin = await startTwin({
        metadata: (honest) => ({ ...honest, authorization_endpoint: address }),
      });
      const tried = await attempt(twin);
      expect(['denied', 'protocol_error']).toContain(tried.error?.code);
      expectUntouched(twin, tried);
    },
    SLOW,
  );
}

for (const field of ['token_endpoint', 'registration_endpoint', 'authorization_endpoint']) {
  verifies(
    ['O1', 'attack:E2'],
    `${field} on a link-local address is never contacted`,
    async () => {
      await using twin = await startTwin({
        metadata: (honest) => ({ ...honest, [field]: 'http://169.254.169.254/latest' }),
      });
      const tried = await attempt(twin);
      expect(tried.error?.code).toBe('denied');
      expectUntouched(twin, tried);
    },
    SLOW,
  );
}

for (const place of [
  'http://169.254.169.254/',
  'http://2852039166/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://10.0.0.1/',
]) {
  verifies(
    ['O1', 'attack:E1'],
    `metadata at ${place} is never asked for`,
    async () => {
      await using twin = await startTwin({ challenge: () => `Bearer resource_metadata="${place}"` });
      const tried = await attempt(twin);
      expect(tried.error).toMatchObject({ code: 'denied' });
      expectUntouched(twin, tried);
    },
    SLOW,
  );
}

verifies(
  ['O1', 'attack:F3'],
  'metadata of another issuer than was asked is refused',
  async () => {
    for (const issuer of ['https://evil.test', 'upper']) {
      await using twin = await startTwin({
        metadata: (honest) => ({
          ...honest,
          issuer: issuer === 'upper' ? String(honest['issuer']).replace('http', 'HTTP') : issuer,
        }),
      });
      const tried = await attempt(twin);
      expect(['denied', 'protocol_error']).toContain(tried.error?.code);
      expectUntouched(twin, tried);
    }
  },
  SLOW,
);

verifies(
  ['O1', 'attack:F5'],
  'an authorization server without PKCE S256 is refused',
  async () => {
    for (const methods of [undefined, [], ['plain']]) {
      await using twin = await startTwin({
        metadata: (honest) => ({ ...honest, code_challenge_methods_supported: methods }),
      });
      const tried = await attempt(twin);
      expect(tried.error?.code).toBe('denied');
      expectUntouched(twin, tried);
    }
  },
  SLOW,
);

verifies(
  ['O1', 'attack:F9'],
  'a server that claims to be another resource is refused',
  async () => {
    await using twin = await startTwin({
      resource: (honest) => ({ ...honest, resource: 'https://bank.test/mcp' }),
    });
    const tried = await attempt(twin);
    expect(tried.error?.code).toBe('denied');
    expectUntouched(twin, tried);
  },
  SLOW,
);

const SUPPORTED: TwinOptions['metadata'] = (honest) => ({
  ...honest,
  authorization_response_iss_parameter_supported: true,
});

for (const [name, iss, metadata] of [
  ['is missing although it was promised', () => undefined, SUPPORTED],
  ['names somebody else', () => 'https://evil.test', SUPPORTED],
  ['names somebody else unasked', () => 'https://evil.test', undefined],
  ['has one slash too many', (origin: string) => `${origin}/`, SUPPORTED],
  ['is spelt in another case', (origin: string) => origin.replace('http', 'HTTP'), undefined],
] as const) {
  verifies(
    ['O1', 'attack:F4'],
    `the code stays unsent when the issuer of the answer ${name}`,
    async () => {
      await using twin = await startTwin({
        ...(metadata ? { metadata } : {}),
        callback: (honest, origin) => {
          const said = iss(origin);
          if (said !== undefined) honest.set('iss', said);
          return honest;
        },
      });
      const { error, accounts } = await attempt(twin);
      expect(error).toMatchObject({ code: 'denied', message: expect.stringContaining('another issuer') });
      expect(twin.to('/token')).toEqual([]);
      expect(accounts).toBe(0);
    },
    SLOW,
  );
}

verifies(
  ['O1'],
  'the right issuer is taken, promised or not, and none where none was promised',
  async () => {
    for (const [says, metadata] of [
      [true, SUPPORTED],
      [true, undefined],
      [false, undefined],
    ] as const) {
      await using twin = await startTwin({
        ...(metadata ? { metadata } : {}),
        callback: (honest, origin) => {
          if (says) honest.set('iss', origin);
          return honest;
        },
      });
      const { error, accounts } = await attempt(twin);
      expect(error).toBeUndefined();
      expect(accounts).toBe(1);
    }
  },
  SLOW,
);

verifies(
  ['O1', 'attack:F4'],
  'the words of a wrong issuer are not repeated',
  async () => {
    await using twin = await startTwin({
      callback: (honest) =>
        new URLSearchParams({
          state: honest.get('state') ?? '',
          iss: 'https://evil.test',
          error: 'call_this_number',
          error_description: 'Call 555-0100 now',
        }),
    });
    const { error } = await attempt(twin);
    expect(error?.code).toBe('denied');
    expect(JSON.stringify(error?.toView())).not.toMatch(/555|call_this/);
  },
  SLOW,
);

verifies(
  ['O1'],
  'a refusal says that nobody was let in, and the next try works',
  async () => {
    let refuse = true;
    await using twin = await startTwin({
      callback: (honest) =>
        refuse ? new URLSearchParams({ state: honest.get('state') ?? '', error: 'access_denied' }) : honest,
    });
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(twin.url), test: false });
    await expect(signIn(hub)).rejects.toMatchObject({ code: 'denied', next: 'plug auth site' });
    expect(twin.to('/token')).toEqual([]);
    refuse = false;
    expect((await signIn(hub)).account.signedIn).toBe(true);
    expect(await callTool(hub, 'site/echo', { message: 'in' })).toBe('in');
  },
  SLOW,
);

verifies(
  ['O1', 'attack:F6'],
  'an answer without our state, or with an old one, is rejected',
  async () => {
    for (const state of [undefined, 'state_of_somebody_else', '']) {
      await using twin = await startTwin({
        callback: (honest) => {
          if (state === undefined) honest.delete('state');
          else honest.set('state', state);
          return honest;
        },
      });
      const { error, accounts } = await attempt(twin);
      expect(error?.code).toBe('denied');
      expect(twin.to('/token')).toEqual([]);
      expect(accounts).toBe(0);
    }
  },
  SLOW,
);

verifies(
  ['O1', 'attack:F6', 'attack:F7'],
  'the callback is random, takes one request, and is gone afterwards',
  async () => {
    await using twin = await startTwin();
    const callbacks: URL[] = [];
    const visit = async (address: string): Promise<void> => {
      const ended = await browse(address, { stopAt: '/callback' });
      callbacks.push(ended);
      const other = new URL(ended);
      other.pathname = '/callback';
      expect((await fetch(other)).status).toBe(404);
      expect((await fetch(ended, { method: 'POST' })).status).toBe(404);
      expect((await fetch(ended)).status).toBe(200);
      const second = await fetch(ended).then(
        (response) => response.status,
        () => 'refused',
      );
      expect([404, 'refused']).toContain(second);
    };
    for (let time = 0; time < 2; time += 1) expect((await attempt(twin, { visit })).error).toBeUndefined();
    const [first, second] = callbacks;
    expect(first?.hostname).toBe('127.0.0.1');
    expect(first?.pathname).not.toBe(second?.pathname);
    expect(first?.searchParams.get('state')).not.toBe(second?.searchParams.get('state'));
    for (const callback of callbacks) await expect(fetch(callback)).rejects.toThrow('fetch failed');
    expect(twin.to('/token')).toHaveLength(2);
  },
  SLOW,
);

verifies(
  ['O1', 'attack:F6'],
  'a sign-in that nobody finishes ends by itself, and a late answer finds nobody',
  async () => {
    await using twin = await startTwin();
    const late: URL[] = [];
    const visit = async (address: string): Promise<void> =>
      void late.push(await browse(address, { stopAt: '/callback' }));
    const { error, accounts } = await attempt(twin, { visit, limits: { signInTimeoutMs: 300 } });
    expect(error).toMatchObject({ code: 'sign_in_needed', next: 'plug auth site' });
    expect(accounts).toBe(0);
    expect(late).toHaveLength(1);
    for (const address of late) await expect(fetch(address)).rejects.toThrow('fetch failed');
    expect(twin.to('/token')).toEqual([]);
  },
);

for (const [name, token] of [
  ['a page of HTML', (response) => response.setHeader('content-type', 'text/html').end('<html>Login</html>')],
  ['half a token', (response) => response.end('{"access_token":"canary-token-8f2c91","token_t')],
  ['five megabytes', (response) => response.end(JSON.stringify({ access_token: 'x'.repeat(5_000_000) }))],
  ['an error page', (response) => response.writeHead(500).end('canary-token-8f2c91 <html>')],
  ['nothing', (response) => response.end()],
] satisfies readonly [string, TwinOptions['token']][]) {
  verifies(
    ['O1', 'attack:F15'],
    `${name} instead of a token is an error and nothing else`,
    async () => {
      await using twin = await startTwin({ token });
      const { error, accounts } = await attempt(twin);
      expect(['protocol_error', 'too_large', 'server_error']).toContain(error?.code);
      expect(error?.message.length).toBeLessThan(400);
      expect(JSON.stringify(error?.toView())).not.toContain('canary');
      expect(accounts).toBe(0);
    },
    SLOW,
  );
}

verifies(
  ['attack:F15'],
  'a token with a nonsensical lifetime is used for as long as the server takes it',
  async () => {
    for (const expires_in of [-1, 0]) {
      await using twin = await startTwin({ token: (response) => giveToken(response, { expires_in }) });
      await using hub = await openTestHub();
      await hub.servers.add({ definition: remoteServer(twin.url), test: false });
      const { account } = await signIn(hub);
      expect(account.expiresAt).toBeUndefined();
      expect(await callTool(hub, 'site/echo', { message: 'hi' })).toBe('hi');
      expect(twin.to('/token')).toHaveLength(1);
    }
  },
  SLOW,
);

verifies(
  ['O1', 'O3', 'attack:F8'],
  'what was kept for one authorization server never reaches another',
  async () => {
    await using other = await startTwin();
    let issuer: string | undefined;
    await using twin = await startTwin({
      resource: (honest) => (issuer ? { ...honest, authorization_servers: [issuer] } : honest),
    });
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(twin.url), test: false });
    await signIn(hub, { server: 'site', clientId: 'mine', clientSecret: 'canary-secret-77' });
    const [first] = twin.to('/token');
    const refresh = `refresh-${/twin-(\d+)/.exec(String(twin.to('/mcp').at(-1)?.authorization))?.[1]}`;
    expect(first?.form.get('client_secret')).toBe('canary-secret-77');
    issuer = other.origin;
    await signIn(hub);
    const sent = JSON.stringify(
      other.requests.map(({ form, query, authorization }) => [[...form], [...query], authorization]),
    );
    expect(sent).not.toContain('canary-secret-77');
    expect(sent).not.toContain(refresh);
    expect(other.to('/register')).toHaveLength(1);
    expect(other.to('/token').map(({ form }) => form.get('client_id'))).toEqual(['client-1']);
  },
  SLOW,
);

verifies(
  ['O1', 'O3', 'attack:F16'],
  'another server that takes over a name gets no token of the first',
  async () => {
    await using twin = await startTwin();
    await using trap = await startTwin();
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(twin.url), test: false });
    await signIn(hub);
    expect(await callTool(hub, 'site/echo', { message: 'hi' })).toBe('hi');
    for (const url of [trap.url, twin.url.replace('/mcp', '/MCP'), `${twin.url}/`]) {
      const before = twin.requests.length;
      await hub.servers.add({ definition: remoteServer(url), test: false, replace: true });
      await hub.servers
        .restart({ id: 'site' })
        .catch((error: unknown) => expect(error).toBeInstanceOf(PlugError));
      const seen = [...trap.requests, ...twin.requests.slice(before)];
      expect(seen.filter(({ path }) => path.toLowerCase().startsWith('/mcp')).length).toBeGreaterThan(0);
      expect(seen.map(({ authorization }) => authorization).filter(Boolean)).toEqual([]);
    }
  },
  SLOW,
);

verifies(
  ['O1', 'attack:F10'],
  'every request for a token names the resource, and no token stands in an address',
  async () => {
    await using twin = await startTwin({ token: (response) => giveToken(response, { expires_in: 1 }) });
    let ahead = 0;
    await using hub = await openTestHub({ clock: clockAhead(() => ahead) });
    await hub.servers.add({ definition: remoteServer(twin.url), test: false });
    await signIn(hub);
    ahead = 10_000;
    expect(await callTool(hub, 'site/echo', { message: 'hi' })).toBe('hi');
    expect(twin.to('/authorize').map(({ query }) => query.get('resource'))).toEqual([twin.url]);
    const grants = twin.to('/token').map(({ form }) => form.get('grant_type'));
    expect(grants.slice(0, 2)).toEqual(['authorization_code', 'refresh_token']);
    for (const { form } of twin.to('/token')) expect(form.get('resource')).toBe(twin.url);
    expect(twin.to('/authorize').map(({ query }) => query.get('code_challenge_method'))).toEqual(['S256']);
    for (const { query } of twin.requests) expect([...query.keys()]).not.toContain('access_token');
    for (const { query, authorization } of twin.to('/mcp')) {
      expect([...query]).toEqual([]);
      if (authorization) expect(authorization).toMatch(/^Bearer twin-\d+$/);
    }
  },
);
