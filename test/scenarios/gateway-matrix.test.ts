import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { verifies } from '../requirements.ts';
import { startHttpFixture, waitFor, type HttpFixture } from '../servers/start.ts';
import { ANSWERS, textIn, WAIT_MS, type Era, type WireHost } from './gateway-wire-host.ts';
import { openWireHub, type WireHub } from './gateway-wire-hub.ts';
import type { WireKind } from './gateway-wire.ts';

const TEST_MS = 60_000;

let hub: WireHub;
let fixtures: readonly HttpFixture[];

beforeAll(async () => {
  fixtures = await Promise.all([startHttpFixture('modern'), startHttpFixture('legacy-stateful-sse')]);
  const [modern, legacy] = fixtures.map(({ url }) => url);
  hub = await openWireHub({
    modern: 'modern',
    legacy: 'legacy',
    'far-modern': modern ?? '',
    'far-legacy': legacy ?? '',
  });
}, TEST_MS * 2);

afterAll(async () => {
  await hub.close();
  await Promise.all(fixtures.map((fixture) => fixture.close()));
}, TEST_MS);

const LANES = [
  ['legacy', 'stdio'],
  ['legacy', 'http'],
  ['legacy', 'sse'],
  ['modern', 'stdio'],
  ['modern', 'http'],
] as const satisfies readonly (readonly [Era, WireKind])[];

const CELLS = LANES.flatMap(([era, wire]) =>
  (['legacy', 'modern', 'far-legacy', 'far-modern'] as const).map((server) => [era, wire, server] as const),
);

describe.each(CELLS)('a %s host over %s on the server %s', (era, wire, server) => {
  let host: WireHost;
  const call = (tool: string, args?: JsonObject, meta?: JsonObject, signal?: AbortSignal) =>
    host.call(`${server}__${tool}`, args, meta, signal);

  beforeAll(async () => {
    host = await hub.host(era, wire);
  }, TEST_MS);
  afterAll(() => host.wire.close(), TEST_MS);

  verifies(
    ['G1', 'G2'],
    'answers each of the server’s questions once: a form, a page, a model, its folders',
    async () => {
      const questions = [
        ['ask', 'elicitation/create', { message: `${server} (server): What is your name?` }],
        ['ask-url', 'elicitation/create', { mode: 'url', url: 'https://example.com/consent' }],
        ['sample', 'sampling/createMessage', { maxTokens: 50 }],
        ['roots', 'roots/list', {}],
      ] as const;
      for (const [tool, method, params] of questions) {
        host.asked.length = 0;
        const said = JSON.parse(textIn(await call(tool))) as unknown; // the fixture says it as JSON
        expect(said).toMatchObject(ANSWERS[method] ?? {});
        expect(host.asked).toMatchObject([{ method, params }]);
      }
    },
    TEST_MS,
  );

  verifies(
    ['G1', 'G2'],
    'hears progress under its own token, and logs, before the answer',
    async () => {
      const meta: JsonObject = era === 'modern' ? { 'io.modelcontextprotocol/logLevel': 'debug' } : {};
      if (era === 'legacy') await host.request('logging/setLevel', { level: 'debug' });
      host.notes.length = 0;
      await call('slow', { ms: 60, steps: 3 }, { progressToken: 'mine', ...meta });
      const progress = host.told('notifications/progress');
      expect(progress.map((note) => note['progressToken'])).toEqual(progress.map(() => 'mine'));
      expect(progress.map((note) => note['progress'])).toEqual([1, 2, 3]);
      await call('log', { count: 2 }, meta);
      const logs = host.told('notifications/message').map(({ data }) => data);
      expect(logs).toEqual([1, 2].map((line) => ({ line, message: 'a log message' })));
    },
    TEST_MS,
  );

  verifies(
    ['G1', 'G2'],
    'cancels: the server learns of it once, and no answer comes',
    async () => {
      const file = `${hub.folder}/cancelled-${era}-${wire}-${server}`;
      const cancel = new AbortController();
      const ended = call('hang', { file }, {}, cancel.signal).then(
        () => 'answered',
        () => 'given up',
      );
      await waitFor(() => existsSync(`${file}.begun`), WAIT_MS);
      expect(textIn(await call('echo', { message: 'under way' }))).toBe('under way');
      cancel.abort();
      expect(await ended).toBe('given up');
      await waitFor(() => readFileSync(file, 'utf8').endsWith('\n'), WAIT_MS);
      expect(textIn(await call('echo', { message: 'after' }))).toBe('after');
      expect(readFileSync(file, 'utf8')).toMatch(/^cancelled \S+\n$/);
      expect(host.strays).toEqual([]);
    },
    TEST_MS,
  );

  verifies(
    ['G1', 'G2', 'C10'],
    'hears that a watched resource or a list changed, and finds what is new',
    async () => {
      const uri = `plug://${server}/test://watched`;
      await host.watch(uri);
      host.notes.length = 0;
      const touched = textIn(await call('touch'));
      await waitFor(() => host.told('notifications/resources/updated').length > 0, WAIT_MS);
      expect(host.told('notifications/resources/updated')).toContainEqual(expect.objectContaining({ uri }));
      expect(JSON.stringify(await host.request('resources/read', { uri }))).toContain(`${touched} times`);
      const fresh = `fresh-${era}-${wire}`;
      await call('change', { add: fresh });
      await waitFor(() => host.told('notifications/tools/list_changed').length > 0, WAIT_MS);
      const { tools } = await host.request('tools/list');
      const names = (tools as { readonly name: string }[]).map(({ name }) => name);
      expect(names).toContain(`${server}__${fresh}`);
      expect(textIn(await call(fresh))).toBe(fresh);
    },
    TEST_MS,
  );
});
