import { arrayOf, atom, UNKNOWN, type TypeText } from './type-text.ts';

/** A list, or a tuple in the words of either dialect: `prefixItems`, or `items` that is a list. */
export function arrayType(
  schema: Readonly<Record<string, unknown>>,
  within: (item: unknown) => TypeText,
): TypeText {
  const { items, prefixItems, additionalItems, minItems } = schema;
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const rest = first === items ? additionalItems : items;
  const further = rest === undefined || rest === true ? UNKNOWN : within(rest);
  if (first.length === 0) return arrayOf(further);
  // Without a minimum every item may be absent, which no author of a tuple means.
  const needed = typeof minItems === 'number' ? minItems : first.length;
  const texts = first.map((item, at) => {
    const { text, kind } = within(item);
    if (at < needed) return text;
    return kind === 'atom' ? `${text}?` : `(${text})?`;
  });
  const open = rest === false ? [] : [`...${arrayOf(further).text}`];
  return atom(`[${[...texts, ...open].join(', ')}]`);
}
