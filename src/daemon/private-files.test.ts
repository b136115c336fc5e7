import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startHub, temporaryPaths } from '../../test/contracts/running-hub.ts';
import { recordedHub } from '../../test/contracts/recorded-hub.ts';
import { verifies } from '../../test/requirements.ts';
import { systemIds } from '../base/ids.ts';
import { findPaths } from '../base/paths.ts';
import { hubFiles } from './address.ts';
import { makePrivateFolder, writePrivateFile } from '../base/private-files.ts';
import { openToken, readAddress } from './own-files.ts';

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

verifies(
  ['H1', 'attack:H1'],
  'the socket, the token and the address belong to the user alone, whatever the umask',
  async () => {
    const before = process.umask(0o000);
    onTestFinished(() => void process.umask(before));
    const { address, paths } = await startHub(recordedHub().open);
    const files = hubFiles(paths);
    expect([modeOf(dirname(address.socket)), modeOf(address.socket)]).toEqual(['700', '600']);
    expect([modeOf(files.token), modeOf(files.address)]).toEqual(['600', '600']);
  },
);

verifies(['H1', 'attack:A13'], 'another user of the machine cannot open the socket', async () => {
  const { address, paths } = await startHub(recordedHub().open);
  chmodSync(paths.state, 0o755);
  const open = `require('node:net').connect(${JSON.stringify(address.socket)})
    .once('connect', () => { console.log('connected'); process.exit(); })
    .once('error', (error) => console.log(error.code))`;
  // Only root can become somebody else; for anybody else the modes above are the proof.
  const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { stdout } = spawnSync('node', ['-e', open], { ...other, encoding: 'utf8', cwd: '/' });
  expect(stdout.trim()).toBe('uid' in other ? 'EACCES' : 'connected');
  expect(modeOf(dirname(address.socket))).toBe('700');
});

verifies(
  ['attack:H1'],
  'a planted link in place of the token is refused and what it points to stays untouched',
  async () => {
    const { state } = temporaryPaths();
    const target = join(state, 'precious');
    writeFileSync(target, 'text', { mode: 0o600 });
    symlinkSync(target, join(state, 'hub.token'));
    await expect(openToken(join(state, 'hub.token'))).rejects.toMatchObject({ code: 'denied', owner: 'you' });
    expect(readFileSync(target, 'utf8')).toBe('text');
  },
);

test('a token that others could read is refused; half a token is replaced', async () => {
  const file = join(temporaryPaths().state, 'hub.token');
  writeFileSync(file, 'half', { mode: 0o600 });
  const isToken = await openToken(file);
  const token = readFileSync(file, 'utf8').trim();
  expect([isToken(token), isToken('half'), isToken('')]).toEqual([true, false, false]);
  expect((await openToken(file))(token)).toBe(true);
  chmodSync(file, 0o644);
  await expect(openToken(file)).rejects.toMatchObject({ code: 'denied' });
});

test('a folder that is a link, a file, or somebody else’s is refused', async () => {
  const { state } = temporaryPaths();
  mkdirSync(join(state, 'real'));
  symlinkSync(join(state, 'real'), join(state, 'link'));
  writeFileSync(join(state, 'file'), '');
  await expect(makePrivateFolder(join(state, 'link'))).rejects.toMatchObject({ code: 'denied' });
  await expect(makePrivateFolder(join(state, 'file'))).rejects.toMatchObject({ code: 'denied' });
  // In /proc everything of process 1 is root's; for root it is no folder of a hub either.
  const foreign = process.getuid?.() === 0 ? join(state, 'link') : '/proc/1';
  await expect(makePrivateFolder(foreign)).rejects.toMatchObject({ code: 'denied' });
  await makePrivateFolder(join(state, 'real'));
  expect(modeOf(join(state, 'real'))).toBe('700');
});

test('replacing a file replaces a planted link, not what it points to', async () => {
  const { state } = temporaryPaths();
  writeFileSync(join(state, 'precious'), 'text');
  symlinkSync(join(state, 'precious'), join(state, 'hub.json'));
  await writePrivateFile(join(state, 'hub.json'), '{}', systemIds);
  expect(lstatSync(join(state, 'hub.json')).isSymbolicLink()).toBe(false);
  expect(readFileSync(join(state, 'precious'), 'utf8')).toBe('text');
});

verifies(
  ['H5'],
  'a home whose path is too long for a socket still gets one, in a private folder',
  async () => {
    const { state } = temporaryPaths();
    const long = join(state, 'x'.repeat(120));
    const paths = { config: long, data: long, state: long };
    const { address } = await startHub(recordedHub().open, { paths });
    onTestFinished(() => {
      spawnSync('rmdir', [dirname(address.socket)]);
    });
    expect(Buffer.byteLength(address.socket)).toBeLessThanOrEqual(100);
    expect(address.socket.startsWith(long)).toBe(false);
    expect([modeOf(dirname(address.socket)), modeOf(address.socket)]).toEqual(['700', '600']);
    expect(await readAddress(hubFiles(paths).address)).toEqual(address);
    const other = { ...paths, state: `${long}y` };
    expect(hubFiles(other).socket).not.toBe(address.socket);
  },
);

verifies(['H5'], 'PLUG_HOME holds every file of the hub; without it they are in the state folder', () => {
  const own = findPaths({ env: { PLUG_HOME: '/srv/plug' }, platform: 'linux', home: '/home/ada' });
  for (const file of Object.values(hubFiles(own, 'linux'))) expect(file.startsWith('/srv/plug/')).toBe(true);
  const linux = findPaths({ env: {}, platform: 'linux', home: '/home/ada' });
  expect(hubFiles(linux, 'linux').socket).toBe('/home/ada/.local/state/plugboard/run/hub.sock');
  const mac = findPaths({ env: {}, platform: 'darwin', home: '/Users/ada' });
  expect(hubFiles(mac, 'darwin').log).toBe('/Users/ada/Library/Application Support/Plugboard/hub.log');
});

test('an address file that is not one is as good as none', async () => {
  const file = join(temporaryPaths().state, 'hub.json');
  for (const text of ['', '{', '[]', '{"pid":"1"}']) {
    writeFileSync(file, text, { mode: 0o600 });
    expect(await readAddress(file)).toBeUndefined();
  }
});
