import { expect, test } from 'vitest';
import { defined } from './defined.ts';

test('what is undefined is absent, and everything else stays, falsy values too', () => {
  const maybe = (value?: number): number | undefined => value;
  const fields: { readonly a?: number; readonly b: string; readonly c?: number } = defined({
    a: maybe(),
    b: '',
    c: maybe(0),
  });
  expect(Object.entries(fields)).toEqual([
    ['b', ''],
    ['c', 0],
  ]);
});
