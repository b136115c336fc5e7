import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { systemClock } from '../../base/clock.ts';
import { readSingleSignOn } from '../single-sign-on.ts';
import { ProviderClient } from './provider.ts';

const ISSUER = 'https://id.example.com';
const SITE = 'https://as.example.com';
const TARGET = { issuer: SITE, resource: 'https://mcp.example.com/mcp' };
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

const jwt = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

interface Said {
  readonly metadata?: object;
  readonly answer?: object;
  readonly status?: number;
}

/** A provider that says just this, and how often its token endpoint was asked. */
function providerWith({ metadata, answer = {}, status = 200 }: Said) {
  const sent: string[] = [];
  const singleSignOn = readSingleSignOn({
    PLUG_OIDC_ISSUER: ISSUER,
    PLUG_OIDC_CLIENT_ID: 'team',
    PLUG_OIDC_CLIENT_SECRET: 'of the team',
  });
  if (!singleSignOn) throw new Error('there is an issuer');
  const described = { issuer: ISSUER, token_endpoint: `${ISSUER}/token`, ...metadata };
  const provider = new ProviderClient({
    singleSignOn,
    clock: systemClock,
    fetch: (input) => {
      const address = String(input);
      if (address.includes('/.well-known/')) return Promise.resolve(Response.json(described));
      sent.push(address);
      return Promise.resolve(Response.json(answer, { status }));
    },
  });
  return { provider, sent };
}

verifies(['M5'], 'only an assertion for the very server that was asked for is passed on', async () => {
  const assertion = jwt({ aud: SITE });
  const good = { access_token: assertion, issued_token_type: ID_JAG };
  const exchanged = (said: Said) => providerWith(said).provider.exchanged('id token', TARGET);
  expect(await exchanged({ answer: good })).toBe(assertion);
  const other = 'urn:ietf:params:oauth:token-type:access_token';
  for (const answer of [
    { ...good, issued_token_type: other },
    { ...good, access_token: jwt({ aud: 'https://other.example.com' }) },
    { ...good, access_token: 'no JWT' },
    { ...good, access_token: 5 },
    { ...good, access_token: jwt({ aud: SITE, more: 'x'.repeat(20_000) }) },
    {},
  ])
    expect(await exchanged({ answer })).toBeUndefined();
  expect(await exchanged({ status: 400, answer: good })).toBeUndefined();
  await expect(exchanged({ status: 503 })).rejects.toMatchObject({ code: 'unavailable' });
});

verifies(['M5', 'O7'], 'nothing is sent to a provider that describes itself as another one', async () => {
  for (const metadata of [
    { issuer: 'https://evil.example.com' },
    { token_endpoint: 'http://id.example.com/token' },
    { token_endpoint: 'not an address' },
    { token_endpoint: undefined },
  ]) {
    const { provider, sent } = providerWith({ metadata });
    await expect(provider.exchanged('id token', TARGET)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(provider.refreshed('refresh token')).rejects.toMatchObject({ code: 'unavailable' });
    expect(sent).toEqual([]);
  }
  const { provider } = providerWith({ status: 400, answer: { error: 'invalid_grant' } });
  await expect(provider.refreshed('refresh token')).rejects.toMatchObject({ code: 'sign_in_needed' });
});
