import { expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { Traffic } from './traffic.ts';

function recording(): { readonly traffic: Traffic; readonly changes: () => number } {
  let changes = 0;
  const traffic = new Traffic({
    clock: systemClock,
    hideSecrets: (value) => JSON.parse(JSON.stringify(value).replaceAll('s3cret', '***')) as typeof value,
    onChange: () => {
      changes += 1;
    },
  });
  return { traffic, changes: () => changes };
}

test('nothing is kept of a server before it is recorded, nor after', () => {
  const { traffic, changes } = recording();
  const hear = traffic.listener(new Set(['box']));
  hear('hub', { jsonrpc: '2.0', id: 1, method: 'ping' });
  expect(traffic.read('box')).toEqual({ messages: [], dropped: 0 });
  expect(changes()).toBe(0);
  traffic.begin('box');
  hear('hub', { jsonrpc: '2.0', id: 2, method: 'ping' });
  expect(traffic.read('box').messages).toHaveLength(1);
  traffic.end('box');
  expect(traffic.read('box')).toEqual({ messages: [], dropped: 0 });
});

test('an answer knows its request, also where both sides ask under the same id, and holds no secret', () => {
  const { traffic } = recording();
  const hear = traffic.listener(new Set(['box']));
  traffic.begin('box');
  hear('hub', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { key: 's3cret' } });
  hear('server', { jsonrpc: '2.0', id: 1, method: 'roots/list' });
  hear('hub', { jsonrpc: '2.0', id: 1, result: { roots: [] } });
  hear('server', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } });
  hear('server', { jsonrpc: '2.0', method: 'notifications/progress' });
  const { messages } = traffic.read('box');
  expect(messages.map(({ from, kind, method }) => `${from} ${kind} ${method}`)).toEqual([
    'hub request tools/call',
    'server request roots/list',
    'hub result roots/list',
    'server error tools/call',
    'server notification notifications/progress',
  ]);
  expect(messages.map(({ tookMs }) => tookMs !== undefined)).toEqual([false, false, true, true, false]);
  expect(messages[0]?.text).toContain('***');
  expect(traffic.read('box', messages[3]?.seq).messages).toHaveLength(1);
});

test('the oldest messages make room for new ones, and a long one keeps its beginning', () => {
  const { traffic } = recording();
  const hear = traffic.listener(new Set(['box']));
  traffic.begin('box');
  for (let id = 0; id < 600; id += 1) hear('hub', { jsonrpc: '2.0', id, method: 'ping' });
  const { messages, dropped } = traffic.read('box');
  expect([messages.length, dropped, messages[0]?.id]).toEqual([500, 100, '100']);
  hear('server', { jsonrpc: '2.0', id: 599, result: { text: 'x'.repeat(200_000) } });
  const last = traffic.read('box').messages.at(-1);
  expect(last?.text).toHaveLength(64 * 1024);
  expect(last?.chars).toBeGreaterThan(200_000);
});

test('at most ten servers are recorded at once: the first one makes room', () => {
  const { traffic } = recording();
  for (let count = 0; count < 11; count += 1) traffic.begin(`server-${count}`);
  expect(traffic.read('server-0').since).toBeUndefined();
  expect(traffic.read('server-10').since).toBeDefined();
});
