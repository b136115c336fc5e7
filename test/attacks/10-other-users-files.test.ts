import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { answerOf, bin, type Answer } from '../scenarios/plug-command.ts';

const LONG_MS = 120_000;
/** Two users of this machine, neither of them root. */
const VICTIM = 65_534;
const ATTACKER = 65_533;

interface World {
  /** The victim's own home, mode 0700. */
  readonly home: string;
  /** The Plugboard folder, as the test has laid it out. */
  readonly plugHome: string;
  readonly plug: (...argv: readonly string[]) => Promise<Answer>;
  /** Whether a server of the attacker's has run. */
  readonly hasRun: () => boolean;
  readonly servers: object;
}

/** Only root can hand a file to another user, and run a program as one. */
function mayTry(): boolean {
  if (process.getuid?.() === 0) return true;
  console.warn('NOT TRIED: files of another user. Only root can make them: run this test as root.');
  expect(process.getuid?.()).not.toBe(0);
  return false;
}

/** The real `plug`, run by the victim. The hub that it may have started is stopped at the end. */
function newWorld(env: Readonly<Record<string, string>> = {}, uid = VICTIM): World {
  const top = mkdtempSync(join(tmpdir(), 'users-'));
  chmodSync(top, 0o755);
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const home = join(top, 'home');
  mkdirSync(home, { mode: 0o700 });
  chownSync(home, uid, uid);
  const open = join(top, 'markers'); // both users can write here
  mkdirSync(open);
  chmodSync(open, 0o777);
  const plugHome = join(top, 'plug');
  const own = { PATH: process.env['PATH'], HOME: home, PLUG_HOME: plugHome, PLUG_NO_KEYRING: '1', ...env };
  const begin = (argv: readonly string[], more: object = {}): Promise<Answer> =>
    answerOf(
      spawn(process.execPath, [bin, ...argv], {
        cwd: '/',
        env: { ...own, ...more },
        uid,
        gid: uid,
        stdio: 'pipe',
      }),
    );
  onTestFinished(async () => {
    // A folder that is refused has no hub either; then there is nothing to stop.
    await begin(['hub', 'stop']);
  });
  const program = `require('node:fs').writeFileSync(${JSON.stringify(join(open, 'ran'))}, String(process.getuid()))`;
  const evil = { command: process.execPath, args: ['-e', program], keepAlive: true };
  return {
    home,
    plugHome,
    plug: (...argv) => begin(argv),
    hasRun: () => existsSync(join(open, 'ran')),
    servers: { mcpServers: { evil } },
  };
}

function folder(path: string, uid: number, mode: number): string {
  mkdirSync(path, { recursive: true });
  chownSync(path, uid, uid);
  chmodSync(path, mode);
  return path;
}

function file(path: string, content: object, { uid, mode }: { uid: number; mode: number }): string {
  writeFileSync(path, JSON.stringify(content));
  chownSync(path, uid, uid);
  chmodSync(path, mode);
  return path;
}

const ALLOW_ALL = { defaults: { call: { read: 'allow', write: 'allow', unknown: 'allow' } } };

/** Every way to get a server going; none may. */
async function tryAll({ plug }: World): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const argv of [['list'], ['call', 'evil/x'], ['wait', '--timeout', '5'], ['rules']]) {
    answers.push(await plug(...argv));
  }
  return answers;
}

async function expectRefused(world: World, path: string, says: RegExp): Promise<void> {
  for (const { code, stderr } of await tryAll(world)) {
    expect(code).not.toBe(0);
    expect(stderr).toContain(path);
    expect(stderr).toMatch(says);
    expect(stderr).toMatch(/next/);
  }
  expect(world.hasRun()).toBe(false);
}

verifies(
  ['attack:10', 'S1'],
  'a Plugboard folder of another user is not obeyed: no server of it runs, and the message names it',
  async () => {
    if (!mayTry()) return;
    for (const mode of [0o777, 0o755]) {
      const world = newWorld();
      folder(world.plugHome, ATTACKER, mode);
      file(join(world.plugHome, 'mcp.json'), world.servers, { uid: ATTACKER, mode: 0o644 });
      file(join(world.plugHome, 'rules.json'), ALLOW_ALL, { uid: ATTACKER, mode: 0o644 });
      await expectRefused(world, world.plugHome, /belongs to another user/);
      // Nothing of ours is written there either.
      expect(readdirSync(world.plugHome).toSorted()).toEqual(['mcp.json', 'rules.json']);
    }
  },
  LONG_MS,
);

