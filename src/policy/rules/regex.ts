import type { Node } from 'jsonc-parser';

/** Throws what is wrong with the expression. */
export type CompileRegex = (source: string) => (text: string) => boolean;

/**
 * Expressions of the user run in time linear to the text (RE2), so that no argument can hang a
 * decision. The engine is loaded only for a file that has one.
 */
export async function loadRegexes(root: Node): Promise<CompileRegex> {
  if (!hasRegex(root)) return () => () => false;
  const { RE2JS } = await import('re2js');
  return (source) => {
    const expression = RE2JS.compile(source);
    return (text) => expression.test(text);
  };
}

function hasRegex(node: Node): boolean {
  if (node.type === 'property' && node.children?.[0]?.value === 'matches') return true;
  return node.children?.some(hasRegex) ?? false;
}
