import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { looksLikeImage, readImageHeader } from './image-format.ts';

const picture = (name: string): Uint8Array =>
  readFileSync(new URL(`../../../test/fixtures/screenshots/${name}`, import.meta.url));

test('pictures are known by their first bytes', () => {
  expect(looksLikeImage(picture('editor-light.png'))).toBe(true);
  expect(looksLikeImage(picture('editor-dark.jpg'))).toBe(true);
  expect(looksLikeImage(Buffer.from('{"mcpServers":{}}'))).toBe(false);
  expect(looksLikeImage(Buffer.from([0x89, 0x50]))).toBe(false);
  expect(looksLikeImage(new Uint8Array())).toBe(false);
});

test('the size of a picture is known without unpacking it', () => {
  expect(readImageHeader(picture('yaml-light.png'))).toEqual({ format: 'png', width: 420, height: 165 });
  const { width, height } = readImageHeader(picture('editor-dark.jpg')) ?? {};
  expect([width, height]).toEqual([420, 285]);
});

test('a header that is cut off or lies about its segments has no size', () => {
  expect(readImageHeader(picture('yaml-light.png').subarray(0, 20))).toBeUndefined();
  expect(readImageHeader(picture('editor-dark.jpg').subarray(0, 30))).toBeUndefined();
  expect(readImageHeader(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))).toBeUndefined();
});
