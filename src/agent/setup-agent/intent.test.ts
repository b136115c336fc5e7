import { expect, test } from 'vitest';
import {
  laterRequests,
  ownServers,
  setupRequests,
  type SetupRequest,
} from '../../../test/data/setup-requests.ts';
import { newcomerRequests } from '../../../test/data/setup-requests-newcomers.ts';
import { verifies } from '../../../test/requirements.ts';
import { understand, type Intent, type Situation } from './intent.ts';
import type { Target } from './targets.ts';

const NOTHING: Situation = { servers: ownServers, about: [] };

function read(text: string, situation: Partial<Situation> = {}): readonly (readonly string[])[] {
  return understand(text, { ...NOTHING, ...situation }).map(told);
}

function readRequest({ says, after }: Pick<SetupRequest, 'says' | 'after'>): readonly (readonly string[])[] {
  const { about = [], asked } = after ?? {};
  return read(says, { about, wantsKey: asked === 'key' });
}

function told(intent: Intent): readonly string[] {
  if (intent.kind === 'paste') return ['add', '(paste)'];
  return [intent.kind, ...('targets' in intent ? intent.targets.map(targetName) : [])];
}

function targetName(target: Target): string {
  if (target.kind === 'server') return target.id;
  if (target.kind === 'service') return target.featured ?? target.words;
  return target.kind === 'all' ? 'all' : `unsure ${target.ids.join(' ')}`;
}

const SETS = {
  'sixty requests': setupRequests,
  'the later ones': laterRequests,
  'those of newcomers': newcomerRequests,
};

for (const [which, requests] of Object.entries(SETS)) {
  verifies(['A5'], `at least 85 % of ${which} in people’s own words are understood without a model`, () => {
    const missed = requests.filter(
      (request) => JSON.stringify(readRequest(request)) !== JSON.stringify(request.means),
    );
    expect(missed.length, missed.map(({ says }) => says).join('\n')).toBeLessThanOrEqual(
      requests.length * 0.15,
    );
  });
}

verifies(['A5'], 'what a message excepts is left alone', () => {
  expect(read('disconnect github but keep notion')).toEqual([['remove', 'github']]);
  expect(read('turn off notion and not github')).toEqual([['disable', 'notion']]);
  const [[wish, ...ids] = []] = read('remove everything except notion');
  expect(wish).toBe('remove');
  expect(ids).not.toContain('notion');
  expect(ids.length).toBeGreaterThan(1);
  expect(read('yes, but not github')).toEqual([['decline']]);
  expect(read('keep notion off')).toEqual([['disable', 'notion']]);
  expect(read('switch github off and linear on')).toEqual([
    ['disable', 'github'],
    ['enable', 'linear'],
  ]);
  expect(read('I removed github by accident')).toEqual([['undo']]);
  expect(read('why did github stop')).toEqual([['explain', 'github']]);
});

test('plain requests are understood without a model', () => {
  for (const text of [
    'what do I have?',
    'show me what I have installed',
    'list',
    'show my servers',
    'Which servers do I have?',
    'status',
  ])
    expect(read(text), text).toEqual([['list']]);
  for (const text of [
    'remove notion',
    'Please delete the notion server.',
    'get rid of my “notion”',
    'disconnect from notion',
  ])
    expect(read(text), text).toEqual([['remove', 'notion']]);
  for (const text of ['check everything', 'test my servers please, all of them'])
    expect(read(text), text).toEqual([['test', 'all']]);
  for (const text of ['test github', 'is github working?', 'check my github server'])
    expect(read(text), text).toEqual([['test', 'github']]);
  for (const text of ['why does github not work?', 'why is github failing?', 'github'])
    expect(read(text), text).toEqual([['explain', 'github']]);
  for (const text of ['sign in to linear', 'log in to linear', 'reauthorize linear'])
    expect(read(text), text).toEqual([['sign-in', 'linear']]);
  for (const text of ['hi', 'help', 'What can you do?', '', '  ?'])
    expect(read(text), text).toEqual([['help']]);
  for (const text of [
    'test https://mcp.example.com/mcp',
    'try npx -y acme-mcp',
    '{"mcpServers":{}}',
    'io.github.acme/weather',
  ])
    expect(read(text), text).toEqual([['add', '(paste)']]);
});

test('a no inside a wish is no wish, and a server may be called like a verb', () => {
  for (const text of ["don't remove notion", 'please do not turn off notion', 'never delete github'])
    expect(read(text), text).toEqual([['decline']]);
  const servers = [
    { id: 'list', name: 'list' },
    { id: 'broken', name: 'broken' },
  ];
  expect(read('remove list', { servers })).toEqual([['remove', 'list']]);
  expect(read('is broken working?', { servers })).toEqual([['test', 'broken']]);
  expect(read('stop notion')).toEqual([['disable', 'notion']]);
});

test('an answer to a choice is a number, a place or a name', () => {
  const choices = ['io.github.acme/files', 'io.github.other/notes', 'com.example/third'];
  const chosen = (text: string): readonly Intent[] => understand(text, { ...NOTHING, choices });
  for (const text of ['2', '#2', 'the second one', 'Second', 'number 2', 'I take the second one, please'])
    expect(chosen(text), text).toEqual([{ kind: 'choose', name: choices[1] }]);
  expect(chosen('the last one')).toEqual([{ kind: 'choose', name: choices[2] }]);
  expect(chosen('IO.github.acme/files')).toEqual([{ kind: 'choose', name: choices[0] }]);
  expect(chosen('9')).toEqual([{ kind: 'choose-none' }]);
  expect(chosen('what do I have?')).toEqual([{ kind: 'list' }]);
});

test('yes and no are answers in many words, and what follows them is heard, too', () => {
  for (const text of [
    'yes',
    'Yes, use it.',
    'ok',
    'use the corrected version',
    'Ja, bitte',
    'sure, go for it',
  ])
    expect(read(text), text).toEqual([['agree']]);
  for (const text of ['no', 'No, thanks', 'cancel', 'never mind', 'stop', 'nein danke', "please don't"])
    expect(read(text), text).toEqual([['decline']]);
  expect(read('yes, and connect stripe')).toEqual([['agree'], ['add', 'stripe']]);
  expect(read('yes, my boss wants it')).toEqual([['agree']]);
  expect(read('right, what do I have?')).toEqual([['list']]);
  expect(read('good grief')[0]?.[0]).not.toBe('agree');
  expect(read('no, turn off github instead')).toEqual([['disable', 'github']]);
});

test('a key is one when it was asked for, called so, or all that was said', () => {
  const key = 'wx_live_canary4f9a27c1d8';
  expect(understand(`my token is ${key}.`, NOTHING)).toEqual([{ kind: 'give-key', targets: [], key }]);
  expect(understand(`connect me to the crm, my token is ${key}`, NOTHING)).toEqual([
    { kind: 'add', targets: [{ kind: 'service', words: 'crm' }], key },
  ]);
  expect(read(`add stripe with the key ${key}`)).toEqual([['add', 'stripe']]);
  expect(understand(key, NOTHING)).toEqual([{ kind: 'give-key', targets: [], key }]);
  expect(understand('hunter2', { ...NOTHING, wantsKey: true })).toMatchObject([{ key: 'hunter2' }]);
  expect(read(`what is ${key} in the log?`)).not.toEqual([['give-key']]);
  for (const text of ['yes', 'no', 'notion', 'help'])
    expect(read(text, { wantsKey: true })[0]?.[0], text).not.toBe('give-key');
});
