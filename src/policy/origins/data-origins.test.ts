import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import type { JsonObject } from '../../base/json.ts';
import { limits, type Limits } from '../../base/limits.ts';
import type { DataOrigin } from '../decision.ts';
import { DataOrigins } from './data-origins.ts';

const SECRET =
  'The merger with Northwind closes on the ninth of March; until then the price of 41 dollars a share is known to six people only.';

function remembering(result: unknown, bounds: Partial<Limits> = {}): DataOrigins {
  const origins = new DataOrigins({ limits: { ...limits, ...bounds }, enabled: true });
  origins.remember({ principal: 'me', server: 'mail', tool: 'read_mail', result });
  return origins;
}

function mail(text: string): JsonObject {
  return { content: [{ type: 'text', text }], isError: false };
}

function found(origins: DataOrigins, args: JsonObject, server = 'chat'): readonly DataOrigin[] {
  return origins.originsIn({ principal: 'me', server, args });
}

verifies(
  ['P8'],
  'text of one server is found again in the arguments for another, with where and what',
  () => {
    const origins = remembering(mail(`Hello,\n${SECRET}\nBye`));
    expect(found(origins, { channel: 'general', body: { text: `FYI: ${SECRET}` } })).toEqual([
      {
        server: 'mail',
        tool: 'read_mail',
        argument: 'body.text',
        sample: expect.stringMatching(/^.{0,12}merger with Northwind/),
        exact: true,
      },
    ]);
    expect(
      found(origins, { channel: 'general', text: 'Lunch at noon, as every Tuesday in this house?' }),
    ).toEqual([]);
  },
);

verifies(['P8'], 'changes of case, space and punctuation, cut-outs and small edits hide nothing', () => {
  const origins = remembering(mail(SECRET));
  const changed = [
    SECRET.toUpperCase(),
    SECRET.replaceAll(' ', '\n  '),
    SECRET.replaceAll(/[.,;]/g, ' -'),
    SECRET.slice(37, 80),
    `${'Quite another sentence stands before it. '.repeat(20)}${SECRET.slice(20, 62)} And after it.`,
    SECRET.replace('ninth', '9th').replace('six people', 'some'),
    SECRET.replaceAll(' ', '\u200b \u00a0'),
    JSON.stringify({ quoted: SECRET.replaceAll(' until', '\n until') }),
    Array.from(SECRET)
      .map((letter) =>
        /[a-z]/.test(letter) ? String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfe_e0) : letter,
      )
      .join(''),
  ];
  for (const text of changed) {
    expect([text, found(origins, { text })]).toMatchObject([text, [{ server: 'mail', argument: 'text' }]]);
  }
  const edited = SECRET.replace('ninth', '9th').replace('41 dollars', 'USD 41');
  expect(found(origins, { text: edited })).toMatchObject([{ exact: false }]);
});

verifies(['P8'], 'base64, hex and URL-encoding are looked through, also one inside the other', () => {
  const origins = remembering(mail(SECRET));
  const base64 = Buffer.from(SECRET).toString('base64');
  const wrapped = [
    base64,
    Buffer.from(SECRET).toString('base64url'),
    Buffer.from(SECRET).toString('hex'),
    `https://evil.test/collect?d=${encodeURIComponent(SECRET)}&x=1`,
    `https://evil.test/${base64}`,
    encodeURIComponent(base64),
    Buffer.from(base64).toString('base64'),
    new URLSearchParams({ q: SECRET }).toString(),
  ];
  for (const url of wrapped) {
    expect([url, found(origins, { url })]).toMatchObject([url, [{ server: 'mail', exact: false }]]);
  }
});

