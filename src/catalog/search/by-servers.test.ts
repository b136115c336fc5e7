import { expect, test } from 'vitest';
import { byServers } from './by-servers.ts';
import type { Hit } from './rank.ts';

const hit = (id: string, score: number): Hit => ({
  document: { id, server: id.split('/')[0] ?? '', name: id, risk: 'read' },
  score,
});
const order = (hits: readonly Hit[], words: number): readonly string[] =>
  byServers(hits, words).map(({ document }) => document.id);

test('a tool whose siblings fit too comes before one that fits alone by little', () => {
  const hits = [hit('stocks/price', 0.51), hit('weather/now', 0.5), hit('weather/days', 0.48)];
  expect(order(hits, 3)).toEqual(['weather/now', 'weather/days', 'stocks/price']);
});

test('a long query is about several servers, and keeps its order', () => {
  const hits = [hit('stocks/price', 0.51), hit('weather/now', 0.5), hit('weather/days', 0.48)];
  expect(order(hits, 60)).toEqual(['stocks/price', 'weather/now', 'weather/days']);
});

test('an exact name stays first, whatever fits beside it', () => {
  const hits = [hit('stocks/price', 20.3), hit('weather/now', 0.9), hit('weather/days', 0.9)];
  expect(order(hits, 1)[0]).toBe('stocks/price');
});

test('what follows the best forty stays behind them', () => {
  const many = Array.from({ length: 41 }, (_, at) => hit(`s${at}/t`, 0.9 - at / 1_000));
  expect(order(many, 2).at(-1)).toBe('s40/t');
});
