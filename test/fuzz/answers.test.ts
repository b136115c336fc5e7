import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import { verifies } from '../requirements.ts';
import { textIn, type WireHost } from '../scenarios/gateway-wire-host.ts';
import { openWireHub, type WireHub } from '../scenarios/gateway-wire-hub.ts';
import { isAlive } from '../scenarios/plug-command.ts';
import { answerTo, ID } from './answering-server.ts';
import { argumentsFor, fuzzedAnswers, type FuzzedAnswer } from './answers.ts';
import { RUNS, throughAll } from './inputs.ts';

/** Some of them wait for the limit of time, so with every test there are fewer. */
const ANSWERS = RUNS < 20_000 ? RUNS / 4 : RUNS;
const LONG_MS = 60_000 + ANSWERS * 60;
/** How long the hub waits for a server that says nothing. */
const CALL_MS = 500;
/** Servers that end are started again only a few times, so there are some of them. */
const ENDS = Math.min(Math.ceil(ANSWERS / 60), 40);
const ENDS_PER_SERVER = 4;
const program = fileURLToPath(new URL('answering-server.ts', import.meta.url));

const web = createServer((request, response) => void answerRequest(request, response));
let hub: WireHub;

beforeAll(async () => {
  await once(web.listen(0, '127.0.0.1'), 'listening');
  const { port } = web.address() as AddressInfo; // it listens
  hub = await openWireHub({});
  const local = { command: process.execPath, args: [program], timeouts: { callMs: CALL_MS } };
  const ending = Array.from({ length: Math.ceil(ENDS / ENDS_PER_SERVER) }, (_, at) => [
    `ending-${at}`,
    { ...local, args: [program, String(at)] },
  ]);
  const remote = (path: string): object => ({
    url: `http://127.0.0.1:${port}/${path}`,
    timeouts: { callMs: CALL_MS },
  });
  const mcpServers = {
    pipe: local,
    'modern-pipe': { ...local, args: [program, 'modern'] },
    web: remote('legacy'),
    'modern-web': remote('modern'),
    ...Object.fromEntries(ending),
  };
  writeFileSync(`${hub.folder}/plug/mcp.json`, JSON.stringify({ mcpServers }), { mode: 0o600 });
}, LONG_MS);
afterAll(async () => {
  await hub.close();
  web.close().closeAllConnections();
}, LONG_MS);

async function answerRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const written = answerTo(body, request.url === '/modern' ? 'modern' : 'legacy');
  if (!written) return void response.writeHead(202).end();
  const { messages, end, status, type } = written;
  const isStream = type === 'text/event-stream';
  const parts = messages.map((each) =>
    isStream ? Buffer.concat([DATA, each, EVENT_END]) : Buffer.concat([each, NEWLINE]),
  );
  const whole = Buffer.concat(isStream ? parts : parts.slice(-1));
  response.writeHead(status, { 'content-type': type });
  if (end === 'whole') return void response.end(whole);
  response.write(whole.subarray(0, whole.length / 2), () => void response.destroy());
}

const DATA = Buffer.from('data: ');
const EVENT_END = Buffer.from('\n\n');
const NEWLINE = Buffer.from('\n');

/** How the calls of one run ended. */
interface Ends {
  results: number;
  errors: number;
  /** Results that asked the host something; the answer to that is counted only if it is an error. */
  rounds: number;
}

/** Resolves when the host has an answer, whatever it is. Anything but an answer rejects. */
async function callToTheEnd(host: WireHost, server: string, answer: FuzzedAnswer, ends: Ends): Promise<void> {
  try {
    const params = { name: `${server}__${answer.tool}`, arguments: argumentsFor(answer) };
    const { resultType, requestState, inputRequests } = await host.request('tools/call', params);
    ends.results += 1;
    if (resultType !== 'input_required') return;
    ends.rounds += 1;
    const keys = isObject(inputRequests) ? Object.keys(inputRequests) : [];
    const inputResponses = Object.fromEntries(keys.map((key) => [key, { action: 'cancel' }]));
    await host.request('tools/call', { ...params, requestState, inputResponses });
  } catch (error) {
    // Only an answer has a code: a link that broke has none.
    expect(error).toMatchObject({ code: expect.any(Number) });
    ends.errors += 1;
  }
}