verifies(
  ['attack:10', 'H1'],
  'a folder of yours that others can write is refused with the command that closes it, and doctor fails',
  async () => {
    if (!mayTry()) return;
    const world = newWorld();
    folder(world.plugHome, VICTIM, 0o777);
    file(join(world.plugHome, 'mcp.json'), world.servers, { uid: VICTIM, mode: 0o644 });
    await expectRefused(world, world.plugHome, /other users can write/i);
    expect((await world.plug('list')).stderr).toContain(`chmod 700 ${world.plugHome}`);
    const doctor = await world.plug('doctor');
    expect(doctor.code).not.toBe(0);
    expect(doctor.stdout).toMatch(/FAIL.*\n?.*other users can write/i);
    expect(doctor.stdout).toContain(world.plugHome);
    expect(world.hasRun()).toBe(false);
  },
  LONG_MS,
);

verifies(
  ['attack:10', 'L5'],
  'a folder that only another user may enter is named, with a next step',
  async () => {
    if (!mayTry()) return;
    const world = newWorld();
    folder(world.plugHome, 0, 0o700); // an administrator's, which is no attack
    const listed = await world.plug('list');
    expect(listed).toMatchObject({ stdout: '' });
    expect(listed.code).not.toBe(0);
    expect(listed.stderr).toContain(world.plugHome);
    expect(listed.stderr).toMatch(/belongs to another user/);
    expect(listed.stderr).toMatch(/next +.*PLUG_HOME/);
  },
  LONG_MS,
);

verifies(
  ['attack:10', 'S1'],
  'single files of another user in a folder of yours are refused: servers, rules, settings, registries, lock',
  async () => {
    if (!mayTry()) return;
    for (const name of ['mcp.json', 'rules.json', 'settings.json', 'registries.json', 'hub.lock']) {
      const world = newWorld();
      folder(world.plugHome, VICTIM, 0o700);
      const content = name === 'mcp.json' ? world.servers : name === 'rules.json' ? ALLOW_ALL : {};
      const path = file(join(world.plugHome, name), content, { uid: ATTACKER, mode: 0o644 });
      const listed = await world.plug('list');
      expect({ name, code: listed.code }).not.toEqual({ name, code: 0 });
      expect(listed.stderr).toContain(path);
      expect(listed.stderr).toMatch(/belongs to another user/);
      await world.plug('call', 'evil/x');
      expect(world.hasRun()).toBe(false);
    }
  },
  LONG_MS,
);

verifies(
  ['attack:10', 'S1'],
  'a folder above that others can write, and links that lead to or come from another user, are refused',
  async () => {
    if (!mayTry()) return;
    // Whoever can write the folder above can put another one in its place.
    const open = newWorld();
    const parent = folder(`${open.plugHome}-parent`, VICTIM, 0o777);
    folder(join(parent, 'plug'), VICTIM, 0o700);
    file(join(parent, 'plug', 'mcp.json'), open.servers, { uid: VICTIM, mode: 0o600 });
    symlinkSync(join(parent, 'plug'), open.plugHome);
    lchownSync(open.plugHome, VICTIM, VICTIM);
    await expectRefused(open, parent, /other users can write/i);

    const theirs = newWorld();
    const elsewhere = folder(`${theirs.plugHome}-theirs`, ATTACKER, 0o755);
    file(join(elsewhere, 'mcp.json'), theirs.servers, { uid: ATTACKER, mode: 0o644 });
    symlinkSync(elsewhere, theirs.plugHome);
    lchownSync(theirs.plugHome, VICTIM, VICTIM);
    await expectRefused(theirs, elsewhere, /belongs to another user/);

    const link = newWorld();
    const mine = folder(`${link.plugHome}-mine`, VICTIM, 0o700);
    file(join(mine, 'mcp.json'), link.servers, { uid: VICTIM, mode: 0o600 });
    symlinkSync(mine, link.plugHome);
    lchownSync(link.plugHome, ATTACKER, ATTACKER);
    await expectRefused(link, link.plugHome, /belongs to another user/);
  },
  LONG_MS,
);

