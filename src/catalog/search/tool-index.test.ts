import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import type { ToolDocument } from './document.ts';
import { searchLimits } from './limits.ts';
import { ToolIndex } from './tool-index.ts';

function tool(id: string, description = '', more: Partial<ToolDocument> = {}): ToolDocument {
  const [server = '', ...name] = id.split('/');
  return { id, server, name: name.join('/'), description, risk: 'read', ...more };
}

function indexOf(documents: readonly ToolDocument[]): ToolIndex {
  const index = new ToolIndex();
  for (const [server, tools] of Map.groupBy(documents, (document) => document.server))
    index.replaceServer(server, tools);
  return index;
}

const OFFICE = [
  tool('mail/send_message', 'Sends an email to one or more recipients.', { risk: 'write' }),
  tool('mail/search_messages', 'Finds emails in the inbox by sender, subject or date.'),
  tool('mail/delete_message', 'Moves an email to the trash.', { risk: 'destructive' }),
  tool('chat/send_message', 'Posts a message to a channel.', { risk: 'write' }),
  tool('chat/listChannels', 'Lists the channels of the workspace.'),
  tool('git/create_issue', 'Opens a new issue in a repository.', { risk: 'write' }),
  tool('git/search-code', 'Searches the source code of a repository.'),
  tool('weather/get_forecast', 'Returns the weather of the next days for a city.'),
];

function ids(
  index: ToolIndex,
  query: string,
  options: Parameters<ToolIndex['search']>[1] = {},
): readonly string[] {
  return index.search(query, { limit: 100, ...options }).map(({ document }) => document.id);
}

verifies(['T7'], 'whoever writes the name of a tool, in any form, gets that tool first', () => {
  const wordy = tool(
    'wordy/about',
    'git create_issue git create_issue chat send_message listChannels '.repeat(20),
  );
  const index = indexOf([...OFFICE, wordy, tool('odd/get/what__is', 'Nothing to do with it.')]);
  for (const name of [
    'chat/send_message',
    'chat__send_message',
    'CHAT.Send_Message',
    'mcp__chat__send_message',
    'mcp:chat:send_message',
  ])
    expect(ids(index, name)[0]).toBe('chat/send_message');
  expect(ids(index, 'listchannels')[0]).toBe('chat/listChannels');
  expect(ids(index, ' search-code ')[0]).toBe('git/search-code');
  expect(ids(index, 'odd/get/what__is')[0]).toBe('odd/get/what__is');
  expect(ids(index, 'send_message').slice(0, 2).toSorted()).toEqual([
    'chat/send_message',
    'mail/send_message',
  ]);
});

verifies(['T7'], 'a tool whose name says nothing is still found by its name', () => {
  const index = indexOf([...OFFICE, tool('odd/use', ''), tool('odd/的', '')]);
  expect(ids(index, 'use')[0]).toBe('odd/use');
  expect(ids(index, 'odd/的')[0]).toBe('odd/的');
});

verifies(['T7'], 'words find a tool by what it does, also in other words and with typing errors', () => {
  const index = indexOf(OFFICE);
  expect(ids(index, 'post something to a channel')[0]).toBe('chat/send_message');
  expect(ids(index, 'file a bug ticket')[0]).toBe('git/create_issue');
  expect(ids(index, 'weahter forcast')[0]).toBe('weather/get_forecast');
  expect(ids(index, 'recip')[0]).toBe('mail/send_message');
  expect(ids(index, 'repositroy sorce code')[0]).toBe('git/search-code');
  expect(ids(index, 'list chan nels')[0]).toBe('chat/listChannels');
});

verifies(['T7'], 'Chinese, Japanese and accented words find tools, across languages for common ones', () => {
  const index = indexOf([
    tool('地图/route', '规划两地之间的驾车路线'),
    tool('cn/weather', '查询城市天气'),
    tool('jp/db', 'データベースを検索する'),
    tool('fr/cafe', 'Trouve un café à proximité.'),
    ...OFFICE.slice(0, 4),
  ]);
  expect(ids(index, '驾车路线')[0]).toBe('地图/route');
  expect(ids(index, '天气')[0]).toBe('cn/weather');
  expect(ids(index, 'データベース')[0]).toBe('jp/db');
  expect(ids(index, 'cafe')[0]).toBe('fr/cafe');
  expect(ids(index, 'CAFÉ')[0]).toBe('fr/cafe');
  expect(ids(index, '删除 邮件')[0]).toBe('mail/delete_message');
});

verifies(['T7'], 'a search can be kept to one server or to one risk', () => {
  const index = indexOf(OFFICE);
  expect(ids(index, 'send message', { server: 'chat' })).toEqual(['chat/send_message', 'chat/listChannels']);
  expect(ids(index, 'message', { risk: 'destructive' })).toEqual(['mail/delete_message']);
  expect(ids(index, 'mail/send_message', { server: 'chat' })).not.toContain('mail/send_message');
  expect(ids(index, 'send_message', { server: 'chat', risk: 'read' })).not.toContain('chat/send_message');
});

