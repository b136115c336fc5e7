import type { OutgoingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { verifies } from '../requirements.ts';
import { appPolicy } from '../../web/app-frame/policy.ts';
import { pageWorld } from './page-world.ts';

const PLACES = ['/', '/chat', '/servers', '/servers/github/tools', '/add', '/setup', '/activity'];
const MORE_PLACES = ['/grants', '/approvals', '/settings', '/settings/models'];
const FOLLOWED = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

verifies(
  ['H1', 'attack:A7'],
  'every place of the page is its document, under a policy that lets nothing else in',
  async () => {
    const { ask, port } = await pageWorld();
    for (const path of [...PLACES, ...MORE_PLACES]) {
      for (const site of ['none', 'cross-site', 'same-origin']) {
        const { status, text, headers } = await ask({
          path,
          headers: { ...FOLLOWED, 'sec-fetch-site': site },
        });
        expect([path, site, status, text]).toEqual([path, site, 200, '<title>page</title>']);
        expect(headers).toMatchObject({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
          'permissions-policy': expect.stringContaining('camera=()'),
        });
        expect(headers['set-cookie']).toBeUndefined();
        const policy = String(headers['content-security-policy']).split('; ');
        expect(policy).toEqual(
          expect.arrayContaining([
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "connect-src 'self'",
            `frame-src http://localhost:${port}`,
            "form-action 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
          ]),
        );
        expect(policy.join()).not.toMatch(/unsafe|https:|\*/);
      }
    }
  },
);

verifies(['H1'], 'the page cannot be framed, embedded or read by another page', async () => {
  const { ask, port } = await pageWorld();
  const refused: readonly OutgoingHttpHeaders[] = [
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
    { origin: `http://127.0.0.1:${port + 1}` },
    { origin: 'null' },
    { host: 'evil.test' },
  ];
  for (const path of ['/', '/servers', '/assets/page-1a2b.js']) {
    for (const headers of refused) {
      expect([path, headers, (await ask({ path, headers })).status]).toEqual([path, headers, 403]);
    }
  }
  const ownFrame = {
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'iframe',
  };
  expect((await ask({ path: '/', headers: ownFrame })).status).toBe(404);
});

test('the page takes GET alone, and what it has not is not there', async () => {
  const { ask, authorization } = await pageWorld();
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    for (const path of ['/', '/servers', '/assets/page-1a2b.js', '/app-frame']) {
      const { status, headers } = await ask({ method, path });
      expect([method, path, status, headers['allow']]).toEqual([method, path, 405, 'GET, HEAD']);
    }
  }
  const head = await ask({ method: 'HEAD', path: '/' });
  expect([head.status, head.text]).toEqual([200, '']);
  for (const path of ['/assets/gone.js', '/robots.txt']) {
    expect([path, (await ask({ path })).status]).toEqual([path, 404]);
  }
  const never = [
    '/index.html',
    '/assets/..%2findex.html',
    '/assets/../../secret',
    '/assets/',
    '/.env',
    '/x.json',
  ];
  for (const path of never) {
    expect([path, (await ask({ path })).status]).toEqual([path, 401]);
    expect([path, (await ask({ path, headers: { authorization } })).status]).toEqual([path, 404]);
  }
});

test('whoever types the other name of this machine is sent to the page', async () => {
  const { ask, port } = await pageWorld();
  const { status, headers } = await ask({ path: '/servers?x=1', headers: { host: `localhost:${port}` } });
  expect([status, headers['location']]).toEqual([302, `http://127.0.0.1:${port}/servers?x=1`]);
});

verifies(
  ['H1'],
  'the frame for apps is under the other name alone, for our page alone, and without cookies',
  async () => {
    const { ask, port, comeIn } = await pageWorld();
    const framed = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'iframe',
    };
    const host = `localhost:${port}`;
    const { status, text, headers } = await ask({
      path: '/app-frame',
      headers: { ...framed, ...(await comeIn()), host },
    });
    expect([status, text]).toEqual([200, '<title>frame</title>']);
    expect([headers['set-cookie'], headers['x-frame-options']]).toEqual([undefined, undefined]);
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toContain(`frame-ancestors http://127.0.0.1:${port}`);
    expect(policy).toContain("frame-src 'none'");
    expect(policy).toContain('connect-src https: wss:');
    expect((await ask({ path: '/app-frame', headers: framed })).status).toBe(404);
    const elsewhere = { ...framed, 'sec-fetch-dest': 'script', 'sec-fetch-mode': 'no-cors', host };
    expect((await ask({ path: '/app-frame', headers: elsewhere })).status).toBe(403);
    expect((await ask({ path: '/assets/page-1a2b.js', headers: { host } })).status).toBe(200);
  },
);

test('an app reaches what its resource declares, and never this machine or its network', () => {
  const nothing = appPolicy({});
  expect(nothing).toContain("default-src 'none'");
  expect(nothing).toContain("connect-src 'none'");
  expect(nothing).not.toContain('http');
  const declared = appPolicy({
    connectDomains: ['https://api.example.com', 'wss://live.example.com:8443', 'https://*.example.org/'],
    resourceDomains: ['https://cdn.example.com'],
  });
  expect(declared).toContain(
    'connect-src https://api.example.com wss://live.example.com:8443 https://*.example.org;',
  );
  expect(declared).toContain("script-src 'unsafe-inline' https://cdn.example.com;");
  const hostile = [
    'http://api.example.com',
    'https://127.0.0.1:4711',
    'https://localhost',
    'https://x.localhost',
    'https://router.lan',
    'https://10.0.0.1',
    'https://2130706433',
    'https://[::1]',
    '*',
    'https:',
    'https://*',
    "https://a.example; script-src 'unsafe-eval'",
    'https://a.example"><script>',
    'https://user@a.example',
    "'self'",
    7,
    null,
  ];
  expect(appPolicy({ connectDomains: hostile, resourceDomains: hostile })).toBe(nothing);
  expect(appPolicy({ connectDomains: 'https://a.example' })).toBe(nothing);
});
