import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { onTestFinished } from 'vitest';
import { selfSigned } from '../self-signed.ts';
import { situations, type Situation, type Ward } from './doctor-situations.ts';
import { always, newSite, type Site } from './doctor-situations-site.ts';

/** The site of the situation, which a row's own steps mend. */
const sites = new WeakMap<Ward, Site>();

function at(instead?: Site['instead'], path = '/mcp', more: object = {}): Situation['plant'] {
  return async (ward) => {
    const site = await newSite(instead);
    sites.set(ward, site);
    return { url: `${site.origin}${path}`, ...more };
  };
}

function siteOf(ward: Ward): Site {
  const site = sites.get(ward);
  if (!site) throw new Error('This ward has no site.');
  return site;
}

/** The address that the person finds in the manual of the service. */
const rightAddress = (_before: unknown, ward: Ward): string => siteOf(ward).url;
const recovers = (ward: Ward): void => {
  siteOf(ward).instead = undefined;
};
const urlEdit = { do: 'edit-server', field: 'url' } as const;
const soon = { timeouts: { startMs: 1_500 } };

const keyed =
  (answer: Site['instead'], right: string): Site['instead'] =>
  (response, request) =>
    request.headers['authorization'] === `Bearer ${right}` ? false : (answer?.(response, request) ?? false);

/** A server with a key from the vault, which holds the wrong one. */
function withKey(answer: Site['instead']): Situation['plant'] {
  return async (ward) => {
    const site = await newSite(keyed(answer, 'right'));
    sites.set(ward, site);
    ward.entry({ url: site.url, headers: { Authorization: 'Bearer ${vault:notes-key}' } });
    await (await ward.hub()).secrets.set({ name: 'notes-key', value: 'wrong' });
  };
}

