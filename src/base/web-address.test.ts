import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { webAddress } from './web-address.ts';

verifies(
  ['G6', 'attack:8'],
  'only https, or http on this machine, and nobody before an @, is an address',
  () => {
    for (const bad of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\tscript:alert(1)',
      '\u0001javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'http://example.com/',
      'http://127.0.0.1.evil.example/',
      'http://localhost.evil.example/',
      'http://[::2]/',
      'https://a@evil.example/',
      'https://:b@evil.example/',
      'ftp://example.com',
      'view-source:https://example.com',
      'blob:https://example.com/1',
      'example.com',
      '/x',
      '',
      undefined,
      null,
      { href: 'https://example.com' },
      `https://example.com/${'x'.repeat(9_000)}`,
    ]) {
      expect(webAddress(bad)).toBeUndefined();
    }
  },
);

test('an address is answered as a browser would read it', () => {
  expect(webAddress('https://example.com/a b')).toBe('https://example.com/a%20b');
  expect(webAddress(' https://exa\nmple.com')).toBe('https://example.com/');
  expect(webAddress('https://exаmple.com')).toBe('https://xn--exmple-4nf.com/');
  expect(webAddress('http://0x7f.1:80/')).toBe('http://127.0.0.1/');
  expect(webAddress('http://app.localhost:3000/x')).toBe('http://app.localhost:3000/x');
});
