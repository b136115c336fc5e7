import type { LongLine } from './line-splitter.ts';

const ID = '"id"\\s*:\\s*("(?:[^"\\\\]|\\\\.){0,256}"|-?\\d{1,16})';
const VERSION = '"jsonrpc"\\s*:\\s*"2\\.0"';

/** Python servers write the id first; the TypeScript SDK writes it last. */
const FIRST = new RegExp(`^\\s*\\{\\s*(?:${VERSION}\\s*,\\s*)?${ID}\\s*,`);
const LAST = new RegExp(`,\\s*(?:${VERSION}\\s*,\\s*)?${ID}\\s*(?:,\\s*${VERSION}\\s*)?\\}\\s*$`);

/**
 * Reads which call a thrown-away answer belonged to from its two ends. Only the outermost id is
 * taken: it stands right after the first brace or right before the last one. A request or a
 * notification of the server (its head names a method) is nobody's answer.
 */
export function idOfLongLine(line: LongLine): string | number | undefined {
  const head = line.head.toString('utf8');
  if (/^\s*\{[^{[]*"method"\s*:/.test(head)) return undefined;
  const found = FIRST.exec(head)?.[1] ?? LAST.exec(line.tail.toString('utf8'))?.[1];
  if (found === undefined) return undefined;
  // The pattern admits only a JSON string or an integer.
  return JSON.parse(found) as string | number;
}