verifies(
  ['T7'],
  'a tool that may not be seen is not found, not by its name either, and lends nothing to others',
  () => {
    const index = indexOf(OFFICE);
    const allowed = ({ server }: ToolDocument): boolean => server !== 'mail';
    for (const query of ['send an email', 'mail/send_message', 'send_message', 'delete_message'])
      expect(ids(index, query, { allowed }).filter((id) => id.startsWith('mail/'))).toEqual([]);
    // Its neighbour is not lifted by what the hidden tool would have scored.
    const hidden = tool('both/secret', 'weather forecast city days weather forecast');
    const shown = indexOf([tool('alone/a', 'weather'), tool('both/b', 'weather'), hidden]);
    const [first, second] = shown.search('weather forecast', { allowed: ({ id }) => id !== hidden.id });
    expect(first?.score).toBe(second?.score);
  },
);

verifies(['T7'], 'the one tool that may be seen is found among thousands that fit better', () => {
  const crowd = Array.from({ length: 5_000 }, (_, at) =>
    tool(`s${at % 50}/send_email_${at}`, 'Sends an email.'),
  );
  const index = indexOf([...crowd, tool('last/t', 'Something about a long and winding road, and an email.')]);
  const allowed = ({ id }: ToolDocument): boolean => id === 'last/t' || id === 's0/send_email_0';
  expect(ids(index, 'send an email', { allowed })).toEqual(['s0/send_email_0', 'last/t']);
  expect(ids(index, 'send an email', { server: 'last' })).toEqual(['last/t']);
});

verifies(['T7'], 'what is used often ranks a little higher and never beats a clearly better match', () => {
  const index = indexOf([
    tool('a/x', 'convert a file'),
    tool('b/x', 'convert a file'),
    tool('c/convert_file', 'convert a file'),
  ]);
  expect(ids(index, 'convert a file')).toEqual(['c/convert_file', 'a/x', 'b/x']);
  const usage = (id: string): number => (id === 'b/x' ? 1_000_000 : 0);
  expect(ids(index, 'convert a file', { usage })).toEqual(['c/convert_file', 'b/x', 'a/x']);
  expect(ids(index, 'x', { usage: (id) => (id === 'c/convert_file' ? 1e12 : 0) }).slice(0, 2)).toEqual([
    'a/x',
    'b/x',
  ]);
});

verifies(['T7'], 'a tool that is named after what is asked comes before one that only speaks of it', () => {
  const index = indexOf([
    tool('a/archive', 'Close an account. Close an account for good, delete account.'),
    tool('b/close_account', 'Ends it.'),
    tool('c/account_close_reasons', 'Ends it.'),
  ]);
  expect(ids(index, 'close an account')).toEqual(['b/close_account', 'c/account_close_reasons', 'a/archive']);
});

verifies(['T7'], 'what a tool does comes before what its description mentions later', () => {
  const index = indexOf([
    tool('a/one', 'Draws a chart. The rows may come from a spreadsheet.'),
    tool('b/two', 'Reads a spreadsheet. The rows may go into a chart.'),
  ]);
  expect(ids(index, 'spreadsheet')).toEqual(['b/two', 'a/one']);
  expect(ids(index, 'chart')).toEqual(['a/one', 'b/two']);
});

verifies(['T7'], 'a word stays rare, however many tools of its one server repeat it', () => {
  const others = Array.from({ length: 8 }, (_, at) => tool(`s${at}/report`, 'Makes a summary.'));
  const many = Array.from({ length: 30 }, (_, at) => tool(`maps/view_${at}`, 'Zooms the atlas.'));
  const few = many.slice(0, 1);
  const query = 'summary of the atlas';
  expect(ids(indexOf([...others, ...few]), query)[0]).toBe('maps/view_0');
  expect(ids(indexOf([...others, ...many]), query)[0]).toBe('maps/view_0');
});

verifies(['T7'], 'replacing servers one by one ranks exactly as an index made from what is there now', () => {
  const word = fc.constantFrom(
    'create',
    'issue',
    'mail',
    'send',
    'find',
    'weather',
    'file',
    'note',
    '天气',
    'x9',
  );
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
  const server = fc.constantFrom('a', 'b', 'c', 'd');
  const change = fc.record({ server, texts: fc.option(fc.array(text, { maxLength: 6 })) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 15 }), text, (changes, query) => {
      const index = new ToolIndex();
      const now = new Map<string, readonly ToolDocument[]>();
      for (const { server, texts } of changes) {
        const tools = texts?.map((each, at) => tool(`${server}/t${at}`, each));
        if (tools) index.replaceServer(server, tools);
        else index.removeServer(server);
        now.set(server, tools ?? []);
      }
      const fresh = indexOf([...now.values()].flat());
      expect(index.size).toBe(fresh.size);
      expect(index.search(query, { limit: 100 })).toEqual(fresh.search(query, { limit: 100 }));
    }),
    { numRuns: 300 },
  );
});

