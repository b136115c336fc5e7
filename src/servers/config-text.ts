import { createScanner, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { limits } from '../base/limits.ts';
import { type DeclaredInput, readInputList } from './entry/inputs.ts';
import { positionsIn, type Position } from './clients/documents/document.ts';

/** An unchecked entry of `mcpServers`, with the position of its name. */
export interface RawEntry extends Position {
  readonly key: string;
  readonly value: unknown;
}

export type ConfigText =
  | {
      readonly kind: 'ok';
      readonly entries: readonly RawEntry[];
      readonly inputs: readonly DeclaredInput[];
      readonly warnings: readonly string[];
    }
  | ({ readonly kind: 'malformed'; readonly reason: string } & Position);

/** JSON with comments and trailing commas. */
export function parseConfigText(text: string): ConfigText {
  const positionOf = positionsIn(text);
  const bad = (offset: number, reason: string): ConfigText => ({
    kind: 'malformed',
    ...positionOf(offset),
    reason,
  });
  const tooDeep = findTooDeep(text);
  if (tooDeep !== undefined)
    return bad(tooDeep, `it is nested more than ${limits.configDepthMax} levels deep`);
  if (text.trim() === '') return bad(0, 'the file is empty; an empty config is {}');

  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const error = errors[0];
  if (error) return bad(error.offset, reasonOf(error));
  if (root?.type !== 'object')
    return bad(root?.offset ?? 0, 'the file must hold one object, {"mcpServers": {…}}');

  const warnings: string[] = [];
  const reader = new TreeReader(positionOf, warnings);
  const properties = reader.properties(root);
  warnUnknown(properties, warnings, positionOf);
  const map = properties.find((property) => property.key === 'mcpServers');
  const declared = properties.find((property) => property.key === 'inputs');
  const list = declared && reader.value(declared.node);
  const inputs = Array.isArray(list) ? readInputList(list) : [];
  if (!map) return { kind: 'ok', entries: [], inputs, warnings };
  if (map.node.type !== 'object')
    return bad(map.node.offset, '“mcpServers” must be an object: {"name": {…}}');
  const entries = reader.properties(map.node);
  const extra = entries[limits.configServersMax];
  if (extra) return bad(extra.offset, `it names more than ${limits.configServersMax} servers`);
  const read = ({ key, node, offset }: Property): RawEntry => ({
    key,
    value: reader.value(node),
    ...positionOf(offset),
  });
  return { kind: 'ok', entries: entries.map(read), inputs, warnings };
}

type PositionOf = ReturnType<typeof positionsIn>;

interface Property {
  readonly key: string;
  readonly node: Node;
  readonly offset: number;
}

class TreeReader {
  readonly #positionOf: PositionOf;
  readonly #warnings: string[];

  constructor(positionOf: PositionOf, warnings: string[]) {
    this.#positionOf = positionOf;
    this.#warnings = warnings;
  }

  /** In file order. Of duplicate names the last counts, with a warning. */
  properties(object: Node): readonly Property[] {
    const found = new Map<string, Property>();
    for (const property of object.children ?? []) {
      const [name, node] = property.children ?? [];
      if (!name || !node) continue;
      const key = String(name.value);
      if (found.has(key) && this.#warnings.length < limits.configWarningsMax) {
        const { line } = this.#positionOf(name.offset);
        this.#warnings.push(`“${key}” stands twice; the one in line ${line} counts.`);
      }
      found.set(key, { key, node, offset: name.offset });
    }
    return [...found.values()];
  }

  /** Object.fromEntries makes own properties: `__proto__` is only a name. */
  value(node: Node): unknown {
    if (node.type === 'array') return (node.children ?? []).map((child) => this.value(child));
    if (node.type !== 'object') return node.value;
    return Object.fromEntries(this.properties(node).map(({ key, node }) => [key, this.value(node)]));
  }
}

/** The parser recurses: depth is checked first. */
function findTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  const { OpenBraceToken, OpenBracketToken, CloseBraceToken, CloseBracketToken, EOF } = TOKENS;
  let depth = 0;
  for (let token: number = scanner.scan(); token !== EOF; token = scanner.scan()) {
    if (token === OpenBraceToken || token === OpenBracketToken) depth += 1;
    if (token === CloseBraceToken || token === CloseBracketToken) depth -= 1;
    if (depth > limits.configDepthMax) return scanner.getTokenOffset();
  }
  return undefined;
}

const TOKENS = { OpenBraceToken: 1, CloseBraceToken: 2, OpenBracketToken: 3, CloseBracketToken: 4, EOF: 17 };

const KNOWN_AT_TOP = new Set(['mcpServers', '$schema', 'inputs']);
const OTHER_DIALECTS = new Set(['servers', 'context_servers', 'mcp_servers', 'mcp', 'extensions']);

function warnUnknown(properties: readonly Property[], warnings: string[], positionOf: PositionOf): void {
  for (const { key, offset } of properties) {
    if (KNOWN_AT_TOP.has(key) || warnings.length >= limits.configWarningsMax) continue;
    const { line } = positionOf(offset);
    warnings.push(
      OTHER_DIALECTS.has(key)
        ? `“${key}” in line ${line} is not read: servers stand under “mcpServers”.`
        : `“${key}” in line ${line} is not known and has no effect.`,
    );
  }
}

const REASONS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'an unquoted word; JSON allows quoted text, numbers, true, false and null',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a name in double quotes is expected here',
  ValueExpected: 'a value is expected here',
  ColonExpected: 'a colon is expected here',
  CommaExpected: 'a comma is expected here',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'the file should end here',
  UnexpectedEndOfComment: 'this comment never ends',
  UnexpectedEndOfString: 'this text has no closing quote',
  InvalidUnicode: 'this \\u escape is not valid',
  InvalidEscapeCharacter: 'this \\ escape is not valid',
  InvalidCharacter: 'a control character must be written as an escape',
};

function reasonOf(error: ParseError): string {
  const name = printParseErrorCode(error.error);
  return REASONS[name] ?? `the text is not valid JSON (${name})`;
}
