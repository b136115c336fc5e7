/**
 * Two hosts call the same shared server with the same ids, and every answer must be the caller's own:
 * `node test/gateway-soak.ts 100000` prints what came of it. It needs the built command.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { isObject } from '../src/base/json.ts';
import { HTTP_HEADERS, modernHeaders, type Message, type WireTarget } from './scenarios/gateway-wire.ts';
import { modernParams } from './scenarios/gateway-wire-host.ts';
import { openWireHub, type WireHub } from './scenarios/gateway-wire-hub.ts';
import { bin } from './scenarios/plug-command.ts';

/** Calls that each host has under way at a time. */
const AT_ONCE = 32;
const TOOL = 'shared__echo';

export interface SoakReport {
  readonly calls: number;
  /** Answers that were the caller's own, by their mark. */
  readonly right: number;
  /** Answers with another's mark, or with none: the first few of them. */
  readonly wrong: readonly string[];
  readonly seconds: number;
  readonly hubMb: number;
}

/** Half of the calls number their ids, half give every call the same one. */
export async function soak(hub: WireHub, calls: number): Promise<SoakReport> {
  const started = performance.now();
  const quarter = Math.ceil(calls / 4);
  const counted = (n: number): number => n;
  const always = (): number => 1;
  const tallies = [
    ...(await Promise.all([
      callOverHttp(hub, { marks: 'http-counted', count: quarter, idOf: counted, era: 'modern' }),
      callOverStdio(hub, { marks: 'stdio-counted', count: quarter, idOf: counted, era: 'legacy' }),
    ])),
    ...(await Promise.all([
      callOverHttp(hub, { marks: 'http-always-1', count: quarter, idOf: always, era: 'legacy' }),
      callOverStdio(hub, { marks: 'stdio-always-1', count: quarter, idOf: always, era: 'modern' }),
    ])),
  ];
  return {
    calls: quarter * 4,
    right: tallies.reduce((sum, { right }) => sum + right, 0),
    wrong: tallies.flatMap(({ wrong }) => wrong),
    seconds: Math.round((performance.now() - started) / 100) / 10,
    hubMb: residentMb(hub.pid),
  };
}

interface Load {
  readonly marks: string;
  readonly count: number;
  readonly idOf: (n: number) => number;
  readonly era: 'legacy' | 'modern';
}

/** What came back to one host. */
class Tally {
  right = 0;
  readonly wrong: string[] = [];

  note(isRight: boolean, answer: unknown): void {
    if (isRight) this.right += 1;
    else if (this.wrong.length < 10) this.wrong.push(JSON.stringify(answer).slice(0, 500));
  }
}

/** Each call has its own POST: the answer must have its id and its mark. */
async function callOverHttp(hub: WireHub, { marks, count, idOf, era }: Load): Promise<Tally> {
  const tally = new Tally();
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const session = era === 'legacy' ? await openSession(hub, agent) : {};
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let n = (next += 1); n <= count; n = next += 1) {
      const message = callOf(idOf(n), `${marks} ${n}`, era);
      const headers = era === 'modern' ? modernHeaders(message) : session;
      const { body } = await post(hub, agent, message, headers);
      const answer = JSON.parse(body) as Message; // an answer without notifications is one JSON object
      tally.note(answer['id'] === idOf(n) && textIn(answer) === `${marks} ${n}`, answer);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  } finally {
    agent.destroy();
  }
  return tally;
}

/** All on one stream: with one id for all, an answer must have the mark of a call that is under way. */
async function callOverStdio({ cwd, env }: WireHub, load: Load): Promise<Tally> {
  const { marks, count, idOf, era } = load;
  const child = spawn(process.execPath, [bin, 'gateway', '--mode', 'all'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const tally = new Tally();
  const waiting = new Map<string, number>();
  const finished = Promise.withResolvers<void>();
  let next = 0;
  const send = (message: Message): unknown => child.stdin.write(`${JSON.stringify(message)}\n`);
  const callNext = (): void => {
    next += 1;
    if (next > count) return waiting.size === 0 ? finished.resolve() : undefined;
    waiting.set(`${marks} ${next}`, idOf(next));
    send(callOf(idOf(next), `${marks} ${next}`, era));
  };
  const begin = (): void => {
    for (let lane = 0; lane < AT_ONCE; lane += 1) callNext();
  };
  const take = (message: Message): void => {
    if (message['method'] !== undefined) return;
    if (message['id'] === HELLO['id']) return begin();
    const mark = textIn(message);
    tally.note(waiting.get(mark) === message['id'], message);
    // A wrong answer stands for a right one that is missing: the run goes on to its end all the same.
    waiting.delete(waiting.has(mark) ? mark : (waiting.keys().next().value ?? ''));
    callNext();
  };
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(JSON.parse(line) as Message); // the gateway writes nothing else
  });
  if (era === 'legacy') send(HELLO);
  else begin();
  await finished.promise;
  child.stdin.end();
  await once(child, 'exit');
  return tally;
}

const HELLO: Message = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'soak', version: '1' },
  },
};

function callOf(id: number, message: string, era: Load['era']): Message {
  const params = { name: TOOL, arguments: { message } };
  return {
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: era === 'modern' ? modernParams(params, {}) : params,
  };
}

function textIn({ result }: Message): string {
  const content = isObject(result) ? (result['content'] as { readonly text?: string }[] | undefined) : []; // as specified
  return content?.[0]?.text ?? '';
}

async function openSession(target: WireTarget, agent: Agent): Promise<Record<string, string>> {
  const { session } = await post(target, agent, HELLO, {});
  return { 'mcp-session-id': session };
}

function post(
  { url, bearer }: WireTarget,
  agent: Agent,
  message: Message,
  headers: Record<string, string>,
): Promise<{ readonly body: string; readonly session: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/mcp?mode=all`,
      { method: 'POST', agent, headers: { ...HTTP_HEADERS, authorization: bearer, ...headers } },
      (response) => {
        let body = '';
        const session = String(response.headers['mcp-session-id']);
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
        response.on('end', () => resolve({ body, session }));
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(message));
  });
}

function residentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

if (import.meta.main) {
  const hub = await openWireHub({ shared: 'dual' });
  try {
    console.log(JSON.stringify(await soak(hub, Number(process.argv[2] ?? 100_000))));
  } finally {
    await hub.close();
  }
}
