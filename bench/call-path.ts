import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startOurGateway } from './gateway-ours.ts';
import { temporaryHome } from './product.ts';

/**
 * `node bench/call-path.ts`: the files of one modern `tools/call` over HTTP, in a hub that runs its sources,
 * as in the product many are joined into one; after warm-up. A hop is a file that stands on the stack, with what it awaits, when bytes are written (to the
 * server's pipe, and to the host's socket) or a message is parsed. Beside them, all files of which V8
 * counted a function call in most samples, which leaves timers out.
 */
const WARM_UP_CALLS = 3_000;
const SAMPLES = 20;

using home = temporaryHome();
const port = await freePort();
const sources = fileURLToPath(new URL('../src/bin.ts', import.meta.url));
await using ours = await startOurGateway(join(home.path, 'plug'), [`--inspect=127.0.0.1:${port}`], sources);
const inspector = await openInspector(port);
const [lane] = await ours.http.lanes(1);
if (!lane) throw new Error('The gateway has no lane.');
let id = 0;
for (; id < WARM_UP_CALLS; id += 1) await lane.call(id);
const used = await usedFiles();
const hops = await hopFiles();
for (const file of [...hops].toSorted()) console.log(file);
console.log(`${hops.size} hops; beside them, called on the way:`);
for (const file of [...used].toSorted()) if (!hops.has(file)) console.log(`  ${file}`);
console.log(`${used.size} files in all`);
inspector.close();

async function usedFiles(): Promise<ReadonlySet<string>> {
  await inspector.ask('Profiler.enable');
  await inspector.ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  for (let count = 0; count < SAMPLES; count += 1) await lane?.call((id += 1));
  const seen = new Map<string, number>();
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    await inspector.ask('Profiler.takePreciseCoverage');
    await lane?.call((id += 1));
    const { result } = (await inspector.ask('Profiler.takePreciseCoverage')) as Coverage; // as the protocol says
    for (const { url, functions } of result) {
      const file = productFile(url);
      const ran = functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
      if (ran && file !== undefined) seen.set(file, (seen.get(file) ?? 0) + 1);
    }
  }
  await inspector.ask('Profiler.disable');
  return new Set([...seen].filter(([, samples]) => samples > SAMPLES / 2).map(([file]) => file));
}

async function hopFiles(): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  const scripts = new Map<string, string>();
  inspector.on('Debugger.scriptParsed', (told) => {
    const { scriptId, url } = told as Script; // as the protocol says
    scripts.set(scriptId, url);
  });
  inspector.on('Debugger.paused', (told) => {
    const { callFrames, asyncStackTrace } = told as Paused; // as the protocol says
    for (const { location } of callFrames) add(scripts.get(location.scriptId) ?? '');
    for (let stack = asyncStackTrace; stack; stack = stack.parent) {
      for (const { url } of stack.callFrames) add(url);
    }
    void inspector.ask('Debugger.resume');
  });
  const add = (url: string): void => {
    const file = productFile(url);
    if (file !== undefined) files.add(file);
  };
  await inspector.ask('Debugger.enable');
  await inspector.ask('Debugger.setAsyncCallStackDepth', { maxDepth: 1_000 });
  for (const expression of ["process.getBuiltinModule('node:net').Socket.prototype.write", 'JSON.parse']) {
    const { result } = (await inspector.ask('Runtime.evaluate', { expression })) as {
      readonly result: { readonly objectId: string };
    };
    await inspector.ask('Debugger.setBreakpointOnFunctionCall', { objectId: result.objectId });
  }
  await lane?.call((id += 1));
  files.clear();
  await lane?.call((id += 1));
  return files;
}

function productFile(url: string): string | undefined {
  return /\/src\/(.+)\.ts$/.exec(url)?.[1];
}

interface Script {
  readonly scriptId: string;
  readonly url: string;
}

interface Frames {
  readonly callFrames: readonly { readonly url: string }[];
  readonly parent?: Frames;
}

interface Paused {
  readonly callFrames: readonly { readonly location: { readonly scriptId: string } }[];
  readonly asyncStackTrace?: Frames;
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly method?: string;
  readonly params?: unknown;
}

interface Inspector {
  ask(method: string, params?: object): Promise<unknown>;
  on(event: string, listen: (told: unknown) => void): void;
  close(): void;
}

async function openInspector(at: number): Promise<Inspector> {
  const list = await fetch(`http://127.0.0.1:${at}/json/list`);
  const [target] = (await list.json()) as readonly { readonly webSocketDebuggerUrl: string }[]; // as the protocol says
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  const waiting = new Map<number, (result: unknown) => void>();
  const listeners = new Map<string, (told: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id: answered, result, method = '', params } = JSON.parse(String(data)) as Message; // as the protocol says
    if (answered === undefined) listeners.get(method)?.(params);
    else waiting.get(answered)?.(result);
  });
  let count = 0;
  return {
    ask: (method, params = {}) => {
      count += 1;
      socket.send(JSON.stringify({ id: count, method, params }));
      return new Promise((resolve) => waiting.set(count, resolve));
    },
    on: (event, listen) => void listeners.set(event, listen),
    close: () => socket.close(),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