const rows: readonly Situation[] = [
  {
    when: 'the service is not running',
    plant: async (ward) => {
      const site = await newSite();
      sites.set(ward, site);
      await site.close();
      return { url: site.url };
    },
    cause: { check: 'endpoint', cause: 'unreachable' },
    says: /Nothing listens at 127\.0\.0\.1:\d+/,
    remedy: { do: 'say' },
    does: (ward) => siteOf(ward).open(),
  },
  {
    when: 'the path is wrong',
    plant: at(undefined, '/mcpp'),
    cause: { check: 'handshake', cause: 'protocol_error' },
    says: /no MCP server at this address/,
    remedy: urlEdit,
    knows: rightAddress,
  },
  {
    when: 'the address is a web page',
    plant: at(
      (response, { method }) => (method === 'initialize' || method === 'server/discover') && page(response),
      '/',
    ),
    cause: { check: 'handshake', cause: 'protocol_error' },
    says: /web page/,
    remedy: urlEdit,
    knows: rightAddress,
    does: recovers,
  },
  {
    when: 'the address answers with JSON of another kind',
    plant: at(always(200, '{"status":"ok"}', { 'content-type': 'application/json' })),
    cause: { check: 'handshake', cause: 'protocol_error' },
    says: /not an MCP server|not as an MCP server/,
    remedy: urlEdit,
    knows: rightAddress,
    does: recovers,
  },
  {
    when: 'the address answers with plain text',
    plant: at(always(200, 'It works', { 'content-type': 'text/plain' })),
    cause: { check: 'handshake', cause: 'protocol_error' },
    says: /not an MCP server/,
    remedy: urlEdit,
    knows: rightAddress,
    does: recovers,
  },
  {
    when: 'the address takes no POST',
    plant: at(always(405)),
    cause: { check: 'handshake', cause: 'protocol_error' },
    says: /405.*not as an MCP server/,
    remedy: urlEdit,
    knows: rightAddress,
    does: recovers,
  },
  {
    when: 'the service limits requests',
    plant: at(always(429, 'slow down', { 'retry-after': '50' })),
    cause: { cause: 'rate_limited' } as Situation['cause'],
    says: /rate limiting.*50 s/,
    remedy: { do: 'wait', seconds: 50 },
    does: recovers,
  },
  {
    when: 'the service breaks',
    plant: at(always(500, 'oops')),
    cause: { check: 'handshake', cause: 'protocol_error' },
    says: /500.*on the server’s side/,
    remedy: { do: 'retry' },
    does: recovers,
  },
  {
    when: 'the service is down',
    plant: at(always(503)),
    cause: { check: 'handshake' },
    says: /503.*down for now/,
    remedy: { do: 'wait', seconds: 60 },
    does: recovers,
  },
  {
    when: 'the service accepts, and never answers',
    plant: at(() => true, '/mcp', soon),
    cause: { check: 'handshake', cause: 'start_timeout' },
    says: /accepts connections but doesn’t respond/,
    remedy: { do: 'retry' },
    does: recovers,
  },
  {
    when: 'the service hangs when asked for its tools',
    plant: at((_response, { method }) => method === 'tools/list', '/mcp', soon),
    cause: { check: 'handshake', cause: 'start_timeout' },
    says: /connected but didn’t list its tools/,
    remedy: { do: 'restart', server: 'sick' },
    does: recovers,
  },
  {
    when: 'the address redirects to a page to sign in',
    plant: at(always(302, '', { location: '/login' })),
    cause: { check: 'handshake', cause: 'protocol_error' },
    says: /redirects/,
    remedy: urlEdit,
    knows: rightAddress,
    does: recovers,
  },
  {
    when: 'the service has moved to another host',
    plant: at(always(308, '', { location: 'https://notes.example.com/mcp' })),
    cause: { check: 'handshake', cause: 'protocol_error' },
    says: /redirects to notes\.example\.com/,
    remedy: urlEdit,
    knows: rightAddress,
    does: recovers,
  },
  {
    when: 'the key is wrong',
    plant: withKey(always(401, '', { 'www-authenticate': 'Bearer error="invalid_token"' })),
    cause: { check: 'auth', cause: 'sign_in_needed' },
    says: /rejected the key in Authorization/,
    remedy: { do: 'set-secret', name: 'notes-key', server: 'sick' },
    knows: 'right',
  },
  {
    when: 'the key has no permission',
    plant: withKey(always(403)),
    cause: { check: 'auth', cause: 'sign_in_needed' },
    says: /Authorization/,
    remedy: { do: 'set-secret', name: 'notes-key', server: 'sick' },
    knows: 'right',
  },
  {
    when: 'a key that stands in the file is wrong',
    plant: at(keyed(always(401), 'right'), '/mcp', { headers: { Authorization: 'Bearer wrong' } }),
    cause: { check: 'auth', cause: 'sign_in_needed' },
    says: /rejected the key in Authorization/,
    remedy: { do: 'edit-server', field: 'headers.Authorization' },
    knows: 'Bearer right',
  },
  {
    when: 'it wants a key, and none was given',
    plant: at(keyed(always(401), 'right')),
    cause: { check: 'auth', cause: 'sign_in_needed' },
    says: /API key/,
    remedy: { do: 'edit-server', field: 'headers.Authorization' },
    knows: 'Bearer right',
  },
  {
    when: 'it wanted a key when it was last called, and none was given',
    plant: async (ward) => {
      const site = await newSite(keyed(always(401), 'right'));
      sites.set(ward, site);
      ward.entry({ url: site.url });
      const hub = await ward.hub();
      await Promise.allSettled([hub.servers.restart({ id: 'sick' })]);
    },
    still: true,
    cause: { check: 'auth', cause: 'sign_in_needed' },
    says: /API key/,
    remedy: { do: 'edit-server', field: 'headers.Authorization' },
    knows: 'Bearer right',
  },
  {
    when: 'the key has expired, as a call says',
    plant: async (ward) => {
      const site = await newSite((response, request) => {
        if (request.method !== 'tools/call' || request.headers['authorization'] === 'Bearer right')
          return false;
        response.writeHead(200, { 'content-type': 'application/json' });
        const content = [{ type: 'text', text: 'Error 401: the token has expired' }];
        response.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, result: { isError: true, content } }));
        return true;
      });
      sites.set(ward, site);
      ward.entry({ url: site.url, headers: { Authorization: 'Bearer ${vault:notes-key}' } });
      const hub = await ward.hub();
      await hub.secrets.set({ name: 'notes-key', value: 'old' });
      await hub.servers.trust({ id: 'sick' });
    },
    cause: { check: 'live', cause: 'sign_in_needed' },
    says: /expired/,
    remedy: { do: 'set-secret', name: 'notes-key' },
    knows: 'right',
  },
  {
    when: 'another kind of service listens at the port',
    plant: async (ward) => {
      sites.set(ward, await newSite());
      const shell = createServer(
        (socket) => void socket.on('error', () => undefined).end('SSH-2.0-OpenSSH_9.6\r\n'),
      );
      shell.listen(0, '127.0.0.1');
      await once(shell, 'listening');
      onTestFinished(() => void shell.close());
      return { url: `http://127.0.0.1:${(shell.address() as AddressInfo).port}/mcp` };
    },
    cause: { cause: 'protocol_error' } as Situation['cause'],
    says: /not with HTTP/,
    remedy: urlEdit,
    knows: rightAddress,
  },
  {
    when: 'the address says https, and the service speaks http',
    plant: async (ward) => {
      const site = await newSite();
      sites.set(ward, site);
      return { url: site.url.replace('http:', 'https:') };
    },
    cause: { check: 'endpoint', cause: 'unreachable' },
    says: /does not speak TLS/,
    remedy: urlEdit,
    knows: rightAddress,
  },
  {
    when: 'the address says http, and the service speaks https',
    plant: async (ward) => ({ url: (await secureSite(ward, selfSigned(), true)).replace('https:', 'http:') }),
    cause: { check: 'endpoint', cause: 'bad_config' },
    says: /speaks TLS/,
    remedy: urlEdit,
    knows: rightAddress,
  },
  {
    when: 'the certificate is of an authority that is not known here',
    plant: async (ward) => ({ url: await secureSite(ward, selfSigned()) }),
    cause: { check: 'endpoint', cause: 'unreachable' },
    says: /certificate of 127\.0\.0\.1:\d+ isn't trusted/,
    remedy: { do: 'say' },
    does: trustsIt,
  },
  {
    when: 'the certificate has expired',
    plant: async (ward) => ({ url: await secureSite(ward, selfSigned('localhost.test', -2), true) }),
    cause: { check: 'endpoint', cause: 'unreachable' },
    says: /certificate of 127\.0\.0\.1:\d+ has expired/,
    remedy: { do: 'say' },
    does: (ward) => {
      const renewed = selfSigned();
      trust(renewed.cert);
      renewals.get(ward)?.(renewed);
    },
  },
  {
    when: 'there is no such name',
    plant: async (ward) => {
      sites.set(ward, await newSite());
      return { url: 'http://notes.plugboard.invalid/mcp' };
    },
    cause: { check: 'endpoint', cause: 'unreachable' },
    says: /DNS lookup failed for notes\.plugboard\.invalid/,
    remedy: urlEdit,
    knows: rightAddress,
  },
  {
    when: 'an old transport is declared, and its address is gone',
    plant: at(undefined, '/sse', { type: 'sse' }),
    cause: { check: 'handshake', cause: 'protocol_error' },
    says: /no MCP server at this address/,
    remedy: urlEdit,
    knows: rightAddress,
  },
  {
    when: 'it refuses to start a session, and says why',
    plant: async (ward) => {
      const site = await newSite();
      sites.set(ward, site);
      const initialize = site.answers['initialize'];
      site.answers['initialize'] = () => ({ error: { code: -32_000, message: 'Missing API key' } });
      recoveries.set(ward, () => void (initialize && (site.answers['initialize'] = initialize)));
      return { url: site.url, headers: { 'X-Api-Key': '${vault:notes-key}' } };
    },
    cause: { check: 'variables', cause: 'missing_input' },
    says: /notes-key/,
    remedy: { do: 'set-secret', name: 'notes-key' },
    does: (ward) => recoveries.get(ward)?.(),
  },
  {
    when: 'it speaks a version of MCP that is too old',
    plant: async (ward) => {
      const site = await newSite();
      sites.set(ward, site);
      const initialize = site.answers['initialize'];
      site.answers['initialize'] = () => ({
        result: { protocolVersion: '2023-01-01', capabilities: {}, serverInfo: {} },
      });
      recoveries.set(ward, () => void (initialize && (site.answers['initialize'] = initialize)));
      return { url: site.url };
    },
    cause: { check: 'handshake', cause: 'protocol_error' },
    says: /MCP "2023-01-01"/,
    remedy: { do: 'say' },
    does: (ward) => recoveries.get(ward)?.(),
  },
];

