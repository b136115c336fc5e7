import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeLiteral, joinTemplate, splitTemplate, findPlaceholders } from './placeholders.ts';

test('every form of placeholder is recognized', () => {
  const text = '${A} ${B:-b c} ${env:C} {env:D} ${input:e-1} ${file:./f g.txt} ${vault:team/h} ${env:I:-i}';
  expect(findPlaceholders(text)).toEqual([
    { kind: 'env', name: 'A', text: '${A}' },
    { kind: 'env', name: 'B', fallback: 'b c', text: '${B:-b c}' },
    { kind: 'env', name: 'C', text: '${env:C}' },
    { kind: 'env', name: 'D', text: '{env:D}' },
    { kind: 'input', name: 'e-1', text: '${input:e-1}' },
    { kind: 'file', name: './f g.txt', text: '${file:./f g.txt}' },
    { kind: 'vault', name: 'team/h', text: '${vault:team/h}' },
    { kind: 'env', name: 'I', fallback: 'i', text: '${env:I:-i}' },
  ]);
});

test('what only resembles a placeholder is literal, and $${ is the way to write one', () => {
  expect(splitTemplate('cost $5, {x}, ${never closed')).toEqual(['cost $5, {x}, ${never closed']);
  expect(splitTemplate('$${HOME}/$${env:X}')).toEqual(['${HOME}/${env:X}']);
});

test('a placeholder without meaning is not passed on as if it were text', () => {
  for (const text of [
    '${}',
    '${a b}',
    '${A:-${B}}',
    '${user_config/x}',
    '{env:}',
    '${input:}',
    '${vault:}',
  ]) {
    expect(findPlaceholders(text)[0]?.kind, text).toBe('unknown');
  }
});

test('any text can be escaped, and any template survives being split and joined', () => {
  const piece = fc.constantFrom('$', '{', '}', '${', '$${', '{env:', ':-', 'A', 'file:', ' ', '\\');
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, (value) => {
      const parts = splitTemplate(value);
      expect(splitTemplate(joinTemplate(parts))).toEqual(parts);
      if (!value.includes('{env:')) {
        expect(splitTemplate(escapeLiteral(value))).toEqual(value === '' ? [] : [value]);
      }
    }),
    { numRuns: 5_000 },
  );
});

test('megabytes of opening braces are read in one pass', () => {
  expect(splitTemplate('${'.repeat(1_000_000))).toHaveLength(1);
  expect(splitTemplate('{env:'.repeat(400_000))).toHaveLength(1);
  expect(findPlaceholders(`${'${'.repeat(1_000_000)}}`)).toHaveLength(1);
});
