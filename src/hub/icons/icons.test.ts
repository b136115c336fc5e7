import { expect, test } from 'vitest';
import { systemClock, type Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { declaredIn } from './declared.ts';
import { Icons, pictureKind } from './icons.ts';

/** The beginning of one, as far as its size: 16 × 16. */
const PNG = Uint8Array.from([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 16, 0, 0, 0,
  16,
]);
const SRC = 'https://icons.test/a.png';

/** Answers so, and counts how often it was asked. */
function served(
  answer: () => Response | Promise<Response>,
  clock: Clock = systemClock,
  more: Partial<typeof limits> = {},
): { readonly icons: Icons; readonly asked: string[] } {
  const asked: string[] = [];
  const fetch = async (url: string | URL): Promise<Response> => {
    asked.push(String(url));
    return answer();
  };
  return { icons: new Icons({ fetch, clock, limits: { ...limits, ...more } }), asked };
}

test('only what begins like a raster picture is one', () => {
  expect(pictureKind(PNG)).toBe('image/png');
  expect(pictureKind(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]))).toBe('image/jpeg');
  expect(pictureKind(Buffer.from('GIF89a....'))).toBe('image/gif');
  expect(pictureKind(Buffer.from('RIFF\0\0\0\0WEBPVP8 '))).toBe('image/webp');
  for (const other of ['', '<svg/>', '<?xml version="1.0"?><svg/>', 'RIFF\0\0\0\0WAVE', '<!doctype html>']) {
    expect(pictureKind(Buffer.from(other))).toBeUndefined();
  }
});

test('a picture is fetched once, however often it is looked at, and again when it is old', async () => {
  let now = 0;
  const { icons, asked } = served(() => new Response(PNG), { ...systemClock, monotonic: () => now });
  const [first, second] = await Promise.all([icons.get([SRC]), icons.get([SRC])]);
  expect(first).toEqual({ mimeType: 'image/png', data: Buffer.from(PNG).toString('base64') });
  expect(second).toEqual(first);
  expect(asked).toEqual([SRC]);
  now += limits.iconKeptMs + 1;
  await icons.get([SRC]);
  expect(asked).toHaveLength(2);
});

test('what fails, is refused or is too large is no picture, and is not asked for again and again', async () => {
  const broken = served(() => Promise.reject(new Error('no route')));
  expect(await broken.icons.get([SRC])).toEqual({});
  expect(await broken.icons.get([SRC])).toEqual({});
  expect(broken.asked).toHaveLength(1);
  expect(await served(() => new Response('gone', { status: 404 })).icons.get([SRC])).toEqual({});
  const large = new Uint8Array(limits.iconBytesMax + 1);
  large.set(PNG);
  expect(await served(() => new Response(large)).icons.get([SRC])).toEqual({});
  const fits = large.slice(0, limits.iconBytesMax);
  expect(await served(() => new Response(fits)).icons.get([SRC])).toMatchObject({ mimeType: 'image/png' });
});

test('the next one is looked at when the first is none, and few are kept', async () => {
  let count = 0;
  const answer = (): Response => new Response((count += 1) === 1 ? '<svg/>' : PNG);
  const { icons, asked } = served(answer, systemClock, { iconsKeptMax: 1 as never });
  expect(await icons.get([SRC, `${SRC}?2`])).toMatchObject({ mimeType: 'image/png' });
  await icons.get([SRC]);
  expect(asked).toEqual([SRC, `${SRC}?2`, SRC]);
});

test('only addresses that are safe to fetch count, and not without end', () => {
  const many = Array.from({ length: 100 }, (_, at) => ({ src: `https://a.test/${at}.png` }));
  expect(declaredIn({ icons: many })).toHaveLength(limits.iconsDeclaredMax);
  expect(declaredIn({ icons: 'https://a.test/a.png', iconUrl: 'https://b.test/b.png' })).toEqual([
    'https://b.test/b.png',
  ]);
  expect(
    declaredIn({ icons: [{ src: 'http://a.test/a.png' }, { src: 'javascript:alert(1)' }, null] }),
  ).toEqual([]);
  expect(declaredIn({})).toEqual([]);
});
