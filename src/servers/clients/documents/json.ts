import { parseTree, type Node, type ParseError } from 'jsonc-parser';
import { parseConfigText } from '../../config-text.ts';
import { positionsIn, type Document, type KeyPath, type ParsedDocument } from './document.ts';

export function parseJson(text: string): ParsedDocument {
  const tree = parseJsonTree(text);
  if (tree.kind === 'malformed') return tree;
  const positionOf = positionsIn(text);
  const find = (path: KeyPath): Node | undefined => findNode(tree.root, path);
  const document: Document = {
    value: (path) => {
      const node = find(path);
      return node && toValue(node);
    },
    position: (path) => {
      const node = find(path);
      // An entry's position is that of its name.
      return node && positionOf(node.parent?.type === 'property' ? node.parent.offset : node.offset);
    },
  };
  return { kind: 'ok', document };
}

export type JsonTree =
  | Extract<ParsedDocument, { kind: 'malformed' }>
  /** No root when the text is blank. */
  | { readonly kind: 'ok'; readonly root: Node | undefined };

export function parseJsonTree(text: string): JsonTree {
  if (text.trim() === '') return { kind: 'ok', root: undefined };
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true });
    if (errors.length === 0 && root?.type === 'object') return { kind: 'ok', root };
  } catch (error) {
    // The parser recurses: deeply nested brackets end here.
    if (!(error instanceof RangeError)) throw error;
  }
  const judged = parseConfigText(text);
  if (judged.kind === 'malformed') return judged;
  return { kind: 'malformed', line: 1, column: 1, reason: 'the file does not hold one JSON object' };
}

/** Of duplicate names the last counts, as in the clients. */
export function findNode(root: Node | undefined, path: KeyPath): Node | undefined {
  let node = root;
  for (const key of path) {
    if (node?.type === 'array') node = node.children?.[Number(key)];
    else if (node?.type === 'object')
      node = node.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1];
    else return undefined;
  }
  return node;
}

/** Object.fromEntries makes own properties: `__proto__` is only a name. */
function toValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(toValue);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(
    (node.children ?? []).flatMap(({ children: [name, value] = [] }) =>
      name && value ? [[String(name.value), toValue(value)]] : [],
    ),
  );
}
