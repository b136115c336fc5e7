import { expect, test } from 'vitest';
import { Declared } from './host-call.ts';

test('requests that declare the same share one object, others do not', () => {
  const declared = new Declared();
  const form = declared.of({ elicitation: { form: {} } });
  expect(declared.of({ elicitation: { form: {} } })).toBe(form);
  expect(declared.of({ elicitation: { url: {} } })).toEqual({ elicitation: { url: {} } });
  expect(declared.of({})).toBe(declared.of(undefined));
  expect(declared.of('elicitation')).toEqual({});
});

test('ever new declarations do not pile up, and large ones pass as they are', () => {
  const declared = new Declared();
  const first = declared.of({ experimental: { number: 0 } });
  for (let number = 1; number < 2_000; number += 1) declared.of({ experimental: { number } });
  expect(declared.of({ experimental: { number: 0 } })).not.toBe(first);
  const large = { experimental: { text: 'x'.repeat(10_000) } };
  expect(declared.of(large)).toBe(large);
});
