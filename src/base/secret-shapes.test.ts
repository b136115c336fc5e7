import { expect, test } from 'vitest';
import { looksSecret, mayBeSecret } from './secret-shapes.ts';

/** Assembled here, so that no scanner takes this file for a leak. */
const made = (...parts: readonly string[]): string => parts.join('');

test('keys give themselves away by their shape', () => {
  for (const key of [
    made('sk-', 'ant-', 'api03-', 'Ab1'.repeat(12)),
    made('github', '_pat_', 'A1b2'.repeat(8)),
    made('glpat', '-', 'a1B2c3D4e5F6g7H8'),
    made('AIza', 'Sy', 'a1B2c3D4'.repeat(4)),
    made('eyJ', 'hbGciOiJIUzI1NiJ9', '.', 'eyJzdWIiOiIxIn0abc', '.', 'c2lnbmF0dXJl'),
    made('ntn', '_', 'a1B2c3D4e5F6g7H8'),
    made('0123456789', 'abcdef'.repeat(5)),
    'mysql://root:swordfish@db.example:3306/x',
    made('-----BEGIN ', 'RSA PRIVATE KEY-----\nabc'),
  ]) {
    expect(looksSecret(key), key.slice(0, 8)).toBe(true);
  }
});

test('ordinary values are not taken for keys', () => {
  for (const value of [
    '@modelcontextprotocol/server-sequential-thinking@2026.8.31',
    '/home/ann/projects/boat-house/node_modules/.bin/server-2026',
    'https://mcp.example/v1/streams?region=eu-central-1',
    'postgres://localhost:5432/tides',
    'ghp_xxxxxxxxxxxxxxxxxxxx',
    'sk-your-key-here',
    '<YOUR_API_KEY>',
    'eu-central-1',
    'The quick brown fox jumps over the lazy dog 42',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  ]) {
    expect(looksSecret(value), value).toBe(false);
  }
});

test('under a secret’s name, switches, counts, paths and samples are none', () => {
  for (const value of [
    'true',
    'none',
    '4000',
    '/etc/keys/tide.pem',
    '~/key',
    'C:\\keys\\a',
    'your-token-here',
    '***',
    'https://auth.example/token',
    'MY_API_KEY',
    '$GITHUB_PAT',
    '${{ secrets.KEY }}',
    'abc_...',
    'ft_xxxxxxxxxxxx',
    'ixk_your_api_key',
    'abc',
  ]) {
    expect(mayBeSecret(value), value).toBe(false);
  }
  for (const value of ['hunter2', 'correct horse battery', 'p@ssw0rd!', 'https://a.example/?key=1']) {
    expect(mayBeSecret(value), value).toBe(true);
  }
});