verifies(['P8'], 'identifiers are found though they are short, and ordinary words are not', () => {
  const told =
    'Write to jane.roe@northwind.test about PROJ-1234 and key Xk29fQ88zLm0; card 4929123412341234.';
  const origins = remembering({ structuredContent: { text: told, account: 80_012_345_678 } });
  for (const text of [
    'jane.roe@northwind.test',
    'to: <Jane.Roe@Northwind.test>',
    'see proj-1234',
    'Xk29fQ88zLm0',
    '4929123412341234',
    Buffer.from('jane.roe@northwind.test').toString('base64'),
  ]) {
    expect([text, found(origins, { text })]).toMatchObject([text, [{ server: 'mail' }]]);
  }
  expect(found(origins, { id: 80_012_345_678 })).toMatchObject([{ argument: 'id' }]);
  const plain =
    'On 2026-11-15T10:00:00Z node-24.21.0 on linux-x86_64 wrote utf-8 and iso-8859-1, 1920x1080px, report-2026, ' +
    'localhost:8080, 127.0.0.1:3000, 1763200000, 1763200000000 and version 1.2.3456 about information.';
  const ordinary = remembering(mail(plain));
  for (const word of plain.split(' ')) expect([word, found(ordinary, { word })]).toEqual([word, []]);
});

verifies(['P8'], 'a server gets its own data back without a finding, and no other person sees them', () => {
  const origins = remembering(mail(SECRET));
  expect(found(origins, { text: SECRET }, 'mail')).toEqual([]);
  expect(origins.originsIn({ principal: 'somebody else', server: 'chat', args: { text: SECRET } })).toEqual(
    [],
  );
});

verifies(
  ['P8', 'attack:4'],
  'only what the receiver told first, and not from its arguments, is its own',
  () => {
    // Repeated after another: no news from it.
    const late = remembering(mail(SECRET));
    late.remember({ principal: 'me', server: 'chat', tool: 'history', result: mail(SECRET) });
    expect(found(late, { text: SECRET })).toMatchObject([{ server: 'mail' }]);
    expect(found(late, { text: SECRET }, 'files').map(({ server }) => server)).toEqual(
      expect.arrayContaining(['mail', 'chat']),
    );

    // Told first, by itself: it learns nothing new.
    const first = new DataOrigins({ limits, enabled: true });
    first.remember({ principal: 'me', server: 'chat', tool: 'history', result: mail(SECRET) });
    first.remember({ principal: 'me', server: 'mail', tool: 'read_mail', result: mail(SECRET) });
    expect(found(first, { text: SECRET })).toEqual([]);

    // Told first, but from its arguments, whatever was around them or is around them now.
    const ways: readonly JsonObject[] = [
      { text: SECRET },
      { body: { text: `please keep this for me: ${SECRET}` } },
      { parts: SECRET.match(/.{1,9}/gs) ?? [] },
      { [SECRET]: true },
      { text: Buffer.from(SECRET).toString('base64') },
    ];
    for (const args of ways) {
      const echoed = new DataOrigins({ limits, enabled: true });
      echoed.sent({ principal: 'me', server: 'chat', args });
      const result = mail(`Echo at noon: ${SECRET} (that was all that there is to it)`);
      echoed.remember({ principal: 'me', server: 'chat', tool: 'echo', result });
      expect([args, found(echoed, { text: SECRET })]).toEqual([args, []]);
      echoed.remember({ principal: 'me', server: 'mail', tool: 'read_mail', result: mail(SECRET) });
      expect([args, found(echoed, { text: SECRET })]).toMatchObject([args, [{ server: 'mail' }]]);
      expect([args, found(echoed, { text: SECRET.slice(30, 75) })]).toMatchObject([
        args,
        [{ server: 'mail' }],
      ]);
    }
  },
);

verifies(['attack:4'], 'who was first is not claimed once anything of others was forgotten', () => {
  const origins = remembering(mail(SECRET), { originPrintsMax: 500 });
  const words = wordsFrom(19);
  for (let count = 0; count < 40; count += 1) {
    origins.remember({ principal: 'me', server: 'mail', tool: 'list', result: mail(sentence(words, 200)) });
  }
  expect(found(origins, { text: SECRET })).toEqual([]);
  origins.remember({ principal: 'me', server: 'chat', tool: 'decode', result: mail(SECRET) });
  origins.remember({ principal: 'me', server: 'mail', tool: 'read_mail', result: mail(SECRET) });
  expect(found(origins, { text: SECRET })).toMatchObject([{ server: 'mail' }]);
});

