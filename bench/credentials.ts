import { report } from './figure.ts';
import { interleave } from './measure.ts';
import { product } from './product.ts';

/** What the token of a signed-in account adds to a request, when it is in memory and good for a while. */
const ROUNDS = 15;
const REPEATS = 5_000;

const { withSignIn } = await product<typeof import('../src/connections/sign-in/authorized-fetch.ts')>(
  'connections/sign-in/authorized-fetch',
);
const { TokenKeeper } = await product<typeof import('../src/connections/sign-in/token-keeper.ts')>(
  'connections/sign-in/token-keeper',
);
const { refreshToken } = await product<typeof import('../src/connections/sign-in/renewal.ts')>(
  'connections/sign-in/renewal',
);
const { systemClock: clock } = await product<typeof import('../src/base/clock.ts')>('base/clock');
const { systemIds: ids } = await product<typeof import('../src/base/ids.ts')>('base/ids');
const { limits } = await product<typeof import('../src/base/limits.ts')>('base/limits');

const issuer = 'https://login.test';
const now = clock.now();
const tokens = { access: 'a'.repeat(400), expiresAt: now + 3_600_000, renewAt: now + 3_540_000 };
const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
};
const signIn = { issuer, metadata, client: { id: 'us', kind: 'registered' }, tokens } as const;
const store = {
  get: () => Promise.resolve({ signIn, version: 1 }),
  save: () => Promise.resolve(true),
  delete: () => Promise.resolve(true),
};
const answer = new Response('{}', { status: 200 });
const bare = (): Promise<Response> => Promise.resolve(answer);
const renewal = refreshToken({ server: 'site', fetch: bare, clock, limits });
const keeper = new TokenKeeper({ server: 'site', key: 'site', store, renewal, clock, ids, limits });
const signedIn = withSignIn({
  fetch: bare,
  keeper,
  identity: undefined,
  otherPerson: () => {
    throw new Error('nobody else is expected');
  },
  onChallenge: () => undefined,
  unknownPerson: () => {
    throw new Error('a token is sent');
  },
  moreRights: () => {
    throw new Error('no challenge is expected');
  },
});

const url = new URL('https://mcp.test/mcp');
/** As the transport sends it: its own headers for each request. */
const init = (): RequestInit => ({
  method: 'POST',
  headers: new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'echo',
  }),
  body: '{}',
});

const time = await interleave(
  {
    plain: () => perRequest(bare),
    signed: () => perRequest((options) => signedIn(url, options)),
  },
  { rounds: ROUNDS, warmUps: 3 },
);
report([
  {
    name: 'what a cached token adds to a request',
    unit: 'µs',
    measured: time.signed - time.plain,
    target: { max: 5 },
  },
]);

async function perRequest(send: (options: RequestInit) => Promise<Response>): Promise<number> {
  const started = performance.now();
  for (let count = 0; count < REPEATS; count += 1) await send(init());
  return ((performance.now() - started) / REPEATS) * 1000;
}
