/* oxlint-disable unicorn/no-thenable -- “then” is a word of the rules file */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { verifies } from '../requirements.ts';
import { newPlug, type Plug } from '../scenarios/plug-command.ts';

const server = fileURLToPath(new URL('logging-server.ts', import.meta.url));
const SECRET =
  'The merger with Northwind closes on the ninth of March; until then the price of 41 dollars a share is known to six people only.';

interface World {
  readonly plug: Plug;
  /** What arrived at `out/send`, as its server wrote it down. */
  readonly sent: () => string;
  readonly call: (tool: string, args: JsonObject) => ReturnType<Plug>;
}

/** Two real servers, and a rule: what `mail` tells does not go to `out/send`. */
async function openWorld(): Promise<World> {
  const plug = newPlug();
  const call = { read: 'allow', write: 'allow', unknown: 'allow' };
  const rules = [{ name: 'mail stays', from: 'mail', to: 'out/send', then: 'deny' }];
  writeFileSync(`${plug.home}/plug/rules.json`, JSON.stringify({ defaults: { call }, rules }));
  for (const [name, text] of [
    ['mail', SECRET],
    ['out', 'nothing'],
  ] as const) {
    const log = `${plug.cwd}/${name}.log`;
    const { code, stderr } = await plug('add', name, '--yes', '--', process.execPath, server, log, text);
    expect({ code, stderr }).toMatchObject({ code: 0 });
  }
  const log = `${plug.cwd}/out.log`;
  return {
    plug,
    sent: () =>
      (existsSync(log) ? readFileSync(log, 'utf8') : '')
        .split('\n')
        .filter((line) => line.includes('"send"'))
        .join('\n'),
    call: (tool, args) => plug('call', tool, '--args', JSON.stringify(args)),
  };
}

verifies(
  ['attack:4', 'P8'],
  'what a server has only repeated from its arguments is still stopped on its way to it',
  async () => {
    const { sent, call } = await openWorld();
    // Before anyone tells it, so that the receiver seems to be the first to know.
    expect(await call('out/echo', { text: SECRET })).toMatchObject({ code: 0 });
    expect(await call('mail/tell', {})).toMatchObject({ code: 0 });
    const first = await call('out/send', { body: SECRET });
    expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('mail stays') });
    // And after it: another tool of the same receiver is not covered by the rule.
    expect(await call('out/echo', { text: SECRET.toUpperCase() })).toMatchObject({ code: 0 });
    expect(await call('out/echo', { text: Buffer.from(SECRET).toString('base64') })).toMatchObject({
      code: 0,
    });
    expect(await call('out/send', { body: SECRET })).toMatchObject({ code: 1 });
    expect(sent()).toBe('');
    expect(await call('out/send', { body: 'Lunch at noon, as every Tuesday.' })).toMatchObject({ code: 0 });
    expect(sent()).toContain('Lunch at noon');
  },
  120_000,
);

verifies(
  ['attack:4', 'P8'],
  'text is stopped as a key, in pieces, and in an encoding behind many long words',
  async () => {
    const { sent, call } = await openWorld();
    expect(await call('mail/tell', {})).toMatchObject({ code: 0 });
    const pieces = SECRET.match(/.{1,10}/gs) ?? [];
    const base64 = Buffer.from(SECRET).toString('base64');
    const longWords = Array.from({ length: 40 }, (_, index) => `averyverylongwordnumber${index}`).join(' ');
    let nested = SECRET;
    for (let count = 0; count < 8; count += 1) nested = Buffer.from(nested).toString('base64');
    const forms: Readonly<Record<string, JsonObject>> = {
      'an object’s key': { [SECRET]: 1 },
      'a key with underscores': { map: { [SECRET.replaceAll(/\W+/g, '_')]: true } },
      'keys in a row': Object.fromEntries(pieces.map((piece) => [piece, 1])),
      'keys and values in turn': Object.fromEntries(
        Array.from({ length: Math.ceil(pieces.length / 2) }, (_, at) => [
          pieces[2 * at] ?? '',
          pieces[2 * at + 1] ?? '',
        ]),
      ),
      'a list': { parts: pieces },
      'lists in lists': { parts: pieces.map((piece) => [[piece]]) },
      'fields of an object': Object.fromEntries(pieces.map((piece, index) => [`part${index}`, piece])),
      'blocks with a type': { content: pieces.map((text) => ({ type: 'text', text })) },
      'single letters': { letters: Array.from(SECRET) },
      'numbers of letters': { codes: Array.from(SECRET, (letter) => letter.codePointAt(0) ?? 0) },
      'base64 behind long words': { body: `${longWords} ${base64}` },
      'base64 in pieces': { parts: base64.match(/.{1,7}/g) ?? [] },
      'base64 with spaces': { body: (base64.match(/.{1,5}/g) ?? []).join(' ') },
      'base64 behind base64 of something else': {
        body: `${Buffer.from('an innocent text of no interest').toString('base64url')}x${base64}`,
      },
      'hex with colons': { body: (Buffer.from(SECRET).toString('hex').match(/../g) ?? []).join(':') },
      'eight times base64': { body: nested },
    };
    for (const [form, args] of Object.entries(forms)) {
      const { code, stderr } = await call('out/send', args);
      expect({ form, code, stderr }).toEqual({
        form,
        code: 1,
        stderr: expect.stringContaining('mail stays'),
      });
    }
    expect(sent()).toBe('');
    const ordinary = { to: 'team', labels: ['lunch', 'plans', 'tuesday'], body: longWords };
    expect(await call('out/send', ordinary)).toMatchObject({ code: 0 });
  },
  180_000,
);
