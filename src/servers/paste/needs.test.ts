import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { needsOf } from './needs.ts';

/** One value of a variable named ACME_TOKEN, and whether it must be asked for. */
const VALUES: Readonly<Record<string, boolean>> = {
  'your-key': true,
  YOUR_API_KEY_HERE: true,
  acme_your_token: true,
  '<token>': true,
  '[The token of your account]': true,
  'put-token-here': true,
  'sk-...': true,
  'nvapi-…': true,
  ghp_xxxxxxxxxxxx: true,
  '****': true,
  changeme: true,
  'my-token': true,
  ACME_TOKEN_VALUE: true,
  'Acme Token': true,
  'ваш-токен': true,
  '/path/to/token.txt': true,
  'https://your-team.acme.test': true,
  'you@example.com': true,
  '': true,
  'abc-123-def': false,
  'C:/Users/ann/token.txt': false,
  'https://acme.test/v1': false,
  '12345': false,
};

for (const [value, blank] of Object.entries(VALUES)) {
  verifies(
    ['S8'],
    `a variable with the value “${value}” ${blank ? 'must be filled in' : 'is complete'}`,
    () => {
      const needs = needsOf({
        name: null,
        transport: 'stdio',
        command: 'acme',
        env: { ACME_TOKEN: value },
        extra: {},
      });
      expect(needs).toEqual(blank ? ['ACME_TOKEN'] : []);
    },
  );
}

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  '--key=YOUR_KEY': ['YOUR_KEY'],
  '/path/to/acme/index.js': ['/path/to/acme/index.js'],
  'C:\\path\\to\\acme.exe': ['C:\\path\\to\\acme.exe'],
  '/Users/username/notes': ['/Users/username/notes'],
  'type=bind,src=/path/to/data,dst=/data/path/to': ['/path/to/data'],
  '<checkout>/dist/index.js': ['checkout'],
  'postgresql://user:password@host/db': ['postgresql://user:password@host/db'],
  'Authorization: Bearer ${ACME_TOKEN}': ['ACME_TOKEN'],
  '${workspaceFolder}/x': [],
  '${PORT:-3000}': [],
  'acme[cli]': [],
  '[::1]:8080': [],
  'cd /path/to/acme && exec /home/<user>/run': ['/path/to/acme', 'user'],
  '{"a": [1, 2]}': [],
  '@acme/your-mcp-tools-pkg': ['@acme/your-mcp-tools-pkg'],
};

for (const [arg, expected] of Object.entries(ARGUMENTS)) {
  verifies(
    ['S8'],
    `the argument “${arg}” needs ${expected.length === 0 ? 'nothing' : expected.join(', ')}`,
    () => {
      expect(needsOf({ name: null, transport: 'stdio', command: 'acme', args: [arg], extra: {} })).toEqual(
        expected,
      );
    },
  );
}

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'https://your-app.acme.test/mcp': ['your-app'],
  'https://yourdomain.com/mcp': ['yourdomain.com'],
  'https://tbd.example/mcp': [],
  'https://api.xyz/mcp': [],
  'https://tbd/mcp': ['tbd'],
  'https://{region}.acme.test/ACCOUNT_ID/mcp': ['region', 'ACCOUNT_ID'],
  'https://acme.test/mcp?key=<your key>': ['your key'],
  'https://acme.test/mcp': [],
};

for (const [url, expected] of Object.entries(ADDRESSES)) {
  verifies(
    ['S8'],
    `the address ${url} needs ${expected.length === 0 ? 'nothing' : expected.join(', ')}`,
    () => {
      expect(needsOf({ name: null, transport: 'http', url, extra: {} })).toEqual(expected);
    },
  );
}