verifies(['P8', 'attack:4'], 'keys, pieces side by side and letters by their numbers are read', () => {
  const origins = remembering(mail(SECRET));
  const pieces = SECRET.match(/.{1,6}/gs) ?? [];
  const hex = Buffer.from(SECRET).toString('hex');
  const utf16 = Buffer.from(SECRET, 'utf16le').toString('base64');
  const forms: readonly JsonObject[] = [
    { [SECRET]: 1 },
    { a: { b: { [SECRET.replaceAll(/\W+/g, '_')]: [] } } },
    { a: [{ [SECRET.slice(0, 60)]: 0 }] },
    { parts: pieces },
    { parts: pieces.map((piece) => [piece]) },
    { parts: pieces.map((piece) => ({ kind: 'a longer word in between', piece })) },
    { head: SECRET.slice(0, 12), middle: SECRET.slice(12, 24), tail: SECRET.slice(24, 50) },
    { head: 'x'.repeat(5_000) + SECRET.slice(0, 20), tail: SECRET.slice(20, 45) + 'y'.repeat(5_000) },
    Object.fromEntries(pieces.map((piece) => [piece, null])),
    { codes: [...Buffer.from(SECRET)] },
    { text: `${'long/path/of/words/without-end '.repeat(50)}${Buffer.from(SECRET).toString('base64')}` },
    { text: 'A'.repeat(70_001) + Buffer.from(SECRET).toString('base64') },
    { text: (hex.match(/../g) ?? []).map((pair) => `0x${pair}`).join(', ') },
    { text: (hex.match(/../g) ?? []).map((pair) => String.raw`\x${pair}`).join('') },
    { text: (hex.match(/../g) ?? []).map((pair) => String.raw`\u00${pair}`).join('') },
    { text: (hex.match(/../g) ?? []).map((pair) => `&#x${pair};`).join('') },
    { text: (hex.match(/../g) ?? []).map((pair) => `%${pair}`).join('') },
    { text: utf16 },
    { parts: (utf16.match(/.{1,3}/g) ?? []).map((text) => ({ text })) },
  ];
  for (const args of forms) {
    const shown = JSON.stringify(args).slice(0, 200);
    expect([shown, found(origins, args)]).toMatchObject([shown, [{ server: 'mail' }]]);
  }
  const split = remembering({ text: 'the key is Xk29fQ88zLm0, the card 4929123412341234' });
  expect(found(split, { parts: ['Xk29', 'fQ88zLm0'] })).toHaveLength(1);
  expect(found(split, { card: [4929, 1234, 1234, 1234] })).toHaveLength(1);
  const keyed = remembering({ people: { 'jane.roe@northwind.test': 1, 'PROJ-1234': 2 } });
  expect(found(keyed, { text: 'jane.roe@northwind.test' })).toHaveLength(1);
  expect(found(keyed, { text: 'PROJ-1234' })).toHaveLength(1);
});

verifies(['P8'], 'what the tool itself names, and fields that two servers share, are no data', () => {
  const code = 'call it with { owner, repository, title, description, assignees_of_the_new_issue }';
  const told = { text: code, assignees_of_the_new_issue: [], additionalProperties: false };
  const origins = remembering({ structuredContent: told });
  const args = { owner: 'a', repository: 'b', title: 'c', description: 'd', assignees_of_the_new_issue: 'e' };
  const declared = new Set(Object.keys(args));
  expect(origins.originsIn({ principal: 'me', server: 'chat', args, declared })).toEqual([]);
  expect(found(origins, { additionalProperties: true, limit: 20 })).toEqual([]);
});

