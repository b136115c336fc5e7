import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { patience } from '../../test/suite/patience.ts';
import { PlugError } from './errors.ts';
import { limits } from './limits.ts';
import { createRedactor } from './redact.ts';
import { formsOf } from './known-values.ts';
import { Secret } from './secret.ts';

const HIDDEN = '[secret]';
const value = fc
  .string({ unit: 'grapheme', minLength: 6, maxLength: 60 })
  .filter((text) => text.trim().length >= 6);
const noise = fc.string({ maxLength: 30 });

/** Each encoding as a program would make it, independent of how the redactor does. */
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  url: (text) => encodeURIComponent(text),
  form: (text) => new URLSearchParams([['', text]]).toString().slice(1),
  json: (text) => JSON.stringify(text).slice(1, -1),
  'json in json': (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex with colons': (text) => pairsOf(text).join(':'),
  'hex with blanks, in capitals': (text) => pairsOf(text).join(' ').toUpperCase(),
  'hex as a list': (text) =>
    pairsOf(text)
      .map((pair) => `0x${pair}`)
      .join(', '),
  'hex in groups': (text) =>
    Buffer.from(text)
      .toString('hex')
      .replaceAll(/.{8}(?=.)/g, '$&-'),
  'byte escapes': (text) =>
    pairsOf(text)
      .map((pair) => `\\x${pair}`)
      .join(''),
  'unicode escapes': (text) =>
    Array.from({ length: text.length }, (_, index) => {
      return `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }).join(''),
  'percent, every character': (text) =>
    pairsOf(text)
      .map((pair) => `%${pair}`)
      .join(''),
  'percent twice': (text) =>
    encodeURIComponent(
      pairsOf(text)
        .map((pair) => `%${pair}`)
        .join(''),
    ),
  'entities, decimal': (text) => Array.from(text, (char) => `&#${char.codePointAt(0)};`).join(''),
  'entities, hexadecimal': (text) =>
    Array.from(text, (char) => `&#x${char.codePointAt(0)?.toString(16)};`).join(''),
  'base64 in lines': (text) =>
    Buffer.from(text)
      .toString('base64')
      .replaceAll(/.{10}(?=.)/g, '$&\r\n'),
  'base64 in JSON lines': (text) =>
    Buffer.from(text)
      .toString('base64')
      .replaceAll(/.{10}(?=.)/g, String.raw`$&\n`),
  'base64 twice': (text) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64'),
  'base64 of an address': (text) => Buffer.from(encodeURIComponent(text)).toString('base64'),
  'base64 of hex': (text) => Buffer.from(Buffer.from(text).toString('hex')).toString('base64url'),
  'hex of base64': (text) => Buffer.from(Buffer.from(text).toString('base64')).toString('hex'),
  'base64 of JSON in an address': (text) =>
    encodeURIComponent(Buffer.from(`{"k":"${encodeURIComponent(text)}"}`).toString('base64')),
};

function pairsOf(text: string): readonly string[] {
  return [...Buffer.from(text)].map((byte) => byte.toString(16).padStart(2, '0'));
}

for (const [name, encode] of Object.entries(ENCODINGS)) {
  test(`no learned value survives in a text: ${name}`, () => {
    fc.assert(
      fc.property(value, noise, noise, (secret, before, after) => {
        const redactor = createRedactor();
        redactor.learn(secret);
        const encoded = encode(secret);
        const shown = redactor.redactText(before + encoded + after);
        expect(shown).toContain(HIDDEN);
        expect(shown.replaceAll(HIDDEN, '\0')).not.toContain(encoded);
      }),
      { numRuns: 200 },
    );
  });
}

test('a password is found inside base64 of something longer, wherever it stands there', () => {
  const secret = fc.string({ minLength: 9, maxLength: 40 });
  fc.assert(
    fc.property(
      secret,
      fc.string({ maxLength: 7 }),
      fc.string({ maxLength: 7 }),
      (password, before, after) => {
        const redactor = createRedactor();
        redactor.learn(password);
        for (const encoding of ['base64', 'base64url'] as const) {
          const shown = redactor.redactText(Buffer.from(before + password + after).toString(encoding));
          const readable = Buffer.from(shown.replaceAll(HIDDEN, ''), encoding).toString('latin1');
          expect(shown).toContain(HIDDEN);
          expect(readable).not.toContain(password);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('a key that is broken as MIME and PEM do is hidden whole, and what is around it stays', () => {
  const key = randomBytes(200).toString('base64url');
  const redactor = createRedactor();
  redactor.learn(key);
  const base64 = Buffer.from(key).toString('base64');
  for (const width of [64, 76, 7]) {
    const lines = base64.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
    for (const end of ['\n', '\r\n', '\n    ']) {
      expect(redactor.redactText(`before\n--\n${lines.join(end)}\n--\nafter`)).toBe(
        `before\n--\n${HIDDEN}\n--\nafter`,
      );
    }
  }
});

test('only the part that holds the secret is hidden, however it is written', () => {
  const redactor = createRedactor();
  redactor.learn('canary-value-1');
  const all = [...Buffer.from('canary-value-1')].map((byte) => `%${byte.toString(16)}`).join('');
  expect(redactor.redactText(`GET /x%20y?a=${all}&b=%20z`)).toBe(`GET /x%20y?a=${HIDDEN}&b=%20z`);
  expect(redactor.redactText('say &lt;canary&#45;value-1&gt; twice')).toBe(`say &lt;${HIDDEN}&gt; twice`);
  expect(redactor.redactText('one canary-val\n  ue-1 two\nthree')).toBe(`one ${HIDDEN} two\nthree`);
  const twice = Buffer.from(Buffer.from('canary-value-1').toString('base64')).toString('base64');
  expect(redactor.redactText(`x-${twice} end`)).toBe(`x-${HIDDEN}= end`);
});

test('a secret that lines of a log or blocks of a result share is hidden in each of them', () => {
  const redactor = createRedactor();
  redactor.learn('canary-value-1');
  const lines = ['clean', 'it is canary-v', 'alue-1, says it', 'clean'];
  expect(redactor.redactValue({ stderr: lines })).toEqual({
    stderr: ['clean', `it is ${HIDDEN}`, `${HIDDEN}, says it`, 'clean'],
  });
  const content = lines.map((text) => ({ type: 'text', text }));
  expect(redactor.redactKnown({ content })).toMatchObject({
    content: [
      { text: 'clean' },
      { text: `it is ${HIDDEN}` },
      { text: `${HIDDEN}, says it` },
      { text: 'clean' },
    ],
  });
  const clean = {
    content: [
      { type: 'text', text: 'canary-v' },
      { type: 'text', text: 'or not' },
    ],
  };
  expect(redactor.redactKnown(clean)).toBe(clean);
});

test('where the JSON of a value looks clean, no text, key, number or list in it holds a secret', () => {
  const part = fc.oneof(fc.constant(''), fc.stringMatching(/^[a-z ",\\\n]{1,6}$/));
  const encode = fc.constantFrom(...Object.values(ENCODINGS));
  const places: readonly ((text: string, at: number) => unknown)[] = [
    (text) => ({ type: 'string', description: `it is ${text}, in words` }),
    (text) => ({ properties: { [text]: { type: 'number' } } }),
    (text) => ({ minimum: 1, default: [text] }),
    (text, at) => ({ enum: ['first', text.slice(0, at), text.slice(at), 'last'] }),
    (text, at) => ({ enum: [text.slice(0, at), 5, { a: 1 }, text.slice(at)] }),
    (text, at) => [[text.slice(0, at), ['other'], text.slice(at)]],
    (text, at) => ({ examples: [{ type: 'text', text: text.slice(0, at) }, { text: text.slice(at) }] }),
    (text, at) => [text.slice(0, at), { text: text.slice(at) }],
  ];
  const word = fc.oneof(
    value,
    fc.nat({ max: 1e12 }).map((number) => `${number}123456`),
  );
  fc.assert(
    fc.property(
      word,
      encode,
      fc.constantFrom(...places),
      part,
      fc.nat(),
      (secret, code, put, before, cut) => {
        const redactor = createRedactor();
        redactor.learn(secret);
        const text = before + code(secret);
        const holder = put(text, cut % (text.length + 1));
        const number = { default: Number(secret) };
        for (const held of [holder, number]) {
          if (redactor.redactKnown(held) !== held)
            expect(redactor.isSurelyClean(JSON.stringify(held))).toBe(false);
        }
      },
    ),
    { numRuns: 2_000 },
  );
  const redactor = createRedactor();
  redactor.learn('canary-value-of-a-usual-length');
  const tool = {
    inputSchema: { type: 'object', properties: { a: { enum: ['x', 'y'] } }, required: ['a', 'b'] },
  };
  expect(redactor.isSurelyClean(JSON.stringify({ ...tool, description: 'Plain words.' }))).toBe(true);
});

test('decoding is bounded: a text made of encodings costs what its size allows, and nothing twice', () => {
  const redactor = createRedactor({ ...limits, redactedDecodedCharsMax: 10_000 });
  redactor.learn('canary-value-1');
  let nested = 'canary-value-2'.repeat(2_000);
  for (let depth = 0; depth < 4; depth += 1) nested = Buffer.from(nested).toString('base64');
  const started = performance.now();
  for (const text of [
    nested,
    '%25'.repeat(100_000),
    '\\'.repeat(300_000),
    '6a:'.repeat(100_000),
    'ab'.repeat(200_000),
  ])
    expect(redactor.redactText(text)).toBe(text);
  expect(performance.now() - started).toBeLessThan(patience(1_000));
});

test('many secrets in one text are all hidden, the rest stays as it was', () => {
  const secrets = Array.from({ length: 500 }, (_, index) => `sk-proj-${index}-${'x'.repeat(index % 90)}!`);
  const redactor = createRedactor();
  for (const secret of secrets) redactor.learn(secret);
  const text = secrets.map((secret, index) => `line ${index}: ${secret}.`).join('\n');
  const expected = secrets.map((_, index) => `line ${index}: ${HIDDEN}.`).join('\n');
  expect(redactor.redactText(text)).toBe(expected);
});

test('a text without secrets is given back as it is, and short values are left alone', () => {
  const redactor = createRedactor();
  for (const short of ['', 'a', 'true', '12345']) redactor.learn(short);
  fc.assert(
    fc.property(fc.string(), (text) => {
      if (!/bearer|basic|token|secret|pass|key|authorization|\/\//i.test(text)) {
        expect(redactor.redactText(text)).toBe(text);
      }
    }),
  );
  const value = { a: [1, { b: 'true' }], c: null };
  expect(redactor.redactValue(value)).toBe(value);
});

test('a key of several lines is hidden as a whole and line by line', () => {
  const lines = ['MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'BKcwggSjAgEAAoIBAQDCanaryCanary1'];
  const redactor = createRedactor();
  redactor.learn(`-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`);
  for (const line of lines) expect(redactor.redactText(`stderr: ${line}`)).toBe(`stderr: ${HIDDEN}`);
  expect(redactor.redactText('-----BEGIN PRIVATE KEY-----')).toBe('-----BEGIN PRIVATE KEY-----');
});

test('fields are hidden by their name, wherever they are, and references to secrets stay', () => {
  const redactor = createRedactor();
  const shown = redactor.redactValue({
    server: 'github',
    headers: { Authorization: 'Bearer abc', 'X-Api-Key': 'k1', Accept: 'json' },
    env: [{ GITHUB_TOKEN: 'ghp_1', REGION: 'eu' }],
    tokens: 1200,
    secrets: ['one', 'two'],
    password: '',
    reference: { apiKey: '${vault:github/key}', authorization: 'Bearer ${GITHUB_TOKEN}' },
    mixed: { apiKey: 'prefix-${X}' },
    held: new Secret('never'),
    auth: 'oauth',
    tokenType: 'bearer',
    token_endpoint: 'https://x.test/token',
    token_endpoint_auth_methods_supported: ['none'],
    keyId: 'key_1',
    KEY: 'of a variable',
    GITHUB_PAT: 'abc',
    tokenIn: 'header',
    authToken: 'abc',
  });
  expect(shown).toEqual({
    server: 'github',
    headers: { Authorization: HIDDEN, 'X-Api-Key': HIDDEN, Accept: 'json' },
    env: [{ GITHUB_TOKEN: HIDDEN, REGION: 'eu' }],
    tokens: 1200,
    secrets: ['one', 'two'],
    password: '',
    reference: { apiKey: '${vault:github/key}', authorization: 'Bearer ${GITHUB_TOKEN}' },
    mixed: { apiKey: HIDDEN },
    held: new Secret('never'),
    auth: 'oauth',
    tokenType: 'bearer',
    token_endpoint: 'https://x.test/token',
    token_endpoint_auth_methods_supported: ['none'],
    keyId: 'key_1',
    KEY: HIDDEN,
    GITHUB_PAT: HIDDEN,
    tokenIn: 'header',
    authToken: HIDDEN,
  });
  expect(JSON.stringify(shown)).not.toContain('never');
});

test('in a text, what stands beside the name of a secret is hidden, and prose is not', () => {
  const redactor = createRedactor();
  const redactText = (text: string): string => redactor.redactText(text);
  const hidden: readonly (readonly [string, string])[] = [
    ['GET /x?api_key=abcdef123&y=1', 'GET /x?api_key=[secret]&y=1'],
    ['Authorization: Bearer eyJhbGciOi.J9.x_1', 'Authorization: Bearer [secret]'],
    ['{"access_token":"abcdef123","a":1}', '{"access_token":"[secret]","a":1}'],
    ['GITHUB_TOKEN=ghp_abcdef node x', 'GITHUB_TOKEN=[secret] node x'],
    ['postgres://me:hunter2@db/x', 'postgres://me:[secret]@db/x'],
  ];
  for (const [text, shown] of hidden) {
    expect(redactText(text)).toBe(shown);
    expect(redactText(shown)).toBe(shown);
  }
  for (const prose of [
    'The token is invalid: it expired.',
    'Bearer authentication is needed',
    'token: expired',
    'http://127.0.0.1:8080/path@x',
    'password=${vault:x/password}',
  ]) {
    expect(redactText(prose)).toBe(prose);
  }
});

test('errors are shown without secrets: message, stack, cause and particulars', () => {
  const redactor = createRedactor();
  redactor.learn('canary-value-1');
  const error = new PlugError('internal', 'failed with canary-value-1', {
    owner: 'server',
    remedy: { do: 'run', line: 'call --token canary-value-1' },
    details: { tried: ['canary-value-1'], apiKey: 'other' },
    cause: new Error('because of canary-value-1'),
  });
  const shown = JSON.stringify([redactor.redactValue(error), redactor.redactValue(error.toView())]);
  expect(shown).not.toContain('canary-value-1');
  expect(shown).not.toContain('other');
  expect(shown).toContain('failed with [secret]');
});

test('keys of objects are hidden too, and depth is bounded', () => {
  const redactor = createRedactor();
  redactor.learn('canary-value-1');
  expect(redactor.redactValue({ 'canary-value-1': 1 })).toEqual({ [HIDDEN]: 1 });
  const loop: Record<string, unknown> = {};
  loop['loop'] = loop;
  expect(JSON.stringify(redactor.redactValue(loop))).toContain('[too deep]');
});

test('the number of known values and their size are bounded; the newest are kept', () => {
  const redactor = createRedactor({ ...limits, redactedValuesMax: 100, redactedFormsCharsMax: 100_000 });
  for (let index = 0; index < 1_000; index += 1) redactor.learn(`canary-number-${index}-`);
  expect(redactor.redactText('canary-number-999-')).toBe(HIDDEN);
  expect(redactor.redactText('canary-number-0-')).toBe('canary-number-0-');
  // A value that is in use is learned again and again, and stays.
  for (let index = 0; index < 1_000; index += 1) {
    redactor.learn('canary-in-use');
    redactor.learn(`canary-other-${index}-`);
  }
  expect(redactor.redactText('canary-in-use')).toBe(HIDDEN);
  redactor.learn('x'.repeat(1_000_000));
  expect(redactor.redactText(`<${'x'.repeat(1_000_000)}>`)).toMatch(/^<(\[secret\])+>$/);
});

test('the work grows with the text alone, also when a server writes almost-secrets', () => {
  const redactor = createRedactor();
  const long = 'a'.repeat(3_000);
  redactor.learn(`${long}b`);
  for (let index = 0; index < 1_000; index += 1) redactor.learn(`aaaaaa${'a'.repeat(index % 50)}${index}`);
  const text = `${'a'.repeat(2_999)}c`.repeat(300);
  // A quadratic search would take minutes here; the test's own time limit is the judge.
  expect(redactor.redactText(text)).not.toContain('aaaaaaaa'.repeat(20));
  expect(formsOf('x'.repeat(100), 6).length).toBeLessThan(40);
});
