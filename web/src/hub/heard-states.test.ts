import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HeardStates } from './heard-states.ts';
import type { ServerList, ServerState } from './hub-context.tsx';
import { keys } from './queries.ts';

const READY: ServerState = { kind: 'ready', reason: 'Connected.' } as ServerState; // no more is looked at
const CHANGED: ServerState = { kind: 'quarantined', reason: 'Its tools changed.' };
const MOMENTS_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', globalThis);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a state that was heard before a list was asked for does not overwrite that list', async () => {
  const { cache, heard, ask, shown } = knowing(READY);
  heard.hear('notes', READY);
  const answer = ask();
  vi.advanceTimersByTime(MOMENTS_MS);
  await answer(CHANGED);
  vi.advanceTimersByTime(MOMENTS_MS);
  expect(shown()).toBe('quarantined');
  heard.close();
  cache.clear();
});

test('a state that is heard while a list is on its way comes after it', async () => {
  const { cache, heard, ask, shown } = knowing(READY);
  const answer = ask();
  heard.hear('notes', CHANGED);
  vi.advanceTimersByTime(MOMENTS_MS);
  await answer(READY);
  vi.advanceTimersByTime(MOMENTS_MS);
  expect(shown()).toBe('quarantined');
  heard.close();
  cache.clear();
});

function knowing(state: ServerState) {
  const cache = new QueryClient();
  const listWith = (each: ServerState) =>
    ({ servers: [{ id: 'notes', state: each }] }) as unknown as ServerList; // likewise
  cache.setQueryData(keys.servers, listWith(state));
  const ask = (): ((state: ServerState) => Promise<void>) => {
    const { promise, resolve } = Promise.withResolvers<ServerList>();
    const asked = cache.fetchQuery({ queryKey: keys.servers, queryFn: () => promise });
    return async (each) => {
      resolve(listWith(each));
      await asked;
    };
  };
  const shown = () => cache.getQueryData<ServerList>(keys.servers)?.servers[0]?.state.kind;
  return { cache, heard: new HeardStates(cache), ask, shown };
}
