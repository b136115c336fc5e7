/** A type as text, with what has to be known to put it into a larger one. */
export interface TypeText {
  readonly text: string;
  /** Only an atom takes `[]` behind it and stands in a union or an intersection as it is. */
  readonly kind: 'atom' | 'union' | 'intersection';
}

export function atom(text: string): TypeText {
  return { text, kind: 'atom' };
}

export const UNKNOWN: TypeText = atom('unknown');

/** Any of these; `unknown` swallows the rest. */
export function unionOf(types: readonly TypeText[]): TypeText {
  if (types.some(({ text }) => text === 'unknown')) return UNKNOWN;
  return join(types, ' | ', 'union') ?? atom('never');
}

/** All of these at once; `unknown` adds nothing. */
export function intersectionOf(types: readonly TypeText[]): TypeText {
  return (
    join(
      types.filter(({ text }) => text !== 'unknown'),
      ' & ',
      'intersection',
    ) ?? UNKNOWN
  );
}

export function arrayOf(item: TypeText): TypeText {
  return atom(`${asAtom(item)}[]`);
}

function join(
  types: readonly TypeText[],
  separator: string,
  kind: 'union' | 'intersection',
): TypeText | undefined {
  const [first, ...others] = types.filter(
    ({ text }, at) => types.findIndex((other) => other.text === text) === at,
  );
  if (first === undefined || others.length === 0) return first;
  const texts = [first, ...others].map((type) => (type.kind === kind ? type.text : asAtom(type)));
  return { text: texts.join(separator), kind };
}

function asAtom({ text, kind }: TypeText): string {
  return kind === 'atom' ? text : `(${text})`;
}