verifies(
  ['attack:10', 'S2'],
  'the file in PLUG_MCP_CONFIG counts only if nobody else could have written it',
  async () => {
    if (!mayTry()) return;
    for (const [uid, mode, says] of [
      [ATTACKER, 0o644, /belongs to another user/],
      [VICTIM, 0o666, /other users can write/i],
    ] as const) {
      const config = join(mkdtempSync(join(tmpdir(), 'users-config-')), 'servers.json');
      chmodSync(join(config, '..'), 0o755);
      onTestFinished(() => rmSync(join(config, '..'), { recursive: true, force: true }));
      const world = newWorld({ PLUG_MCP_CONFIG: config });
      folder(world.plugHome, VICTIM, 0o700);
      file(config, world.servers, { uid, mode });
      const listed = await world.plug('list');
      expect(listed.stdout + listed.stderr).toContain(config);
      expect(listed.stdout + listed.stderr).toMatch(says);
      await world.plug('call', 'evil/x');
      await world.plug('wait', '--timeout', '5');
      expect(world.hasRun()).toBe(false);
    }
  },
  LONG_MS,
);

verifies(
  ['attack:10', 'S1'],
  'root does not obey the folder of the user whose home it was given',
  async () => {
    if (!mayTry()) return;
    const world = newWorld({}, 0);
    folder(world.plugHome, ATTACKER, 0o700);
    file(join(world.plugHome, 'mcp.json'), world.servers, { uid: ATTACKER, mode: 0o600 });
    await expectRefused(world, world.plugHome, /belongs to another user.*root/s);
  },
  LONG_MS,
);

verifies(
  ['attack:10'],
  'a socket that another user laid out in the folder for temporary files is not spoken to',
  async () => {
    if (!mayTry()) return;
    const world = newWorld({ PLUG_HOME: '' });
    // A long path makes the socket stand under the temporary folder.
    const state = join(world.home, 'x'.repeat(60), 'y'.repeat(60));
    folder(join(world.home, 'x'.repeat(60)), VICTIM, 0o700);
    folder(state, VICTIM, 0o700);
    const hash = createHash('sha256').update(join(state, 'plugboard')).digest('hex').slice(0, 24);
    const far = folder(join(tmpdir(), `plugboard-${hash}`), ATTACKER, 0o755);
    onTestFinished(() => rmSync(far, { recursive: true, force: true }));
    let visits = 0;
    const trap = createServer((socket) => {
      visits += 1;
      socket.on('error', () => undefined);
      socket.end();
    });
    trap.listen(join(far, 'hub.sock'));
    await once(trap, 'listening');
    onTestFinished(() => void trap.close());
    chmodSync(join(far, 'hub.sock'), 0o777);
    const answer = await answerOf(
      spawn(process.execPath, [bin, 'list'], {
        cwd: '/',
        env: { PATH: process.env['PATH'], HOME: world.home, XDG_STATE_HOME: state, TMPDIR: tmpdir() },
        uid: VICTIM,
        gid: VICTIM,
      }),
    );
    expect(visits).toBe(0);
    expect(answer.code).not.toBe(0);
    expect(answer.stderr).toContain(far);
  },
  LONG_MS,
);

verifies(
  ['attack:10', 'S1'],
  'a folder of yours that others can only read works, and becomes yours alone; so does the lock',
  async () => {
    if (!mayTry()) return;
    const world = newWorld();
    folder(world.plugHome, VICTIM, 0o755);
    const listed = await world.plug('list');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(statSync(world.plugHome).mode & 0o777).toBe(0o700);
    const lock = statSync(join(world.plugHome, 'hub.lock'));
    expect([lock.mode & 0o777, lock.uid]).toEqual([0o600, VICTIM]);
  },
  LONG_MS,
);
