import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/contracts/vault-store-open.ts';
import { verifies } from '../../test/requirements.ts';
import { createRedactor } from '../base/redact.ts';
import { Secret } from '../base/secret.ts';
import { readCommand, type Argv } from './command-reference.ts';
import { resolveReference, type ReferenceSources } from './references.ts';
import { MemoryVault } from '../../test/clients/memory-vault.ts';

function sourcesWith(given: Partial<ReferenceSources> = {}): ReferenceSources & { readonly ran: Argv[] } {
  const ran: Argv[] = [];
  const runCommand = (argv: Argv): Promise<string> => {
    ran.push(argv);
    return Promise.resolve('from-the-command\n');
  };
  return { vault: new MemoryVault(), owner: 'local', env: {}, runCommand, ran, ...given };
}

verifies(
  ['V2'],
  'a reference is looked up each time, in the vault, a file, a variable or a command',
  async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'key');
    await writeFile(file, 'from-the-file\n');
    const redactor = createRedactor();
    const env: Record<string, string> = { KEY: 'from-the-variable', EMPTY: '' };
    const sources = sourcesWith({ env, redactor });
    await sources.vault.set('local', 'github/token', new Secret('from-the-vault'));
    const find = async (reference: Parameters<typeof resolveReference>[0]): Promise<string | undefined> =>
      (await resolveReference(reference, sources))?.reveal();

    expect(await find({ kind: 'vault', name: 'github/token' })).toBe('from-the-vault');
    expect(await find({ kind: 'file', path: file })).toBe('from-the-file');
    expect(await find({ kind: 'environment', name: 'KEY' })).toBe('from-the-variable');
    expect(await find({ kind: 'command', line: 'op read "op://Private/My key/credential"' })).toBe(
      'from-the-command',
    );
    expect(sources.ran).toEqual([['op', 'read', 'op://Private/My key/credential']]);
    const all = 'from-the-vault from-the-file from-the-variable from-the-command';
    expect(redactor.redactText(all)).toBe('[secret] [secret] [secret] [secret]');

    // Nothing is kept: the next look finds what is there then.
    await writeFile(file, 'changed\n');
    env['KEY'] = 'changed';
    expect(await find({ kind: 'file', path: file })).toBe('changed');
    expect(await find({ kind: 'environment', name: 'KEY' })).toBe('changed');
    for (const name of ['EMPTY', 'MISSING', 'toString', '__proto__']) {
      expect(await find({ kind: 'environment', name })).toBeUndefined();
    }
    expect(await find({ kind: 'vault', name: 'nothing' })).toBeUndefined();
  },
);

test('only the line end of a command’s answer is taken off, and an empty answer is said', async () => {
  const answer = async (output: string): Promise<string | undefined> => {
    const sources = sourcesWith({ runCommand: () => Promise.resolve(output) });
    return (await resolveReference({ kind: 'command', line: 'pass show x' }, sources))?.reveal();
  };
  expect(await answer('value\r\n')).toBe('value');
  expect(await answer(' two\nlines\n\n')).toBe(' two\nlines\n');
  await expect(answer('\n')).rejects.toMatchObject({ code: 'missing_input', owner: 'you' });
});

test('a command is split as a shell would, and nothing in it is expanded', () => {
  const read: readonly (readonly [string, readonly string[]])[] = [
    ['op read op://a/b/c', ['op', 'read', 'op://a/b/c']],
    [`pass show 'a b'`, ['pass', 'show', 'a b']],
    [`pass show "a \\"b\\" $HOME"`, ['pass', 'show', 'a "b" $HOME']],
    [String.raw`secret-tool lookup service a\ b`, ['secret-tool', 'lookup', 'service', 'a b']],
    [
      `security find-generic-password -w -s plug;touch`,
      ['security', 'find-generic-password', '-w', '-s', 'plug;touch'],
    ],
    ['bw get password $(id)', ['bw', 'get', 'password', '$(id)']],
    [`gopass show a"b"'c'`, ['gopass', 'show', 'abc']],
    [`pass show ''`, ['pass', 'show', '']],
    ['op item get x --fields y', ['op', 'item', 'get', 'x', '--fields', 'y']],
  ];
  for (const [line, argv] of read) expect(readCommand(line)).toEqual(argv);
});

verifies(['V2'], 'a definition can neither run another program nor do more than read a secret', () => {
  for (const line of [
    '',
    'sh -c id',
    'curl https://x.test',
    '/tmp/op read x',
    './pass show x',
    'OP read x',
    'constructor read',
    '__proto__ x',
    'op run -- id',
    'op item delete x',
    'op --account a read x',
    'op readx',
    'pass rm -rf x',
    'pass',
    'gopass rm x',
    'bw delete item x',
    'security delete-keychain',
    'secret-tool clear a b',
    'pass show "unclosed',
    "pass show 'unclosed",
    'pass show x\\',
    `pass show ${'x'.repeat(5_000)}`,
    'pass show \0',
  ]) {
    expect(() => readCommand(line)).toThrow(expect.objectContaining({ code: 'bad_config', owner: 'you' }));
  }
});
