import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { checkServerUrl } from './url.ts';

verifies(['attack:E18'], 'addresses that reach the same endpoint have one key', () => {
  const same = [
    'https://Example.com/mcp',
    'HTTPS://example.com:443/mcp',
    'https://example.com./mcp',
    ' https://example.com/%6dcp\n',
  ];
  expect(new Set(same.map((text) => checkServerUrl(text).key))).toEqual(new Set(['https://example.com/mcp']));
  expect(checkServerUrl('https://example.com/a%2fb').key).toBe('https://example.com/a%2Fb');
  expect(checkServerUrl('http://2130706433/mcp').key).toBe('http://127.0.0.1/mcp');
  expect(checkServerUrl('https://example.com').key).toBe('https://example.com/');
});

verifies(['attack:E18'], 'addresses that may lead elsewhere keep keys of their own', () => {
  const others = [
    'https://example.com/mcp',
    'http://example.com/mcp',
    'https://example.com/mcp/',
    'https://example.com/MCP',
    'https://example.com:444/mcp',
    'https://example.com/mcp?a=1',
    'https://example.com/a%2Fb',
    'https://example.com/a/b',
    'wss://example.com/mcp',
  ];
  expect(new Set(others.map((text) => checkServerUrl(text).key)).size).toBe(others.length);
});

verifies(
  ['attack:E18'],
  'an address that does not mean what it reads is refused, without being repeated',
  () => {
    const tricks = [
      'https://user:secret@example.com/mcp',
      'https://example.com@evil.test/secret',
      'https://@example.com/secret',
      'https://example.com/mcp#secret',
      'https://example.com/secret#',
      'https://example.com\\@evil.test/secret',
      'https://example.com/a/../secret',
      'https://example.com/a/%2e%2E/secret',
      'https://example.com/a/.%2e/secret',
      'https://example.com/./secret',
      'https://example.com/sec\tret',
      'https://exam\nple.com/secret',
      'https://example.com/a b/secret',
      'https://example.com/secret%0d%0aX',
      'https://example.com/secret%zz',
      'https:example.com/secret',
      'https:///example.com/secret',
      'ftp://example.com/secret',
      'file:///etc/secret',
      'javascript:secret',
      'example.com/secret',
      `https://example.com/secret${'x'.repeat(10_000)}`,
      '',
    ];
    for (const trick of tricks) {
      expect(() => checkServerUrl(trick), trick).toThrow(
        expect.objectContaining({
          code: 'bad_config',
          owner: 'you',
          message: expect.not.stringContaining('secret'),
        }),
      );
    }
  },
);
