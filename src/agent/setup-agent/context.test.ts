import { expect, test } from 'vitest';
import { serverView } from '../../../test/server-view.ts';
import type { ServerEvent } from '../../connections/state.ts';
import type { ServerView } from '../../hub/hub.ts';
import { contextOf } from './instructions.ts';
import { setupLimits } from './limits.ts';
import { Person } from './setup.ts';
import { stateOf, withNote, withoutNote } from './state.ts';

function server(index: number, reason: string): ServerView {
  const state = { kind: 'failed', cause: 'crashed', reason } as const;
  return serverView({ id: `server-${index}`, target: `node ${'x'.repeat(5_000)}`, state });
}

test('what the model is told about servers stays small, however much they write', () => {
  const reason = `Boom\n${'long '.repeat(5_000)}`;
  const servers = Array.from({ length: 500 }, (_, index) => server(index, reason));
  const events = Array.from({ length: 500 }, (_, at): ServerEvent => ({
    id: `event-${at}`,
    server: 'server-1',
    kind: 'ERROR',
    by: 'SYSTEM',
    at,
    reason,
    state: 'failed',
  }));
  const told = contextOf(servers, events);
  expect(told.split('\n').filter((line) => line.startsWith('- server-1: Boom'))).toHaveLength(
    setupLimits.errorsToldMax,
  );
  expect(told).toContain(`and ${500 - setupLimits.serversToldMax} more`);
  expect(told.length).toBeLessThan(60_000);
  expect(contextOf([], [])).toBe('None yet.');
});

test('what was asked travels with the conversation, and is not for the model', () => {
  const message = { role: 'assistant', content: 'Which one?' } as const;
  const asked = [{ kind: 'choose', choices: ['a', 'b'] }] as const;
  const noted = withNote(message, { asked, about: ['notes'] });
  const state = { asked, about: ['notes'], deeds: [] };
  expect(stateOf([noted, { role: 'user', content: 'the first' }])).toEqual(state);
  expect(withoutNote(noted)).toEqual(message);
  expect(stateOf([{ ...message, providerOptions: { plugboard: 'nonsense' } }])).toEqual({
    asked: [],
    about: [],
    deeds: [],
  });
  const others = {
    ...noted,
    providerOptions: { ...(noted['providerOptions'] as object), anthropic: { a: 1 } },
  };
  expect(withoutNote(others)).toEqual({ ...message, providerOptions: { anthropic: { a: 1 } } });
});

test('only what the person wrote counts as theirs', () => {
  const person = new Person([
    { role: 'user', content: 'See https://me:pw@mcp.acme.example:8443/x and files.example, metadata' },
    { role: 'assistant', content: 'https://other.example/mcp' },
  ]);
  for (const host of ['mcp.acme.example:8443', 'files.example'])
    expect(person.namedHost(host), host).toBe(true);
  for (const host of ['other.example', 'metadata', 'acme.example', 'localhost', 'mcp.acme.example'])
    expect(person.namedHost(host), host).toBe(false);
  expect([person.wrote(' files.example '), person.wrote('other.example'), person.wrote('')]).toEqual([
    true,
    false,
    false,
  ]);
});
