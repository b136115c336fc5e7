import { expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { doorLimits } from './limits.ts';
import { PageLinks } from './links.ts';

function linksAt(start = 1_000): { links: PageLinks; pass: (ms: number) => void; token: () => string } {
  let now = start;
  const links = new PageLinks({ ...systemClock, now: () => now, monotonic: () => now });
  const token = (): string => new URL(links.linkTo('http://127.0.0.1:1').url).hash.slice('#open='.length);
  return { links, token, pass: (ms) => void (now += ms) };
}

test('a link opens once, and the token is in the part of the address that browsers send to nobody', () => {
  const { links } = linksAt();
  const { url } = links.linkTo('http://127.0.0.1:1');
  const { origin, pathname, search, hash } = new URL(url);
  expect([origin, pathname, search]).toEqual(['http://127.0.0.1:1', '/', '']);
  const token = hash.slice('#open='.length);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect([links.take(token), links.take(token)]).toEqual([true, false]);
});

test('a link that nobody used in time opens nothing, and the last moment still counts', () => {
  const { links, token, pass } = linksAt();
  const [early, late] = [token(), token()];
  pass(doorLimits.linkMs - 1);
  expect(links.take(early)).toBe(true);
  pass(1);
  expect(links.take(late)).toBe(false);
});

test('a wrong token uses up no link', () => {
  const { links, token } = linksAt();
  const right = token();
  for (const wrong of ['', 'x', `${right}x`, right.slice(1)]) expect(links.take(wrong)).toBe(false);
  expect(links.take(right)).toBe(true);
});

test('of too many links the oldest are gone', () => {
  const { links, token } = linksAt();
  const tokens = Array.from({ length: doorLimits.linksMax + 1 }, token);
  expect(tokens.map((each) => links.take(each))).toEqual([false, ...tokens.slice(1).map(() => true)]);
});
