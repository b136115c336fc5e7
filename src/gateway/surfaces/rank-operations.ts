import { isObject } from '../../base/json.ts';
import type { Risk } from '../../catalog/risk.ts';
import type { ToolView } from '../../hub/hub.ts';

/**
 * A server's operations, those first that people are likely to need: what is used here, then reads,
 * general ones, and short names. Flagged ones come last.
 */
export function rankOperations(
  tools: readonly ToolView[],
  uses: ((ref: string) => number) | undefined,
): readonly ToolView[] {
  const common = commonWords(tools);
  const ranked = tools.map((tool) => ({
    tool,
    isFlagged: tool.flags.length > 0 ? 1 : 0,
    used: uses?.(tool.ref) ?? 0,
    effort: effortOf(tool, common),
  }));
  return ranked
    .toSorted(
      (a, b) =>
        a.isFlagged - b.isFlagged ||
        b.used - a.used ||
        a.effort - b.effort ||
        (a.tool.name < b.tool.name ? -1 : a.tool.name > b.tool.name ? 1 : 0),
    )
    .map(({ tool }) => tool);
}

/** How special a tool is: each further word of its name, each argument it insists on, what it may change. */
function effortOf({ name, risk, definition }: ToolView, common: ReadonlySet<string>): number {
  const words = wordsOf(name).filter((word) => !common.has(word));
  const isSpecial = words.some((word) => GENERAL.has(word)) ? 0 : 1;
  const schema = definition['inputSchema'];
  const required = isObject(schema) && Array.isArray(schema['required']) ? schema['required'].length : 0;
  return (
    RISK_EFFORT[risk] + words.length + isSpecial + Math.min(required, REQUIRED_MAX) / 2 + name.length / 40
  );
}

/** Words that most names of a server have, such as its own name, tell its tools apart in nothing. */
function commonWords(tools: readonly ToolView[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { name } of tools) {
    for (const word of new Set(wordsOf(name))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const most = Math.max(2, tools.length * COMMON_SHARE);
  return new Set([...counts].filter(([, count]) => count >= most).map(([word]) => word));
}

function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\p{ASCII}]+/gu) ?? []).map((word) =>
    word.toLowerCase(),
  );
}

const RISK_EFFORT: Readonly<Record<Risk, number>> = { read: 0, unknown: 1, write: 1, destructive: 3 };
const REQUIRED_MAX = 4;
const COMMON_SHARE = 0.6;

/** What nearly every server's users begin with. */
const GENERAL: ReadonlySet<string> = new Set([
  'search',
  'list',
  'get',
  'read',
  'find',
  'query',
  'fetch',
  'create',
  'add',
  'update',
  'write',
  'send',
]);
