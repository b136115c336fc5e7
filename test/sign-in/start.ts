import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programFile } from '../suite/program-file.ts';
import type { AuthorizationStats } from './authorization-server.ts';
import type { SeenRequest } from './protected-server.ts';

export interface Program extends AsyncDisposable {
  readonly url: string;
  readonly origin: string;
  post(path: string): Promise<Response>;
}

export interface AuthorizationFixture extends Program {
  stats(): Promise<AuthorizationStats>;
  /** How many requests of this grant succeeded and failed. */
  grants(grant: string): Promise<{ readonly good: number; readonly bad: number }>;
}

export interface ProtectedFixture extends Program {
  seen(): Promise<readonly SeenRequest[]>;
}

export type ProgramParams = Readonly<Record<string, string | number>>;

export async function startAuthorizationServer(params: ProgramParams = {}): Promise<AuthorizationFixture> {
  const program = await start('sign-in/authorization-server', params);
  const stats = async (): Promise<AuthorizationStats> =>
    (await (await fetch(`${program.origin}/_stats`)).json()) as AuthorizationStats; // its own words
  const grants = async (grant: string): Promise<{ good: number; bad: number }> => {
    const own = (await stats()).tokens.filter((request) => request.grant === grant);
    const good = own.filter(({ status }) => status === 200).length;
    return { good, bad: own.length - good };
  };
  return { ...program, stats, grants };
}

export async function startProtectedServer(params: ProgramParams): Promise<ProtectedFixture> {
  const program = await start('sign-in/protected-server', params);
  return {
    ...program,
    seen: async () => (await (await fetch(`${program.origin}/_seen`)).json()) as readonly SeenRequest[],
  };
}

/** Starts a fixture of this folder; it ends with its pipe, so that a killed run leaves nothing behind. */
async function start(name: Parameters<typeof programFile>[0], params: ProgramParams): Promise<Program> {
  const words = Object.entries(params).map(([key, value]) => `${key}=${value}`);
  const child = spawn(process.execPath, [programFile(name), ...words], { stdio: 'pipe' });
  const exited = once(child, 'close');
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr = (stderr + chunk).slice(-10_000);
  });
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    once(lines, 'line').then(([first]) => String(first)),
    exited.then(([code]) => Promise.reject(new Error(`${name} exited with ${String(code)}: ${stderr}`))),
  ]);
  const { url } = JSON.parse(line) as { url: string }; // the fixtures print just this
  const { origin } = new URL(url);
  return {
    url,
    origin,
    post: (path) => fetch(`${origin}${path}`, { method: 'POST' }),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
}
