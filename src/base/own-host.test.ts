import { expect, test } from 'vitest';
import { isOwnHost } from './own-host.ts';

test.each(['127.0.0.1:80', 'localhost:80', 'LocalHost:80', '[::1]:80'])('%s is ours', (host) => {
  expect(isOwnHost(host, 80)).toBe(true);
});

test.each([
  undefined,
  '',
  '127.0.0.1',
  '127.0.0.1:81',
  '127.0.0.1:80:80',
  '127.0.0.1:80, 127.0.0.1:80',
  '127.0.0.1.evil.test:80',
  'evil.test:80',
  'localhost.:80',
  'page.localhost:80',
  '0.0.0.0:80',
  '127.1:80',
  '[::ffff:127.0.0.1]:80',
  ' 127.0.0.1:80',
])('%j is somebody else’s', (host) => {
  expect(isOwnHost(host, 80)).toBe(false);
});
