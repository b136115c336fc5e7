import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCache } from '../suite/compile-cache.ts';
import { quietHub } from '../suite/quiet-hub.ts';
import { openWireHost, type Era, type WireHost, type WireHostOptions } from './gateway-wire-host.ts';
import type { WireKind, WireTarget } from './gateway-wire.ts';
import { answerOf, bin, endHub, fixtureCommand } from './plug-command.ts';

/** A real hub that several tests of a file share: starting one takes longer than using it. */
export interface WireHub extends WireTarget {
  readonly pid: number;
  /** Anything below it goes with it. */
  readonly folder: string;
  /** The answer to --json, which must have succeeded. */
  json(...argv: readonly string[]): Promise<Record<string, unknown>>;
  /** Opens a host, which ends with the hub. */
  host(era: Era, kind: WireKind, options?: WireHostOptions): Promise<WireHost>;
  /** Stops the hub; throws when a process of it is left. */
  close(): Promise<void>;
}

/** Starts a hub with these servers: fixtures by their behavior, or addresses. Calls run unasked. */
export async function openWireHub(servers: Readonly<Record<string, string>>): Promise<WireHub> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wires-')));
  const cwd = `${folder}/project`;
  const plugHome = `${folder}/plug`;
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    PLUG_HOME: plugHome,
    ...compileCache,
    ...quietHub,
  };
  for (const each of [cwd, plugHome]) mkdirSync(each, { mode: 0o700 });
  const call = { read: 'allow', write: 'allow', unknown: 'allow' };
  const rules = { defaults: { call }, secretsInResults: 'keep' };
  writeFileSync(`${plugHome}/rules.json`, JSON.stringify(rules), { mode: 0o600 });
  const json = async (...argv: readonly string[]): Promise<Record<string, unknown>> => {
    const child = spawn(process.execPath, [bin, '--json', ...argv], { cwd, env });
    child.stdin.end();
    const { code, stdout, stderr } = await answerOf(child);
    if (code !== 0) throw new Error(`plug ${argv.join(' ')} failed: ${stdout}${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>; // every document is an object
  };
  for (const [id, server] of Object.entries(servers)) {
    const where = server.startsWith('http') ? [server, '--yes'] : ['--yes', '--', ...fixtureCommand(server)];
    await json('add', id, ...where);
  }
  const status = await json('hub', 'start');
  const pid = Number(status['pid']);
  const target: WireTarget = {
    url: String(status['url']),
    bearer: `Bearer ${String((await json('host', 'add', 'wire'))['token'])}`,
    cwd,
    env,
  };
  const hosts: WireHost[] = [];
  return {
    ...target,
    pid,
    folder,
    json,
    host: async (era, kind, options) => {
      const host = await openWireHost(target, era, kind, options);
      hosts.push(host);
      return host;
    },
    close: async () => {
      for (const { wire } of hosts) await wire.kill();
      await endHub({ env, cwd }).finally(() => rmSync(folder, { recursive: true, force: true }));
    },
  };
}
