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

test('a page names itself as one, and nobody else can', () => {
  const named = { 'plug-client': 'page.0123456789' };
  const page = { kind: 'page', id: '0123456789' };
  for (const sent of [
    { 'x-plug-page': 'key' },
    { origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': 'none' },
  ]) {
    expect(callerOf(request({ ...named, ...sent }), 'port')).toEqual(page);
    expect(() => callerOf(request({ ...named, ...sent }), 'socket')).toThrow(/plug-client/);
  }
  expect(() => callerOf(request(named), 'port')).toThrow(/plug-client/);
  const session = { 'plug-client': 'terminal.0123456789', 'x-plug-page': 'key' };
  expect(callerOf(request(session), 'port')).toEqual(page);
});

test('an id that is none is refused instead of taken for a stranger', () => {
  for (const given of ['terminal', 'page.0123456789', 'terminal.short', 'terminal.has blank in it', '']) {
    expect(() => callerOf(request({ 'plug-client': given }), 'socket')).toThrow(/plug-client/);
  }
});
