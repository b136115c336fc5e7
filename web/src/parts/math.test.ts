import { Marked } from 'marked';
import { expect, test } from 'vitest';
import { mathBlock, mathInline } from './math.ts';

const reader = new Marked({ extensions: [mathBlock, mathInline] });

/** The formulas in a text, display ones between double bars. */
function formulas(text: string): readonly string[] {
  const found: string[] = [];
  void reader.walkTokens(reader.lexer(text), (token) => {
    if (token.type === 'math')
      found.push(token['display'] === true ? `‖${token['tex']}‖` : `${token['tex']}`);
  });
  return found;
}

test('formulas are found in the ways in which models write them', () => {
  expect(formulas('The area is $\\pi r^2$, so $x = 1$.')).toEqual(['\\pi r^2', 'x = 1']);
  expect(formulas('Where \\(a\\) is the side, $n$ the count and $k-1$ the rest.')).toEqual(['a', 'n', 'k-1']);
  expect(formulas('So:\n\n$$\n\\int_0^1 x\\,dx = \\frac12\n$$\n\nDone.')).toEqual([
    '‖\\int_0^1 x\\,dx = \\frac12‖',
  ]);
  expect(formulas('\\[\na_1 + a_2\n\\]')).toEqual(['‖a_1 + a_2‖']);
  expect(formulas('- in a list $a_i$\n\n| a | b |\n|---|---|\n| $x^2$ | 1 |')).toEqual(['a_i', 'x^2']);
});

test('prices, variables of a shell and code are no formulas', () => {
  expect(formulas('It costs $5 or $10, at most $20.')).toEqual([]);
  expect(formulas('Between $5-$6 and $1,000.')).toEqual([]);
  expect(formulas('Set $HOME and $PATH first.')).toEqual([]);
  expect(formulas('Type `$x = 1$` or:\n\n```\n$$x$$\n```')).toEqual([]);
  expect(formulas(`An open $$ sign ${'and much text '.repeat(400)}$$`)).toEqual([]);
});
