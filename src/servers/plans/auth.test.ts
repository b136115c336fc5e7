import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { readDocument } from '../registry/document.ts';
import { detectAuth, type DetectedAuth } from './auth.ts';
import { planOf } from '../../../test/plan-of.ts';

function local(environmentVariables: readonly object[]): DetectedAuth {
  return authOf({
    packages: [{ registryType: 'npm', identifier: 'tool', version: '1.0.0', environmentVariables }],
  });
}

function authOf(server: object): DetectedAuth {
  const read = readDocument({ server: { name: 'a/b', ...server } }, 'official');
  if (read.kind === 'bad') throw new Error(read.reason);
  return planOf(read.entry).auth;
}

function remote(headers: readonly object[]): DetectedAuth {
  return authOf({ remotes: [{ type: 'streamable-http', url: 'https://x.example/mcp', headers }] });
}

verifies(['S15'], 'a secret token, access token or key is a key', () => {
  for (const name of ['ACME_TOKEN', 'GITHUB_PAT', 'ACME_API_KEY', 'SERVICE_KEY']) {
    expect(local([{ name, isSecret: true, isRequired: true }])).toMatchObject({
      kind: 'key',
      fields: [`env:${name}`],
    });
    // Publishers forget the mark; the name says enough.
    expect(local([{ name, isRequired: true }]).kind).toBe('key');
  }
  expect(remote([{ name: 'X-API-Key', isSecret: true, isRequired: true }])).toMatchObject({
    kind: 'key',
    fields: ['header:X-API-Key'],
  });
});

verifies(['S15'], 'several secrets are several fields', () => {
  const auth = local([
    { name: 'APP_KEY', isSecret: true, isRequired: true },
    { name: 'APP_TOKEN', isSecret: true, isRequired: true },
    { name: 'REGION' },
  ]);
  expect(auth).toMatchObject({ kind: 'key', fields: ['env:APP_KEY', 'env:APP_TOKEN'] });
});

verifies(['S15'], 'a path of a credentials file is a key file; other paths are not', () => {
  const google = { name: 'GOOGLE_APPLICATION_CREDENTIALS', format: 'filepath', isRequired: true };
  expect(local([google])).toMatchObject({ kind: 'key-file', fields: [`env:${google.name}`] });
  expect(
    local([{ name: 'SA_FILE', format: 'filepath', isSecret: true, description: 'Service account' }]).kind,
  ).toBe('key-file');
  expect(local([{ name: 'LOG_FOLDER', format: 'filepath' }]).kind).toBe('none');
});

verifies(['S15'], 'a client id with its client secret is OAuth', () => {
  const pair = [
    { name: 'GOOGLE_CLIENT_ID', isRequired: true },
    { name: 'GOOGLE_CLIENT_SECRET', isSecret: true, isRequired: true },
  ];
  expect(local(pair)).toMatchObject({
    kind: 'oauth',
    fields: ['env:GOOGLE_CLIENT_ID', 'env:GOOGLE_CLIENT_SECRET'],
  });
  expect(local([{ name: 'A_CLIENT_ID' }, { name: 'B_CLIENT_SECRET', isSecret: true }]).kind).not.toBe(
    'oauth',
  );
});

verifies(['S15'], 'nothing secret is no sign-in', () => {
  expect(
    local([{ name: 'LOG_LEVEL' }, { name: 'MAX_TOKENS_LIMIT', format: 'number' }, { name: 'AUTH_URL' }]),
  ).toMatchObject({
    kind: 'none',
    fields: [],
  });
  expect(local([]).kind).toBe('none');
});

verifies(['S15'], 'a remote server that declares nothing is judged by what a request meets', () => {
  expect(detectAuth([], 'remote', { kind: 'sign-in' })).toMatchObject({ kind: 'oauth' });
  expect(detectAuth([], 'remote', { kind: 'open' })).toMatchObject({ kind: 'none' });
  for (const access of [{ kind: 'unreachable' }, undefined] as const) {
    expect(detectAuth([], 'remote', access)).toMatchObject({ kind: 'unknown', offers: ['key', 'none'] });
  }
});

verifies(['S15'], 'a key that may be left out does not hide a sign-in', () => {
  const optional = remote([{ name: 'Authorization', isSecret: true }]);
  expect(optional.kind).toBe('key');
  const form = [
    { id: 'header:Authorization', label: 'Authorization', kind: 'secret', where: 'header', required: false },
  ] as const;
  expect(detectAuth(form, 'remote', { kind: 'sign-in' })).toMatchObject({
    kind: 'oauth',
    fields: ['header:Authorization'],
  });
  expect(local([{ name: 'API_KEY', isSecret: true }])).toMatchObject({
    kind: 'key',
    offers: ['key', 'none'],
  });
});