verifies(['attack:4'], 'what cannot be decided counts as coming from everyone else', () => {
  const origins = remembering(mail(SECRET), { originArgsCharsMax: 10_000, originArgsTextsMax: 100 });
  origins.remember({
    principal: 'me',
    server: 'chat',
    tool: 'history',
    result: mail('Nothing but small talk today, really.'),
  });
  let wrapped = SECRET;
  for (let count = 0; count < 9; count += 1) wrapped = Buffer.from(wrapped).toString('base64');
  const large = 'Quite another sentence stands here. '.repeat(400);
  const many = Array.from({ length: 200 }, (_, index) => index);
  for (const args of [{ text: wrapped.slice(0, 9_000) }, { text: large, more: SECRET }, { many }]) {
    expect(found(origins, args)).toEqual([
      expect.objectContaining({ server: 'mail', tool: 'read_mail', undecided: expect.any(String) }),
    ]);
  }
  expect(found(origins, { text: Buffer.from(large.slice(0, 500)).toString('base64') })).toEqual([]);
});

verifies(['attack:4'], 'a crowd of findings of one server does not hide those of another', () => {
  const origins = remembering(mail(SECRET));
  const other = 'A sentence about nothing that everyone may know and pass on to others.';
  origins.remember({ principal: 'me', server: 'wiki', tool: 'page', result: mail(other) });
  const crowd = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`a${index}`, other]));
  const servers = found(origins, { ...crowd, last: SECRET }).map(({ server }) => server);
  expect(new Set(servers)).toEqual(new Set(['wiki', 'mail']));
});

test('what is said in other words is not found: nothing of the text is left', () => {
  const origins = remembering(mail(SECRET));
  const text =
    'Half a dozen insiders know that we buy Northwind in early spring at forty-one bucks per stock.';
  expect(found(origins, { text })).toEqual([]);
});

test('switched off, it keeps nothing and forgets what it had', () => {
  const off = new DataOrigins({ limits });
  off.remember({ principal: 'me', server: 'mail', tool: 't', result: mail(SECRET) });
  off.enabled = true;
  expect(found(off, { text: SECRET })).toEqual([]);
  const on = remembering(mail(SECRET));
  on.enabled = false;
  expect(found(on, { text: SECRET })).toEqual([]);
  on.enabled = true;
  expect(found(on, { text: SECRET })).toEqual([]);
});

test('the oldest is forgotten when the memory is full, and a busy server forgets its own first', () => {
  const origins = remembering(mail(SECRET), { originPrintsMax: 2_000 });
  const words = wordsFrom(7);
  for (let count = 0; count < 40; count += 1) {
    const result = mail(sentence(words, 200));
    origins.remember({ principal: 'me', server: 'noisy', tool: 'list', result });
  }
  expect(found(origins, { text: SECRET })).toHaveLength(1);
  for (let count = 0; count < 40; count += 1) {
    const result = mail(sentence(words, 200));
    origins.remember({ principal: 'me', server: 'mail', tool: 'read_mail', result });
  }
  expect(found(origins, { text: SECRET })).toEqual([]);
  origins.forget('mail');
  origins.forget('noisy');
  origins.remember({ principal: 'me', server: 'mail', tool: 'read_mail', result: mail(SECRET) });
  expect(found(origins, { text: SECRET })).toHaveLength(1);
});

test('people beyond the limit are forgotten, the longest silent first', () => {
  const origins = remembering(mail(SECRET), { originPrincipalsMax: 2, originPrintsMax: 1_000 });
  for (const principal of ['two', 'three']) {
    origins.remember({ principal, server: 'mail', tool: 'read_mail', result: mail(SECRET) });
  }
  expect(found(origins, { text: SECRET })).toEqual([]);
  expect(origins.originsIn({ principal: 'two', server: 'chat', args: { text: SECRET } })).toHaveLength(1);
});

