import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'vitest';
import { verifies } from '../requirements.ts';

/** The user “nobody” of every Linux: not ours, and not root. */
const NOBODY = 65_534;

/**
 * Verifies something against a real second user of this machine. Only root can become another user, so
 * anywhere else the title of the skipped test says that it was not tried.
 */
export function verifiesAgainstAnotherUser(
  ...[ids, promise, prove, timeoutMs]: Parameters<typeof verifies>
): void {
  if (process.platform === 'linux' && process.getuid?.() === 0) verifies(ids, promise, prove, timeoutMs);
  else test.skip(`NOT TRIED, because only root on Linux can become another user: ${promise}`, prove);
}

/** Starts a script as another user, with nothing of ours but the program that runs it. */
export function startAsAnotherUser(script: string, ...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '--eval', script, ...args], {
    uid: NOBODY,
    gid: NOBODY,
    cwd: '/',
    env: {},
  });
}

/** Runs a script as another user until it ends, and answers the JSON that it printed. */
export async function runAsAnotherUser<T>(script: string, ...args: readonly string[]): Promise<T> {
  const child = startAsAnotherUser(script, ...args);
  const written = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The other user's script ended with ${code}: ${written.stderr}`);
  return JSON.parse(written.stdout) as T; // the scripts print what their callers say
}

/** Sends one request from an address of the sender's choice: `{ status, cookie, text }`. */
export const REQUEST = `
import { request } from 'node:http';
const { port, from, family, to, method = 'GET', path, headers = {}, body } = JSON.parse(process.argv[1]);
const options = { host: to ?? '127.0.0.1', port, family, localAddress: from, method, path, headers, agent: false };
const sent = request(options, (answer) => {
  let text = '';
  answer.on('data', (chunk) => (text += chunk));
  answer.on('end', () => console.log(JSON.stringify({
    uid: process.getuid(), status: answer.statusCode, cookie: answer.headers['set-cookie'] ?? null, text,
  })));
});
sent.on('error', (error) => console.log(JSON.stringify({ uid: process.getuid(), status: 0, cookie: null, text: error.message })));
sent.end(body);
`;

/** Gathers every command line of this machine until its input ends, then prints all of them. */
export const WATCH_COMMANDS = `
import { readdirSync, readFileSync } from 'node:fs';
const seen = new Set();
let done = false;
process.stdin.on('end', () => { done = true; }).resume();
console.error('watching');
const look = () => {
  for (const name of readdirSync('/proc')) {
    if (!/^\\d+$/.test(name)) continue;
    try { seen.add(readFileSync('/proc/' + name + '/cmdline', 'latin1')); } catch {}
  }
  if (done) console.log(JSON.stringify([...seen]));
  else setImmediate(look);
};
look();
`;

/** Tries to read files, and prints what came of each. */
export const READ_FILES = `
import { readFileSync } from 'node:fs';
console.log(JSON.stringify(process.argv.slice(1).map((file) => {
  try { return readFileSync(file, 'utf8'); } catch (error) { return error.code; }
})));
`;
