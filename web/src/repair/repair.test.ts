import { expect, test } from 'vitest';
import { serverView } from '../../../test/server-view.ts';
import type { Remedy } from '../../../src/base/remedy.ts';
import type { ServerState, ServerView } from '../hub/hub-context.tsx';
import { attentionOf, repairOf, type Attention, type Repair } from './repair.ts';

const KEY_NEEDED = [{ where: 'env', name: 'API_KEY', title: 'API key', kind: 'secret' }] as const;

test('every state and remedy has exactly one form', () => {
  for (const [what, view, repair] of FORMS) expect(repairOf(view), what).toEqual(repair);
});

test('what waits for a person is ranked by how serious it is', () => {
  for (const [what, view, attention] of RANKS) expect(attentionOf(view), what).toBe(attention);
});

const FORMS: readonly (readonly [string, ServerView, Repair])[] = [
  ['ready', server({ kind: 'ready', since: 0 }), { form: 'none' }],
  ['asleep', server({ kind: 'asleep' }), { form: 'none' }],
  ['off', server({ kind: 'disabled' }), { form: 'turn-on' }],
  [
    'a changed tool',
    server({ kind: 'ready', since: 0 }, { review: { changed: 1, flagged: 0, tool: 'read' } }),
    { form: 'review', tool: 'read' },
  ],
  [
    'degraded, with something to review',
    server({ kind: 'degraded', since: 0 }, { review: { changed: 1, flagged: 0, tool: 'read' } }),
    { form: 'reconnect' },
  ],
  [
    'failed, with something to review',
    failed({ do: 'install', program: 'uv', url: 'https://x.example' }, { review: review('read') }),
    { form: 'install', program: 'uv', url: 'https://x.example' },
  ],
  [
    'all tools changed',
    server({ kind: 'quarantined' }, { review: review('read') }),
    { form: 'review', tool: 'read' },
  ],
  [
    'a start that waits for a sign-in in the browser',
    server({
      kind: 'starting',
      attempt: 1,
      remedy: { do: 'open-address', server: 'notes', url: 'https://example.com/authorize' },
    }),
    { form: 'open-address', url: 'https://example.com/authorize' },
  ],
  ['a sign-in', server({ kind: 'needs-sign-in' }), { form: 'sign-in' }],
  [
    '401 of a server without a sign-in',
    server(
      {
        kind: 'needs-sign-in',
        needs: [{ where: 'header', name: 'Authorization', title: 'API key', kind: 'secret' }],
      },
      { transport: 'http' },
    ),
    {
      form: 'values',
      inputs: [{ title: 'API key', kind: 'secret', to: { in: 'header', name: 'Authorization' } }],
    },
  ],
  [
    '401 with a key in the vault',
    server({ kind: 'needs-sign-in', remedy: { do: 'set-secret', name: 'x/TOKEN', server: 'x' } }),
    { form: 'values', inputs: [{ title: 'TOKEN', kind: 'secret', to: { in: 'vault', secret: 'x/TOKEN' } }] },
  ],
  [
    '401 with a key in a header',
    server(
      { kind: 'needs-sign-in', remedy: { do: 'edit-server', server: 'x', field: 'X-Key' } },
      { transport: 'http' },
    ),
    {
      form: 'values',
      inputs: [{ title: 'X-Key', kind: 'secret', to: { in: 'header', name: 'X-Key' } }],
    },
  ],
  [
    'a start that names a missing variable',
    failed({ do: 'show-logs', server: 'x' }, {}, { needs: KEY_NEEDED }),
    {
      form: 'values',
      inputs: [{ title: 'API key', kind: 'secret', to: { in: 'env', name: 'API_KEY' } }],
    },
  ],
  [
    'a start that names a missing variable in words that we know',
    failed({ do: 'edit-server', server: 'x', field: 'env.LANGUAGE', to: '${LANGUAGE}' }),
    {
      form: 'values',
      inputs: [{ title: 'LANGUAGE', kind: 'text', to: { in: 'env', name: 'LANGUAGE' } }],
    },
  ],
  [
    'an input and a variable without a value',
    server({ kind: 'needs-input', missing: ['${input:api_key}', '${env:REGION}', '${input:api_key}'] }),
    {
      form: 'values',
      inputs: [
        { title: 'api_key', kind: 'secret', to: { in: 'vault', secret: 'x/api_key' } },
        {
          title: 'REGION',
          kind: 'secret',
          to: { in: 'placeholder', placeholder: '${env:REGION}', name: 'REGION' },
        },
      ],
    },
  ],
  [
    'a locked vault',
    server({ kind: 'needs-input', missing: [], remedy: { do: 'unlock-vault' } }),
    { form: 'unlock' },
  ],
  [
    'a folder that is asked for',
    failed(
      { do: 'show-logs', server: 'x' },
      {},
      {
        needs: [{ where: 'argument', name: 'allowed-directory', title: 'Allowed directory', kind: 'folder' }],
      },
    ),
    { form: 'folder' },
  ],
  [
    'a folder that is not there',
    failed({ do: 'choose-path', server: 'x', path: '/gone' }),
    { form: 'folder', path: '/gone' },
  ],
  [
    'a runtime that is missing',
    failed({ do: 'install', program: 'uv', url: 'https://x.example', line: 'install uv' }),
    { form: 'install', program: 'uv', url: 'https://x.example', line: 'install uv' },
  ],
  [
    'a command that nobody knows how to install',
    failed({ do: 'say', text: 'Install it.' }, {}, { missingCommand: 'frobnicate' }),
    { form: 'edit' },
  ],
  [
    'a port that is taken',
    failed({ do: 'choose-port', server: 'x', port: 3000 }),
    { form: 'port', port: 3000 },
  ],
  [
    'a service that does not answer',
    failed({ do: 'restart', server: 'x' }, {}, { retryAt: 5_000 }),
    { form: 'retry', at: 5_000 },
  ],
  ['a crash', failed({ do: 'show-logs', server: 'x' }), { form: 'retry' }],
  ['wrong arguments', failed({ do: 'edit-server', server: 'x', field: 'args' }), { form: 'edit' }],
  [
    'a variable of a server in a file',
    failed(
      { do: 'show-logs', server: 'x' },
      { source: { kind: 'file', file: '/home/a/mcp.json' } },
      { needs: KEY_NEEDED },
    ),
    { form: 'file', file: '/home/a/mcp.json', names: ['API_KEY'] },
  ],
  [
    'an input of a server in a file',
    server(
      { kind: 'needs-input', missing: ['${input:key}'] },
      { source: { kind: 'file', file: '/home/a/mcp.json' } },
    ),
    { form: 'values', inputs: [{ title: 'key', kind: 'secret', to: { in: 'vault', secret: 'x/key' } }] },
  ],
  [
    'an entry that is not trusted',
    server(
      { kind: 'disabled' },
      { untrusted: { file: '/a', fingerprint: 'f', changed: true, diff: [], references: [] } },
    ),
    { form: 'trust', changed: true },
  ],
];

