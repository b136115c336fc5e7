import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exposureOf, maskArguments } from './mask-arguments.ts';

test('secrets among a server’s arguments are masked, and their exposure is said', () => {
  const args = [
    '-y',
    'server',
    '--api-key',
    'k-123',
    '--token=t-123',
    '--url=https://x.test/?k=known-1',
    '--verbose',
    'known-1',
  ];
  const masked = maskArguments(args, ['known-1']);
  expect(masked.args).toEqual([
    '-y',
    'server',
    '--api-key',
    '[secret]',
    '--token=[secret]',
    '--url=https://x.test/?k=[secret]',
    '--verbose',
    '[secret]',
  ]);
  expect(masked.secretAt).toEqual([3, 4, 5, 7]);
  expect(exposureOf('jira', masked)).toMatch(/^“jira” takes 4 secrets as an argument: .* process list/);
  expect(exposureOf('jira', maskArguments(['--api-key', 'x'], []))).toContain(
    'takes a secret as an argument',
  );
});

test('placeholders, switches and ordinary arguments stay as they are', () => {
  const args = [
    '--api-key',
    '${vault:jira/key}',
    '--token=${TOKEN}',
    '--auth',
    '--port=80',
    'keyboard',
    '--key',
  ];
  const masked = maskArguments(args, ['']);
  expect(masked).toEqual({ args, secretAt: [] });
  expect(exposureOf('jira', masked)).toBeUndefined();
});

test('no known secret survives among the arguments', () => {
  const secret = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !'[secret]'.includes(text));
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1, maxLength: 3 }), fc.array(fc.string()), (secrets, rest) => {
      const args = [...rest, ...secrets, ...secrets.map((one) => `--x=${one}!`)];
      for (const arg of maskArguments(args, secrets).args) {
        for (const one of secrets) expect(arg.replaceAll('[secret]', '\0')).not.toContain(one);
      }
    }),
  );
});
