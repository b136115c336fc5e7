import { defined } from '../../../base/defined.ts';
import { isObject, type Json } from '../../../base/json.ts';
import { CALLED, readCall, type CallArguments } from '../code-values.ts';
import { findServers } from '../containers.ts';
import { looksLikeEntry, readEntry } from '../entry.ts';
import type { Draft, Finding, Range, Reader, Reading, View } from '../view.ts';

/**
 * Calls that open a connection in a program: `StdioServerParameters(command="npx", …)`,
 * `new StreamableHTTPClientTransport(new URL("…"))`, `sse_client("…")` and others with such names.
 */
export const codeReader: Reader = { name: 'code', read: readCode };

const CALL =
  /(?<![\w.$])(?:new\s+)?(?:[A-Za-z_]\w*\.)*([A-Za-z_]*(?:[Ss]tdio|[Ss]treamable_?(?:HTTP|Http|http)|SSE|Sse(?=[A-Z])|sse_|MCP|Mcp)[A-Za-z_]*|(?<=\bexec\.)Command|callTool|call_tool)\s*(?=\()/g;
/** What a tool is called with may hold addresses. */
const USES_TOOL = /^(?:callTool|call_tool)$/;
/** `exec.Command("npx", "-y", …)`: any program, so the text must speak of MCP. */
const GO_COMMAND = 'Command';
const CALLS_MAX = 200;

function readCode(view: View): Reading {
  const found: Finding[] = [];
  const claims: Range[] = [];
  let end = 0;
  let seen = 0;
  for (const match of view.text.matchAll(CALL)) {
    if (match.index < end || view.budget.isOver || (seen += 1) > CALLS_MAX) continue;
    if (match[1] === GO_COMMAND && !/mcp/i.test(view.text)) continue;
    const call = readCall(view.text, match.index + match[0].length, view.budget);
    const uses = USES_TOOL.test(match[1] ?? '');
    const drafts = call && !uses ? draftsOf(match[1] ?? '', call) : [];
    if (!call || (drafts.length === 0 && !uses)) continue;
    end = call.end;
    claims.push({ from: match.index, to: end });
    const { index: at } = match;
    found.push(...drafts.map((draft) => ({ draft, at, rank: 'config' as const, document: at })));
  }
  return { found, claims, ...defined({ format: found.length > 0 ? 'code' : undefined }) };
}

function draftsOf(callee: string, call: CallArguments): readonly Draft[] {
  const fields = fieldsOf(callee, call, 0);
  if (looksLikeEntry(fields)) {
    const reading = readEntry(fields, null);
    const tells =
      reading.kind === 'server' && !isOnlyNamed(reading.draft) && !isOtherText(callee, reading.draft);
    return tells ? [reading.draft] : [];
  }
  return findServers(fields).servers.map(({ draft }) => draft);
}

/** `stdio_client(server_params)`: what is meant stands elsewhere. */
function isOnlyNamed({ command, url, args = [] }: Draft): boolean {
  return args.length === 0 && /^\$\{[^}]*[a-z][^}]*\}$/.test(command ?? url ?? '');
}

/** `stdio (runStdio)` is prose, and `new AcmeMCP(process.env.PROJECT_TOKEN)` takes no address. */
function isOtherText(callee: string, { command, args = [], url = '' }: Draft): boolean {
  if (command !== undefined) return callee === 'stdio' && args.length === 0;
  const variable = /^\$\{([^}]*)\}$/.exec(url)?.[1];
  return (
    variable !== undefined &&
    !/streamable|sse/i.test(callee) &&
    !/url|uri|endpoint|host|address/i.test(variable)
  );
}

type Fields = Readonly<Record<string, Json>>;

/** Arguments that hold the entry itself. */
const HOLDERS =
  /^(?:params|server_?params|server_?parameters|connection_?params|options|config|transport|tool_?config|provider_?data)$/i;

/** Named fields, with what stands by its place: the command or the address first, then the arguments. */
function fieldsOf(
  callee: string,
  { named, positional }: Pick<CallArguments, 'named' | 'positional'>,
  depth: number,
): Fields {
  if (callee === GO_COMMAND) {
    const [command = null, ...args] = positional;
    return { type: 'stdio', command, args };
  }
  const fields = new Map<string, Json>();
  const take = (given: Fields): void => {
    for (const [key, value] of Object.entries(given)) {
      const inner = unwrapped(value, depth);
      // Only the kinds of connection are objects under these names.
      if (isObject(inner) && HOLDERS.test(key)) take(inner as Fields);
      else fields.set(CASED.test(key) ? key[0]?.toLowerCase() + key.slice(1) : key, inner);
    }
  };
  positional.forEach((value) => {
    const inner = unwrapped(value, depth);
    if (isObject(inner)) take(inner as Fields);
    else if (Array.isArray(inner)) fields.set('args', inner);
    else if (typeof inner === 'string' && !fields.has('url') && !fields.has('command'))
      fields.set(/^[a-z]+:\/\//i.test(inner) || !/stdio/i.test(callee) ? 'url' : 'command', inner);
  });
  take(named);
  const transport = /stdio/i.test(callee)
    ? 'stdio'
    : /streamable/i.test(callee)
      ? 'http'
      : /sse/i.test(callee)
        ? 'sse'
        : undefined;
  if (transport !== undefined && !fields.has('type')) fields.set('type', transport);
  return Object.fromEntries(fields);
}

/** C# writes `Command` and `Arguments`. */
const CASED = /^[A-Z][a-z]+$/;

/** A call inside a call: its own arguments are the fields. A function of one text stands for that text. */
function unwrapped(value: Json, depth: number): Json {
  if (depth > 4) return value;
  if (Array.isArray(value)) return value.map((item: Json) => unwrapped(item, depth + 1));
  if (!isObject(value)) return value;
  const { [CALLED]: callee, ...rest } = value as Record<string, Json>;
  if (typeof callee !== 'string') return value;
  const isPlace = (key: string): boolean => /^\d+$/.test(key);
  const positional = Object.entries(rest).flatMap(([key, inner]) => (isPlace(key) ? [inner] : []));
  const named = Object.fromEntries(Object.entries(rest).filter(([key]) => !isPlace(key)));
  if (/stdio|streamable|sse|mcp/i.test(callee)) return fieldsOf(callee, { named, positional }, depth + 1);
  const texts = positional
    .map((item) => unwrapped(item, depth + 1))
    .filter((item) => typeof item === 'string');
  if (/^(?:join|resolve)$/.test(callee) && texts.length > 0) return texts.join('/');
  return texts.length === 1 ? (texts[0] ?? null) : `<${callee}>`;
}