const recoveries = new WeakMap<Ward, () => void>();
const renewals = new WeakMap<Ward, (to: Certificate) => void>();
const certificates = new WeakMap<Ward, string>();

type Certificate = ReturnType<typeof selfSigned>;

function page(response: Parameters<NonNullable<Site['instead']>>[0]): boolean {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Notes</title>');
  return true;
}

/** What NODE_EXTRA_CA_CERTS and a new process do. */
function trust(cert: string): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, cert]);
  onTestFinished(() => setDefaultCACertificates(before));
}

async function trustsIt(ward: Ward): Promise<void> {
  trust(certificates.get(ward) ?? '');
  await ward.closeHub();
}

/** The site behind TLS; answers its address. */
async function secureSite(ward: Ward, certificate: Certificate, trusted = false): Promise<string> {
  const site = await newSite();
  const front = createTlsServer(certificate, site.handle).listen(0, '127.0.0.1');
  await once(front, 'listening');
  onTestFinished(() => {
    front.close();
    front.closeAllConnections();
  });
  if (trusted) trust(certificate.cert);
  certificates.set(ward, certificate.cert);
  renewals.set(ward, (to) => front.setSecureContext(to));
  const url = `https://127.0.0.1:${(front.address() as AddressInfo).port}/mcp`;
  sites.set(ward, { ...site, url });
  return url;
}

situations(rows);
