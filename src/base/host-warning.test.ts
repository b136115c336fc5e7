import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { hostWarning } from './host-warning.ts';

verifies(['attack:F20'], 'a host in letters of another alphabet is told, wherever they stand in it', () => {
  for (const url of [
    'https://exаmple.com/',
    'https://a.xn--80ak6aa92e.com:8443/',
    'https://пример.example/',
  ]) {
    expect(hostWarning(new URL(url).hostname), url).toContain('can look like another');
  }
  for (const url of [
    'https://example.com/',
    'http://127.0.0.1:9/',
    'http://[::1]/',
    'https://exxn--a.com/',
  ]) {
    expect(hostWarning(new URL(url).hostname), url).toBeUndefined();
  }
});