const SERVERS = ['pipe', 'modern-pipe', 'web', 'modern-web'] as const;

async function checkSame(hosts: readonly WireHost[], servers: readonly string[]): Promise<void> {
  expect(isAlive(hub.pid)).toBe(true);
  const file = `${hub.folder}/plug/hub.log`;
  const log = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  expect(log.filter((line) => /unexpected failure|crashed/.test(line))).toEqual([]);
  for (const host of hosts) {
    for (const server of servers) expect(textIn(await host.call(`${server}__good`))).toBe('good');
  }
}

verifies(
  ['attack:fuzz', 'attack:16', 'G1', 'C6'],
  `${ANSWERS} random answers of servers, over pipes and over HTTP, end their own calls and nothing else`,
  async () => {
    const hosts = await Promise.all([
      hub.host('legacy', 'http'),
      hub.host('modern', 'http'),
      hub.host('legacy', 'stdio'),
      hub.host('modern', 'stdio'),
    ]);
    const ends: Ends = { results: 0, errors: 0, rounds: 0 };
    const lane = fc.tuple(fc.nat(hosts.length - 1), fc.constantFrom(...SERVERS), fuzzedAnswers);
    const run = ([at, server, answer]: readonly [number, string, FuzzedAnswer]): Promise<void> =>
      callToTheEnd(hosts[at] as WireHost, server, answer, ends); // an index of them
    await throughAll(lane, run, ANSWERS);
    expect(ends.results + ends.errors).toBeGreaterThanOrEqual(ANSWERS);
    expect(Math.min(ends.results, ends.errors)).toBeGreaterThan(ANSWERS / 20);
    await checkSame(hosts, SERVERS);
    console.info(
      `${ends.results} calls ended with a result, ${ends.rounds} of them a question, ${ends.errors} with an error.`,
    );
  },
  LONG_MS,
);

verifies(
  ['attack:fuzz', 'C6', 'C8'],
  'a server that ends in the middle of an answer ends its calls, and no other server notices',
  async () => {
    const host = await hub.host('modern', 'http');
    const answers = fc.sample(fuzzedAnswers, { numRuns: ENDS, seed: ENDS });
    const ends: Ends = { results: 0, errors: 0, rounds: 0 };
    await Promise.all(
      answers.map(async (answer, at) => {
        const server = `ending-${Math.floor(at / ENDS_PER_SERVER)}`;
        await callToTheEnd(host, server, { ...answer, end: 'exit' }, ends);
      }),
    );
    expect(ends.results + ends.errors).toBeGreaterThanOrEqual(ENDS);
    await checkSame([host], SERVERS);
  },
  LONG_MS,
);

verifies(
  ['attack:fuzz', 'G2'],
  'a legacy server cannot pass its result off as a question or a task of the modern era',
  async () => {
    const host = await hub.host('modern', 'http');
    for (const resultType of ['input_required', 'task', 7]) {
      const result = { content: [], resultType, requestState: 's' };
      const text = `{"jsonrpc":"2.0","id":${ID},"result":${JSON.stringify(result)}}`;
      const args = { messages: [Buffer.from(text).toString('base64')], much: 1, end: 'whole' };
      const answer = { ...args, status: 200, type: 'application/json' };
      for (const server of ['pipe', 'web']) {
        const said = await host.request('tools/call', { name: `${server}__loose`, arguments: answer });
        expect(said).toMatchObject({ ...result, resultType: 'complete' });
      }
    }
  },
  LONG_MS,
);