test('of a huge result the beginning is kept, and samples of all the rest', () => {
  const words = wordsFrom(11);
  const huge = Array.from({ length: 400 }, () => sentence(words, 1_000)).join(' ');
  const origins = remembering(mail(huge));
  expect(huge.length).toBeGreaterThan(1_500_000);
  expect(found(origins, { text: huge.slice(200_000, 200_080) })).toHaveLength(1);
  expect(found(origins, { text: huge.slice(-300_000) })).toHaveLength(1);
});

test('a nest of brackets and a list of findings without end are bounded', () => {
  let nest: unknown = SECRET;
  for (let depth = 0; depth < 20_000; depth += 1) nest = [nest];
  const origins = remembering(nest);
  const args = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`a${index}`, SECRET]));
  expect(found(origins, args)).toHaveLength(limits.originFindingsMax);
});

verifies(
  ['P8'],
  'of four thousand pairs of unrelated texts next to none is taken for a copy',
  () => {
    const words = wordsFrom(3);
    let wrong = 0;
    const pairs = 4_000;
    for (let pair = 0; pair < pairs / 20; pair += 1) {
      const origins = new DataOrigins({ limits: { ...limits, originPrintsMax: 20_000 }, enabled: true });
      origins.remember({ principal: 'me', server: 'mail', tool: 't', result: mail(sentence(words, 800)) });
      for (let each = 0; each < 20; each += 1) wrong += found(origins, { text: sentence(words, 60) }).length;
    }
    expect(wrong / pairs).toBeLessThan(0.002);
  },
  30_000,
);

/** A stream of words as often as English uses them, the same in every run. */
function wordsFrom(seed: number): () => string {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return () => VOCABULARY[Math.floor(VOCABULARY.length ** random()) - 1] ?? 'the';
}

function sentence(word: () => string, count: number): string {
  return Array.from({ length: count }, word).join(' ');
}

/** Most frequent first. */
const VOCABULARY =
  `the of and to a in is it you that he was for on are with as his they be at one have this from or had by hot word but
  what some we can out other were all there when up use your how said an each she which do their time if will way about
  many then them write would like so these her long make thing see him two has look more day could go come did number
  sound no most people my over know water than call first who may down side been now find any new work part take get
  place made live where after back little only round man year came show every good me give our under name very through
  just form sentence great think say help low line differ turn cause much mean before move right boy old too same tell
  does set three want air well also play small end put home read hand port large spell add even land here must big high
  such follow act why ask men change went light kind off need house picture try us again animal point mother world near
  build self earth father head stand own page should country found answer school grow study still learn plant cover food
  sun four between state keep eye never last let thought city tree cross farm hard start might story saw far sea draw
  left late run while press close night real life few north open seem together next white children begin got walk example
  ease paper group always music those both mark often letter until mile river car feet care second book carry took
  science eat room friend began idea fish mountain stop once base hear horse cut sure watch color face wood main enough
  plain girl usual young ready above ever red list though feel talk bird soon body dog family direct pose leave song
  measure door product black short numeral class wind question happen complete ship area half rock order fire south
  problem piece told knew pass since top whole king space heard best hour better true during hundred five remember step
  early hold west ground interest reach fast verb sing listen six table travel less morning ten simple several vowel
  toward war lay against pattern slow center love person money serve appear road map rain rule govern pull cold notice
  voice unit power town fine certain fly fall lead cry dark machine note wait plan figure star box noun field rest
  correct able pound done beauty drive stood contain front teach week final gave green oh quick develop ocean warm free
  minute strong special mind behind clear tail produce fact street inch multiply nothing course stay wheel full force
  blue object decide surface deep moon island foot system busy test record boat common gold possible plane stead dry
  wonder laugh thousand ago ran check game shape equate miss brought heat snow tire bring yes distant fill east paint
  language among customer invoice meeting project report release deploy server budget quarter review`.split(
    /\s+/,
  );
