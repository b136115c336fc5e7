import { expect, test } from 'vitest';
import { callerOf } from './caller.ts';

const request = (headers: Record<string, string>): Request => new Request('http://127.0.0.1:1/', { headers });

test('a client is told apart by the id that it drew, and says what it is', () => {
  expect(callerOf(request({ 'plug-client': 'terminal.0123456789' }), 'socket')).toEqual({
    kind: 'terminal',
    id: '0123456789',
  });
});

test('all clients without an id are one stranger, so that none can answer for another', () => {
  const stranger = { kind: 'library', id: 'unnamed' };
  expect(callerOf(request({}), 'socket')).toEqual(stranger);
  expect(callerOf(request({}), 'port')).toEqual(stranger);
});

test('what a browser sends is a page, whatever it says of itself', () => {
  const headers = { 'plug-client': 'terminal.0123456789', 'sec-fetch-site': 'same-origin' };
  expect(callerOf(request(headers), 'port')).toEqual({ kind: 'page', id: '0123456789' });
});

test('an id that is none is refused instead of taken for a stranger', () => {
  for (const given of ['terminal', 'page.0123456789', 'terminal.short', 'terminal.has blank in it', '']) {
    expect(() => callerOf(request({ 'plug-client': given }), 'socket')).toThrow(/plug-client/);
  }
});
