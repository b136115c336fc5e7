import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Secret } from './secret.ts';

test('a secret shows nothing of itself in text, JSON, logs or an inspection', () => {
  const secret = new Secret('sk-canary-1');
  const shown = [
    String(secret),
    'joined: '.concat(secret.toString()),
    JSON.stringify({ secret }),
    inspect({ deep: [secret] }, { showHidden: true }),
    Object.values(secret).join(''),
  ];
  for (const text of shown) expect(text).not.toContain('canary');
  expect(secret.reveal()).toBe('sk-canary-1');
});