const RANKS: readonly (readonly [string, ServerView, Attention | undefined])[] = [
  ['failed', failed({ do: 'retry' }), 'failed'],
  ['failed, with something to review', failed({ do: 'retry' }, { review: review('a') }), 'failed'],
  ['signed out', server({ kind: 'needs-sign-in' }), 'waiting'],
  ['a missing value', server({ kind: 'needs-input', missing: [] }), 'waiting'],
  ['degraded', server({ kind: 'degraded', since: 0 }, { review: review('a') }), 'degraded'],
  ['a flagged tool', server({ kind: 'ready', since: 0 }, { review: review('a') }), 'review'],
  ['a flagged tool of one that sleeps', server({ kind: 'asleep' }, { review: review('a') }), 'review'],
  ['a flagged tool of one that is off', server({ kind: 'disabled' }, { review: review('a') }), undefined],
  ['ready', server({ kind: 'ready', since: 0 }), undefined],
];

type Without<T> = T extends unknown ? Omit<T, 'reason'> : never;

function server(state: Without<ServerState>, more: Partial<ServerView> = {}): ServerView {
  // A reason is never looked at.
  return serverView({ id: 'x', name: 'X', state: { ...state, reason: '' }, ...more });
}

function failed(
  remedy: Remedy,
  more: Partial<ServerView> = {},
  state: Partial<Extract<ServerState, { kind: 'failed' }>> = {},
): ServerView {
  return server({ kind: 'failed', cause: 'crashed', remedy, ...state }, more);
}

function review(tool: string): NonNullable<ServerView['review']> {
  return { changed: 0, flagged: 1, tool };
}
