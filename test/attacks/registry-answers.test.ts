import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { newPlug } from '../scenarios/plug-command.ts';
import { registriesAt } from '../scenarios/registry-listener.ts';

const MB = 1024 * 1024;

type Answer = (response: ServerResponse, asked: URL) => void;

/** A registry in the hands of an attacker. */
async function hostileRegistry(): Promise<{ readonly url: string; answer: Answer; asked: number }> {
  const state = { url: '', answer: ((response) => void response.end('{}')) as Answer, asked: 0 };
  const listener = createServer((request, response) => {
    state.asked += 1;
    response.on('error', () => undefined); // the hub may hang up at any time
    state.answer(response, new URL(request.url ?? '/', 'http://127.0.0.1'));
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  state.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`; // a TCP listener
  return state;
}

function json(text: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(text);
}

function entry(name: string, more: object = {}): object {
  return { server: { name, description: 'files', version: '1.0.0', ...more } };
}

function page(...servers: readonly unknown[]): Answer {
  return json(JSON.stringify({ servers, metadata: { count: servers.length } }));
}

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const deepVariables = (levels: number): string =>
  '{"variables":{"a":'.repeat(levels) + '{}' + '}}'.repeat(levels);

verifies(
  ['attack:registry-answers', 'S12'],
  'whatever a registry answers, the hub lives, stays small, and says in a line what is wrong',
  async () => {
    const registry = await hostileRegistry();
    const trap = await hostileRegistry();
    const plug = newPlug(registriesAt({ official: registry.url }), { hub: 'process' });
    await plug('hub', 'start');
    const { pid } = JSON.parse(readFileSync(`${plug.home}/plug/hub.json`, 'utf8')) as { pid: number };
    const memory = (): number => {
      const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      return Number(kilobytes) / 1024;
    };
    registry.answer = page(entry('com.acme/files'));
    expect((await plug('search', 'files')).stdout).toContain('com.acme/files');
    const before = memory();
    const ESC = '\u001b[2J\u001b]0;owned\u0007';
    const hostile: Readonly<Record<string, Answer>> = {
      'a deep list': json(`{"servers":[{"server":{"name":"com.acme/files","x":${deep(50_000)}}}]}`),
      'deep variables': json(
        `{"servers":[{"server":{"name":"com.acme/files","remotes":[{"type":"http","url":"https://a.test","variables":{"a":${deepVariables(20_000)}}}]}}]}`,
      ),
      'only a deep list': json(deep(100_000)),
      'many bad entries': json(`{"servers":[${Array.from({ length: 150_000 }, () => '{}').join(',')}]}`),
      'many entries': json(
        `{"servers":[${Array.from({ length: 20_000 }, (_, at) => JSON.stringify(entry(`com.acme/files-${at}`))).join(',')}]}`,
      ),
      'one huge entry': page(entry('com.acme/files', { readme: 'x'.repeat(20 * MB) })),
      'more than an answer may hold': json(`{"servers":[${'null,'.repeat(8 * MB)}null]}`),
      'a packed bomb': json(gzipSync(Buffer.alloc(512 * MB, 0x20)).toString('latin1'), { 'x-none': '1' }),
      'a bomb in gzip': (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        response.end(gzipSync(Buffer.alloc(256 * MB, 0x20)));
      },
      'things that are no entries': page(
        null,
        1,
        'x',
        [],
        { server: null },
        { server: { name: 5 } },
        entry('__proto__'),
      ),
      'names with control characters': page(
        entry(`com.acme/files${ESC}`),
        entry('com.acme/files\n✔ all is well'),
        entry('com.acme/files', {
          title: `T${ESC}`,
          description: `files ${ESC}\r\n✔ done`,
          version: `1${ESC}`,
        }),
      ),
      'a huge cursor': json(
        JSON.stringify({ servers: [entry('com.acme/files')], metadata: { nextCursor: 'c'.repeat(8 * MB) } }),
      ),
      'a redirect to this machine': (response) =>
        void response.writeHead(302, { location: `${trap.url}/v0.1/servers` }).end(),
      'no end': (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const drip = setInterval(() => response.write(' '), 100);
        response.on('close', () => clearInterval(drip));
      },
    };
    for (const [what, answer] of Object.entries(hostile)) {
      registry.answer = answer;
      const { code, stdout, stderr } = await plug('search', 'files', '--registry', 'official');
      const said = stdout + stderr;
      expect({ what, ended: code !== null, short: said.length < 100_000 }).toEqual({
        what,
        ended: true,
        short: true,
      });
      // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
      expect([what, said]).not.toEqual([what, expect.stringMatching(/[\u001b\u0007]|call stack|at .*\.js:/)]);
      expect({ what, lines: said.split('\n').filter((line) => line.startsWith('✔')) }).toEqual({
        what,
        lines: [],
      });
      expect({ what, pid: (await plug.json('hub', 'status'))['pid'] }).toEqual({ what, pid });
    }
    expect(trap.asked).toBe(0);
    expect(memory() - before).toBeLessThan(400);
    registry.answer = page(entry('com.acme/files'));
    expect((await plug('search', 'files')).stdout).toContain('com.acme/files');
  },
  240_000,
);
