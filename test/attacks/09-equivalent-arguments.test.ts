/* oxlint-disable unicorn/no-thenable -- “then” is a word of the rules file */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { verifies } from '../requirements.ts';
import { newPlug, type Plug } from '../scenarios/plug-command.ts';

const logging = fileURLToPath(new URL('logging-server.ts', import.meta.url));
const filesystem = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', import.meta.url),
);

interface World {
  readonly call: (tool: string, args: JsonObject) => ReturnType<Plug>;
  readonly plug: Plug;
  /** What the real server for files may write to; `drafts` is in it. */
  readonly root: string;
  /** What arrived at the other server. */
  readonly arrived: () => string;
}

/** A real server for files and one that writes down what it gets; what no rule allows is not called. */
async function openWorld(rules: (root: string) => readonly JsonObject[]): Promise<World> {
  const plug = newPlug({}, { rules: 'shipped' });
  const root = `${plug.cwd}/folder`;
  const log = `${plug.cwd}/notes.log`;
  mkdirSync(`${root}/drafts`, { recursive: true });
  mkdirSync(`${plug.home}/plug`, { recursive: true, mode: 0o700 });
  writeFileSync(`${plug.home}/plug/rules.json`, JSON.stringify({ rules: rules(root) }), { mode: 0o600 });
  for (const words of [
    ['files', '--yes', '--', process.execPath, filesystem, root],
    ['notes', '--yes', '--', process.execPath, logging, log, ''],
  ]) {
    expect(await plug('add', ...words)).toMatchObject({ code: 0 });
  }
  return {
    plug,
    root,
    call: (tool, args) => plug('call', tool, '--args', JSON.stringify(args)),
    arrived: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
  };
}

const NEEDS_APPROVAL = 3;

verifies(
  ['attack:9', 'P11'],
  'a grant and an allowing rule for one folder let nothing be written outside it',
  async () => {
    const { call, plug, root } = await openWorld((folder) => [
      {
        name: 'drafts may have folders',
        when: { tool: 'files/create_directory', args: { path: `${folder}/drafts/*` } },
        then: 'allow',
      },
    ]);
    const granted = await plug('grants', 'add', 'files/write_file', '--args', `path=${root}/drafts/*`);
    expect(granted).toMatchObject({ code: 0 });
    const ways = [
      'drafts/../stolen',
      'drafts/x/../../stolen',
      'drafts/.././stolen',
      'drafts/./../stolen',
      'drafts//../stolen',
      'drafts/..',
      'drafts/%2e%2e/stolen',
      'drafts/\u0000/../stolen',
      'drafts/a\u0000b',
      'drafts/a\nb',
      String.raw`drafts/..\..\stolen`,
      'drafts/\uff0e\uff0e/stolen',
    ];
    for (const way of ways) {
      const path = `${root}/${way}`;
      const written = await call('files/write_file', { path, content: 'stolen' });
      expect({ way, code: written.code }).toEqual({ way, code: NEEDS_APPROVAL });
      const made = await call('files/create_directory', { path });
      expect({ way, code: made.code }).toEqual({ way, code: NEEDS_APPROVAL });
    }
    expect(readdirSync(root)).toEqual(['drafts']);
    expect(readdirSync(`${root}/drafts`)).toEqual([]);
    const path = `${root}/drafts/letter..v2.txt`;
    expect(await call('files/write_file', { path, content: 'Dear\nall' })).toMatchObject({ code: 0 });
    expect(readFileSync(path, 'utf8')).toBe('Dear\nall');
    expect(await call('files/create_directory', { path: `${root}/drafts/new` })).toMatchObject({ code: 0 });
  },
  240_000,
);

verifies(
  ['attack:9', 'P11'],
  'a second key that equals the judged one makes an allowing pattern not fit',
  async () => {
    const { call, arrived } = await openWorld(() => [
      {
        name: 'notes may be written',
        when: { tool: 'notes/write', args: { path: 'drafts/*', 'target.folder': 'drafts' } },
        then: 'allow',
      },
    ]);
    const target = { folder: 'drafts' };
    const path = 'drafts/a.txt';
    const twins: readonly JsonObject[] = [
      { path, target, PATH: '/etc/passwd' },
      { path, target, Path: 'drafts/b.txt' },
      { path, target, 'path ': '/etc/passwd' },
      { path, target, 'pa\u200bth': '/etc/passwd' },
      { path, target, ｐａｔｈ: '/etc/passwd' },
      { path, target: { ...target, Folder: '/etc' } },
      { path, target, TARGET: { folder: '/etc' } },
      { PATH: path, target },
      { path: [path], target },
    ];
    for (const args of twins) {
      const { code } = await call('notes/write', args);
      expect({ args, code }).toEqual({ args, code: NEEDS_APPROVAL });
    }
    expect(arrived()).toBe('');
    expect(await call('notes/write', { path, target, content: 'x' })).toMatchObject({ code: 0 });
    expect(arrived()).toContain('drafts/a.txt');
  },
  240_000,
);

verifies(
  ['attack:9', 'P8'],
  'a denying pattern is not passed by another way to write the same',
  async () => {
    const { call, arrived } = await openWorld(() => [
      { name: 'no secrets', when: { tool: 'notes/*', args: { path: 'secrets/*' } }, then: 'deny' },
      { name: 'all else', when: { tool: 'notes/*' }, then: 'allow' },
    ]);
    const same: readonly JsonObject[] = [
      { path: 'secrets/x' },
      { path: './secrets/x' },
      { path: 'secrets//x' },
      { path: 'a/../secrets/x' },
      { path: '../here/secrets/x' },
      { path: String.raw`secrets\x` },
      { path: 'secrets%2fx' },
      { path: 'SECRETS/x' },
      { path: 'secrets /x' },
      { path: 'se\u0000crets/x' },
      { path: 'ｓecrets/x' },
      { path: '/srv/here/secrets/x' },
      { path: 'file:///srv/secrets/x' },
      { PATH: 'secrets/x' },
      { path: ['secrets/x'] },
      { path: 'drafts/x', Path: 'secrets/x' },
    ];
    for (const args of same) {
      const { code, stderr } = await call('notes/write', args);
      expect({ args, code, stderr }).toMatchObject({
        args,
        code: 1,
        stderr: expect.stringContaining('no secrets'),
      });
    }
    expect(arrived()).toBe('');
    for (const path of ['drafts/x', 'a/b/../c', 'mysecrets/x', 'secretsx']) {
      expect({ path, ...(await call('notes/write', { path })) }).toMatchObject({ path, code: 0 });
    }
  },
  240_000,
);
