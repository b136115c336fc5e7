import { expect, test } from 'vitest';
import { refusedRedirect } from './redirects.ts';

const url = new URL('https://mcp.acme.test/mcp?key=hidden');
const asked = { url, method: 'POST', status: 308 };

test.each([
  ['the same origin', { location: '/new' }],
  ['the same origin, written out', { location: 'https://mcp.acme.test/new' }],
  [
    'the https form of plain http',
    { url: new URL('http://acme.test/mcp'), location: 'https://acme.test/mcp' },
  ],
  ['a question that stays a question', { method: 'GET', status: 302, location: '/new' }],
  ['an answer that is no redirect', { status: 200, location: 'https://evil.test/' }],
  ['what has not changed', { status: 304, location: 'https://evil.test/' }],
])('%s may be followed', (_, of) => {
  expect(refusedRedirect({ ...asked, ...of })).toBeUndefined();
});

test.each([
  ['another host', { location: 'https://evil.test/mcp?key=hidden' }, 'evil.test:443'],
  ['another port', { location: 'https://mcp.acme.test:444/mcp' }, 'mcp.acme.test:444'],
  ['plain http', { location: 'http://mcp.acme.test/mcp' }, 'mcp.acme.test:80'],
  ['no scheme', { location: '//evil.test/mcp' }, 'evil.test:443'],
  ['a name in front', { location: 'https://mcp.acme.test@evil.test/' }, 'evil.test:443'],
  ['a port in plain http', { url: new URL('http://a.test:81/'), location: 'https://a.test/' }, 'a.test:443'],
])('%s is not followed, and named without what may be secret', (_, of, place) => {
  const refusal = refusedRedirect({ ...asked, ...of });
  expect(refusal?.message).toContain(`redirects to ${place}, and nothing was sent there.`);
  expect(refusal?.message).not.toContain('hidden');
  expect(refusal).toMatchObject({ code: 'protocol_error', details: { httpStatus: 308 } });
});

test.each([
  ['loses the message', { status: 303, location: '/new' }, 'loses what is sent to it (HTTP 303)'],
  ['names no place', { location: undefined }, 'redirects to no address (HTTP 308)'],
  ['names a place that nobody can read', { location: 'http://[' }, 'redirects to no address (HTTP 308)'],
])('one that %s is named, too', (_, of, said) => {
  expect(refusedRedirect({ ...asked, ...of })?.message).toContain(said);
});
