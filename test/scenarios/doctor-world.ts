import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { DoctorReport, DoctorRow, Hub } from '../../src/hub/hub.ts';
import { openHub } from '../../src/hub/open-hub.ts';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';

/** A person's machine, as far as a doctor looks at it: a home, a project and Plugboard's folder. */
export interface Machine {
  readonly home: string;
  readonly project: string;
  /** Where Plugboard keeps everything. */
  readonly own: string;
  /** A folder of the hub's PATH. */
  readonly bin: string;
  /** Writes a file, and makes its folders. */
  readonly write: (file: string, content: string | JsonObject, mode?: number) => string;
  readonly open: (env?: Readonly<Record<string, string>>, more?: { readonly clock?: Clock }) => Promise<Hub>;
}

export function newMachine(): Machine {
  const home = temporaryFolder();
  const [own, project, bin] = [join(home, 'plug'), join(home, 'project'), join(home, 'tools')];
  for (const folder of [own, project, bin]) mkdirSync(folder, { mode: 0o700 });
  // Other clients' files are looked for in the home of the person.
  vi.stubEnv('HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const write: Machine['write'] = (file, content, mode = 0o600) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
    chmodSync(file, mode);
    return file;
  };
  const open: Machine['open'] = async (env = {}, { clock } = {}) => {
    const hub = await openHub({
      paths: { config: own, data: own, state: own },
      cwd: project,
      env: {
        PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
        PLUG_NO_KEYRING: '1',
        HOME: home,
        ...env,
      },
      version: '1.0.0',
      ...(clock ? { clock } : {}),
      // One try each: what is looked for is the cause, not the patience.
      limits: { startTimeoutMs: 15_000 },
    });
    onTestFinished(() => hub.close());
    return hub;
  };
  return { home, project, own, bin, write, open };
}

/** A server that is saved as it is, whether it works or not; then it is tried. */
export async function started(
  hub: Hub,
  id: string,
  words: readonly string[],
  more: Partial<ServerDefinition> = {},
): Promise<void> {
  const [command = '', ...args] = words;
  await hub.servers.apply({
    definitions: [defineServer({ id, endpoint: { kind: 'stdio', command, args, env: {} }, ...more })],
  });
  await Promise.allSettled([hub.servers.start({ id })]);
}

/** A program of Node's, in one line. */
export function program(text: string): readonly string[] {
  return [process.execPath, '-e', text];
}

/** What is not well. */
export function complaints({ rows }: DoctorReport): readonly DoctorRow[] {
  return rows.filter(({ status }) => status === 'fail' || status === 'warn');
}
