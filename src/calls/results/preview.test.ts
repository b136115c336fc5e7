import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { verifies } from '../../../test/requirements.ts';
import { excerptOf } from './excerpt.ts';
import { cutPage, pageCount, pageOf } from './cut.ts';
import { previewOf } from './preview.ts';
import { weigh } from './weigh.ts';

const handle = { id: 'result_1', bytes: 3_000_000, pages: 75 };
interface Shown {
  readonly content: readonly {
    readonly type: string;
    readonly text: string;
    readonly annotations?: unknown;
    readonly resource?: { readonly uri: string };
  }[];
  readonly structuredContent: { readonly rows: readonly unknown[] };
}

const preview = (result: Parameters<typeof previewOf>[0]): Shown =>
  previewOf(result, handle, limits) as unknown as Shown; // each test says what it expects of it

verifies(
  ['L2', 'L3'],
  'a preview has every kind of content of the result, in order, and all its flags',
  () => {
    const image = { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' };
    const audio = { type: 'audio', data: 'aGVsbG8=', mimeType: 'audio/wav' };
    const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };
    const unknown = { type: 'hologram', depth: 3, 'x-more': { a: 1 } };
    const result = {
      content: [
        image,
        link,
        { type: 'text', text: 'word\n'.repeat(100_000), annotations: { audience: ['user'] } },
        unknown,
        audio,
        {
          type: 'resource',
          resource: { uri: 'file:///b', mimeType: 'text/plain', text: 'y'.repeat(90_000) },
        },
      ],
      structuredContent: { rows: Array.from({ length: 9_000 }, (_, id) => ({ id, name: `row ${id}` })) },
      isError: true,
      _meta: { 'x/y': 1 },
      'x-unknown': ['kept'],
    };
    const before = structuredClone(result);
    const shown = preview(result);
    expect(result).toEqual(before);
    expect(shown.content.map((block) => block.type)).toEqual([
      'image',
      'resource_link',
      'text',
      'hologram',
      'audio',
      'resource',
    ]);
    expect([shown.content[0], shown.content[1], shown.content[4]]).toEqual([image, link, audio]);
    expect(shown.content[2]?.annotations).toEqual({ audience: ['user'] });
    expect(shown.content[2]?.text).toMatch(/^word\nword\n/);
    expect(shown.content[2]?.text).toContain('a result of 2.9 MB, kept whole for 7 days as result_1');
    expect(shown.content[2]?.text).toContain('plug results result_1 --grep PATTERN');
    expect(shown.content[5]?.resource?.uri).toBe('file:///b');
    expect(shown.structuredContent.rows[0]).toEqual({ id: 0, name: 'row 0' });
    expect(shown.structuredContent.rows.at(-1)).toMatch(/of 9000 items left out/);
    expect(shown).toMatchObject({ isError: true, _meta: { 'x/y': 1 }, 'x-unknown': ['kept'] });
    expect(JSON.stringify(shown).length).toBeLessThan(limits.resultPreviewBytes);
  },
);

test('pictures stay while they are small, and are named when they are too large', () => {
  const picture = (bytes: number) => ({ type: 'image', data: 'A'.repeat(bytes), mimeType: 'image/png' });
  const result = { content: [picture(4_000_000), picture(4_000_000)] };
  expect(weigh(result, limits.resultPreviewBytes)).toEqual({ textBytes: 0, mediaBytes: 8_000_000 });
  const { content } = preview(result);
  expect(content[0]).toEqual(result.content[0]);
  expect(content[1]?.text).toBe('[image image/png, 2.9 MB] was left out: it is too large to be shown.');
  expect(content[2]?.text).toContain('result_1');
});

test('a result without content, or with thousands of small parts, still gives a small preview', () => {
  expect(preview({ structuredContent: { a: 'x'.repeat(200_000) } }).content[0]?.text).toContain('result_1');
  const content = Array.from({ length: 20_000 }, () => ({ type: 'text', text: 'a few words' }));
  const shown = preview({ content });
  expect(shown.content.at(-1)?.text).toMatch(/^\[\d+ more parts\. This is the beginning/);
  expect(JSON.stringify(shown).length).toBeLessThan(limits.resultPreviewBytes);
  const fields = Object.fromEntries(content.map((block, index) => [`f${index}`, block]));
  expect(JSON.stringify(preview({ content: [], ...fields })).length).toBeLessThan(limits.resultPreviewBytes);
});

test('an excerpt is valid JSON, bounded, and the very same value when that is small', () => {
  const json = fc.jsonValue({ maxDepth: 6 }).map((value) => value as Json);
  fc.assert(
    fc.property(json, fc.integer({ min: 0, max: 300 }), (value, room) => {
      const text = JSON.stringify(excerptOf(value, room));
      expect(JSON.parse(text)).toBeDefined();
      // Texts of control characters are six times as long in JSON; each left-out mark has its words.
      expect(text.length).toBeLessThan(room * 8 + 800);
    }),
  );
  const small = { a: [1, 2, { b: 'c' }] };
  expect(excerptOf(small, 1_000)).toBe(small);
  const tricky: Json = JSON.parse(`{"__proto__": {"polluted": true}, "long": "${'x'.repeat(500)}"}`);
  expect(Object.keys(excerptOf(tricky, 100) as object)).toContain('__proto__');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('pages are cut at lines where there are any, and together they are the text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { maxLength: 40 }),
      fc.integer({ min: 4, max: 60 }),
      (lines, size) => {
        const text = lines.join('\n');
        const pages = pageCount(text.length, size);
        const cut = Array.from({ length: pages }, (_, index) => cutPage(text, index + 1, size));
        expect(cut.join('')).toBe(text);
        expect(cut.every((page) => page.isWellFormed() && page.length <= size * 1.25 + 1)).toBe(true);
        let at = 0;
        cut.forEach((page, index) => {
          for (let offset = 0; offset < page.length; offset += 1) {
            expect(pageOf(text, at + offset, size)).toBe(index + 1);
          }
          at += page.length;
        });
      },
    ),
  );
});
