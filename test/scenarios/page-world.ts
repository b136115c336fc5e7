import { mkdirSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import type { RunHubOptions, RunningHub } from '../../src/daemon/run-hub.ts';
import { knock, type Answer, type Knock } from '../contracts/knock.ts';
import { startHub } from '../contracts/running-hub.ts';
import { recordedHub } from '../contracts/recorded-hub.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';

/** What a browser sends after it came in. */
export type Halves = Readonly<Record<'cookie' | 'x-plug-page', string>>;

export interface PageWorld {
  readonly running: RunningHub;
  readonly home: string;
  readonly port: number;
  readonly origin: string;
  readonly authorization: string;
  /** What reached the hub behind the door. */
  readonly reached: string[];
  readonly ask: (given: Knock) => Promise<Answer>;
  readonly askSocket: (given: Knock) => Promise<Answer>;
  /** The token of a new link. */
  readonly token: () => Promise<string>;
  /** What the page does with it. */
  readonly open: (token: string, headers?: OutgoingHttpHeaders) => Promise<Answer>;
  readonly comeIn: () => Promise<Halves>;
}

/** A hub with a small page, on real listeners, that a browser could come to. */
export async function pageWorld(options: Partial<RunHubOptions> = {}): Promise<PageWorld> {
  const recorded = recordedHub();
  const {
    token: secret,
    paths,
    ...running
  } = await startHub(recorded.open, { pageFolder: builtPage(), ...options });
  const { url, socket } = running.address;
  const ask = (given: Knock): Promise<Answer> => knock({ url }, given);
  const askSocket = (given: Knock): Promise<Answer> => knock({ socketPath: socket }, given);
  const token = async (): Promise<string> => {
    const { text } = await askSocket({ method: 'POST', path: '/v1/page/link' });
    const { url: link } = JSON.parse(text) as { url: string }; // the hub's answer to this operation
    return new URL(link).hash.slice('#open='.length);
  };
  const open = (token: string, headers: OutgoingHttpHeaders = {}): Promise<Answer> => {
    const body = JSON.stringify({ token });
    const own = { origin: url, 'content-type': 'application/json', 'content-length': body.length };
    return ask({ method: 'POST', path: '/open', headers: { ...own, ...headers }, body });
  };
  return {
    running,
    home: paths.state,
    port: Number(new URL(url).port),
    origin: url,
    authorization: `Bearer ${secret}`,
    reached: recorded.reached,
    ask,
    askSocket,
    token,
    open,
    comeIn: async () => halvesOf(await open(await token())),
  };
}

export function halvesOf({ status, headers, text }: Answer): Halves {
  expect(status).toBe(200);
  const { key } = JSON.parse(text) as { key: string }; // what the page reads, too
  return { cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '', 'x-plug-page': key };
}

/** Time that a test can let pass. */
export function passingClock(): { readonly clock: Clock; readonly pass: (ms: number) => void } {
  let passed = 0;
  const clock = {
    ...systemClock,
    now: () => systemClock.now() + passed,
    monotonic: () => systemClock.monotonic() + passed,
  };
  return { clock, pass: (ms) => void (passed += ms) };
}

function builtPage(): string {
  const folder = temporaryFolder();
  for (const inner of ['assets', 'app-frame']) mkdirSync(join(folder, inner));
  writeFileSync(join(folder, 'index.html'), '<title>page</title>');
  writeFileSync(join(folder, 'app-frame', 'index.html'), '<title>frame</title>');
  writeFileSync(join(folder, 'assets', 'page-1a2b.js'), 'page');
  return folder;
}
