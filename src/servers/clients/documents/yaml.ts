import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document as YamlDocument } from 'yaml';
import { limits } from '../../../base/limits.ts';
import { messageOf } from '../../../base/errors.ts';
import { plain, valueAt, type KeyPath, type ParsedDocument, type Position } from './document.ts';

export function parseYaml(text: string): ParsedDocument {
  const parsed = parseYamlNodes(text);
  if (parsed.kind === 'malformed') return parsed;
  const { nodes, lines, root } = parsed;
  return {
    kind: 'ok',
    document: { value: (path) => valueAt(root, path), position: (path) => positionIn(nodes, lines, path) },
  };
}

export type YamlNodes =
  | Extract<ParsedDocument, { kind: 'malformed' }>
  | {
      readonly kind: 'ok';
      readonly nodes: YamlDocument;
      readonly lines: LineCounter;
      readonly root: unknown;
    };

export function parseYamlNodes(text: string): YamlNodes {
  const lines = new LineCounter();
  try {
    const nodes = parseDocument(text, { lineCounter: lines, merge: true, logLevel: 'silent' });
    const error = nodes.errors[0];
    if (error) {
      const { line = 1, col = 1 } = error.linePos?.[0] ?? {};
      return malformed(error.message.split(/ at line |\n/)[0] ?? error.code, { line, column: col });
    }
    // Without a cap on aliases, a few lines could expand to gigabytes.
    const root = plain(nodes.toJS({ maxAliasCount: limits.clientAliasesMax }));
    return { kind: 'ok', nodes, lines, root };
  } catch (error) {
    const deep = error instanceof RangeError;
    return malformed(deep ? 'it is nested too deeply' : messageOf(error), { line: 1, column: 1 });
  }
}

function malformed(
  reason: string,
  { line, column }: Position,
): Extract<ParsedDocument, { kind: 'malformed' }> {
  return { kind: 'malformed', line, column, reason };
}

/** A value's position is that of its name. */
function positionIn(nodes: YamlDocument, lines: LineCounter, path: KeyPath): Position | undefined {
  const steps = path.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const parent: unknown = steps.length > 1 ? nodes.getIn(steps.slice(0, -1), true) : nodes.contents;
  const pair = isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === path.at(-1))
    : undefined;
  const node: unknown = pair ? pair.key : nodes.getIn(steps, true);
  if (!isNode(node) || !node.range) return undefined;
  const { line, col } = lines.linePos(node.range[0]);
  return { line, column: col };
}