verifies(
  ['T7'],
  'what a query names as a file is found by tools for files, not by the words of its path',
  () => {
    const index = indexOf([
      tool('files/read_text', 'Reads the text of a file.'),
      tool('papers/list_papers', 'Lists stored papers, with tables of their sources.'),
      tool('weather/get_table', 'Returns a table of the weather.'),
    ]);
    expect(ids(index, 'open /srv/papers/weather_table.txt')[0]).toBe('files/read_text');
  },
);

verifies(['T7'], 'three Chinese characters in a row are one word, and not two side by side', () => {
  const index = indexOf([tool('a/devices', '管理会议室的设备。'), tool('b/booking', '会议预订，自动提醒。')]);
  // “Book a meeting room”: the other tool has “meeting room”, and nothing of booking.
  expect(ids(index, '预订会议室')[0]).toBe('b/booking');
});

verifies(['T7'], 'no word of a path or of quoted text is learned', () => {
  const index = indexOf(OFFICE);
  expect(index.knownTerms('search the inbox for "channel weather" in /mail/forecast')).toEqual([
    'search',
    'inbox',
  ]);
});

verifies(['T7'], 'words that stand side by side in a query and in a tool’s words count more', () => {
  const index = indexOf([
    tool('a/first', 'Finds the point of a line and the station of a meeting.'),
    tool('a/second', 'Finds the meeting point of a line and a station.'),
    ...Array.from({ length: 20 }, (_, at) => tool(`s${at}/t`, 'nothing')),
  ]);
  expect(ids(index, 'meeting point')[0]).toBe('a/second');
  expect(ids(index, 'point line')[0]).toBe('a/first');
});

test('words that only a removed server had are corrected again, as if they had never been there', () => {
  const index = indexOf([tool('a/t', 'calendar of meetings')]);
  index.replaceServer('b', [tool('b/t', 'calender of saints')]);
  expect(ids(index, 'calender')[0]).toBe('b/t');
  index.removeServer('b');
  expect(ids(index, 'calender')).toEqual(['a/t']);
});

verifies(
  ['T7'],
  'in a long query the tool that it is about beats a verbose one that touches more words',
  () => {
    const aside = 'monday budget colleague office quarter printer invoice';
    const index = indexOf([
      tool('a/send_invitation', 'Sends an invitation to a meeting.'),
      tool('b/notes', `Keeps notes. ${aside} ${'other things people write down '.repeat(12)}`),
      ...Array.from({ length: 20 }, (_, at) => tool(`s${at}/t`, 'nothing')),
    ]);
    expect(ids(index, `send an invitation to a meeting, ${aside}`)[0]).toBe('a/send_invitation');
    expect(ids(index, 'monday budget notes')[0]).toBe('b/notes');
  },
);

test('equal tools are listed by their ids, whatever their order', () => {
  const tools = ['c/t', 'a/t', 'b/t'].map((id) => tool(id, 'copies files'));
  expect(ids(indexOf(tools), 'copies files')).toEqual(['a/t', 'b/t', 'c/t']);
});

verifies(['T7'], 'hostile queries and tools cost bounded work and break nothing', () => {
  const index = indexOf([
    ...OFFICE,
    tool('bad/long', 'mail '.repeat(200_000)),
    tool('bad/run', 'x'.repeat(1_000_000)),
    tool('bad/control', '\u0000\u001B[31m\u202Eliame\uD800'),
    tool('bad/schema', '', { inputSchema: deep(2_000) }),
    tool('bad/__proto__', 'constructor prototype __proto__'),
  ]);
  const tenThousandWords = Array.from({ length: 10_000 }, (_, at) => `wrod${at}x`).join(' ');
  for (const query of [
    'mail '.repeat(20_000),
    'é'.repeat(100_000),
    '\u0000\u202E\uD800',
    tenThousandWords,
    '/'.repeat(5_000),
    '',
    '   ',
    '__proto__',
    'constructor',
  ])
    expect(index.search(query, { limit: 1_000_000 }).length).toBeLessThanOrEqual(searchLimits.hitsMax);
  expect(ids(index, `${'mail '.repeat(3)}${'zzz '.repeat(30_000)}`)).toContain('mail/send_message');
  expect(ids(index, 'weather forecast')[0]).toBe('weather/get_forecast');
});

test('a filter that throws leaves the index as it was', () => {
  const index = indexOf(OFFICE);
  const before = index.search('send message');
  expect(() =>
    index.search('send message', {
      allowed: () => {
        throw new Error('no');
      },
    }),
  ).toThrow('no');
  expect(index.search('send message')).toEqual(before);
});

function deep(levels: number): { readonly [key: string]: never } {
  let schema: object = { type: 'string' };
  for (let level = 0; level < levels; level += 1) schema = { type: 'object', properties: { inner: schema } };
  return schema as { readonly [key: string]: never }; // a JSON object of any shape
}
