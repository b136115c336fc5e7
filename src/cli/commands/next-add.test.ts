import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { shellWords } from '../../base/shell-words.ts';
import type { FormField } from '../../servers/plans/plan.ts';
import { nextAddLine } from './next-add.ts';

const TOKEN = 'ghp_7f3a9b2c5d8e1f407f3a9b2c5d8e1f40aB12';
const field = (label: string, where: FormField['where'], kind: FormField['kind']): FormField => ({
  id: `${where}:${label}`,
  label,
  kind,
  where,
  required: true,
});
const ORG = field('ORG', 'env', 'text');

function nextOf(...argv: readonly string[]): string {
  return nextAddLine(argv, [ORG], [ORG, field('PIN', 'env', 'secret')]);
}

verifies(
  ['S17', 'V3'],
  'a next command shows KEY in place of every key that was typed, and the rest as it was typed',
  () => {
    const cases: readonly (readonly [typed: readonly string[], shown: readonly string[]])[] = [
      [
        ['add', 'x', `TOKEN=${TOKEN}`, '--', 'npx', '-y', 'pkg'],
        ['add', 'x', 'TOKEN=KEY', 'ORG=VALUE', '--', 'npx', '-y', 'pkg'],
      ],
      [
        ['add', 'x', 'PIN=42', '--', 'node', 's.js'],
        ['add', 'x', 'PIN=KEY', 'ORG=VALUE', '--', 'node', 's.js'],
      ],
      [
        ['add', 'x', '--', 'npx', 'pkg', '--access-token', TOKEN, '--dir', '/srv/notes'],
        ['add', 'x', 'ORG=VALUE', '--', 'npx', 'pkg', '--access-token', 'KEY', '--dir', '/srv/notes'],
      ],
      [
        ['add', 'x', '--', 'npx', 'pkg', '--token=abc', '--auth', 'none'],
        ['add', 'x', 'ORG=VALUE', '--', 'npx', 'pkg', '--token=KEY', '--auth', 'none'],
      ],
      [
        ['add', 'x', '--', 'npx', 'pkg', 'postgresql://ann:hunter2@db.example.com/main'],
        ['add', 'x', 'ORG=VALUE', '--', 'npx', 'pkg', 'KEY'],
      ],
      [
        ['add', `https://mcp.example.com/mcp?api_key=${TOKEN}&region=eu`],
        ['add', 'https://mcp.example.com/mcp?api_key=KEY&region=eu', 'ORG=VALUE'],
      ],
      [
        ['add', 'x', 'https://mcp.example.com/mcp', '--header', `Authorization: Bearer ${TOKEN}`],
        ['add', 'x', 'https://mcp.example.com/mcp', '--header', 'Authorization: Bearer KEY', 'ORG=VALUE'],
      ],
      [
        ['add', `{"x":{"command":"npx","args":["pkg"],"env":{"API_TOKEN":"${TOKEN}"}}}`],
        ['add', '{"x":{"command":"npx","args":["pkg"],"env":{"API_TOKEN":"KEY"}}}', 'ORG=VALUE'],
      ],
      [
        ['add', `npx -y pkg --api-key ${TOKEN}`],
        ['add', 'npx -y pkg --api-key KEY', 'ORG=VALUE'],
      ],
      [
        ['add', 'files', 'folders=/home/ann/notes-2026-11/b7f3a9b2c5d8e1f4'],
        ['add', 'files', 'folders=/home/ann/notes-2026-11/b7f3a9b2c5d8e1f4', 'ORG=VALUE'],
      ],
    ];
    for (const [typed, shown] of cases) expect(nextOf(...typed)).toBe(shellWords(['plug', ...shown]));
  },
);

verifies(['S17'], 'sample text stays in a next command: a value is given under its name', () => {
  const key = field('SHOP_SECRET_KEY', 'argument', 'secret');
  const nextFor = (...argv: readonly string[]): string => nextAddLine(argv, [key], [key]);
  expect(nextFor('add', 'npx -y pkg --api-key=SHOP_SECRET_KEY')).toBe(
    "plug add 'npx -y pkg --api-key=SHOP_SECRET_KEY' SHOP_SECRET_KEY=KEY",
  );
  expect(nextFor('add', 'shop', '--', 'npx', 'pkg', '--api-key', 'SHOP_SECRET_KEY')).toBe(
    'plug add shop SHOP_SECRET_KEY=KEY -- npx pkg --api-key SHOP_SECRET_KEY',
  );
});

verifies(['S17', 'V3'], 'a link that holds a key is read from standard input in the next command', () => {
  const config = (env: object): string =>
    Buffer.from(JSON.stringify({ command: 'npx', args: ['-y', 'pkg'], env })).toString('base64');
  const link = (env: object): string =>
    `cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=${encodeURIComponent(config(env))}`;
  expect(nextOf('add', link({ API_TOKEN: TOKEN }))).toBe('plug add - ORG=VALUE');
  const plain = link({ REGION: 'europe' });
  expect(nextOf('add', plain)).toBe(shellWords(['plug', 'add', plain, 'ORG=VALUE']));
});
