import type { JsonObject } from '../../base/json.ts';
import { firstSentence, lineOf, shorten } from '../../catalog/about-server.ts';
import { estimateTokens } from '../../catalog/tokens/estimate-tokens.ts';
import type { ToolView } from '../../hub/hub.ts';
import { textArgument, textsArgument } from './answers.ts';
import { surfaceLimits } from './limits.ts';
import { operationName, signatureLine, wholeDefinition, wholeDefinitions } from './operations.ts';

export interface Describing {
  /** Of the server's tool, as the model calls it. */
  readonly name: string;
  /** Best known first. */
  readonly tools: readonly ToolView[];
  readonly params: JsonObject;
  readonly find: (operation: string) => ToolView;
}

/**
 * As much of a server as fits the budget: all schemas, else a line for each operation, else lines for
 * the first and names of the rest. `params.operations` asks for schemas by name, `params.after` for
 * what did not fit.
 */
export function describeServer({ name, tools, params, find }: Describing): string {
  if (params['operations'] !== undefined) {
    const asked = textsArgument(params, 'operations', name).slice(0, surfaceLimits.describedNamesMax);
    return wholeDefinitions(asked.map(find), operationName);
  }
  const after = params['after'] === undefined ? undefined : textArgument(params, 'after', name);
  const from = after === undefined ? 0 : tools.findIndex((tool) => operationName(tool) === after) + 1;
  const rest = tools.slice(from);
  if (from === 0) {
    const whole = rest.map((tool) => wholeDefinition(tool, operationName(tool)));
    if (fits(whole)) return whole.join('\n');
  }
  const head = `${tools.length} operations. ${HOW_TO_NARROW}`;
  for (const lineOfTool of LINES) {
    const lines = [head, ...rest.map(lineOfTool)];
    if (fits(lines)) return lines.join('\n');
  }
  return [head, ...namesAndLines(rest)].join('\n');
}

/** What a model writes in `params` to see less, or more. */
const HOW_TO_NARROW =
  'For schemas: {"action":"describe","params":{"operations":["NAME"]}}; to narrow: {"query":"WORDS"} as params.';

const LINES: readonly ((tool: ToolView) => string)[] = [(tool) => signatureLine(tool), shortLine];

/** Names cost less than lines: as many as possible, and lines for the first of them. */
function namesAndLines(tools: readonly ToolView[]): readonly string[] {
  const names = tools.map((tool) => operationName(tool));
  const room = surfaceLimits.describedTokensMax - costOf(HOW_TO_NARROW) - MORE_TOKENS;
  let [named, left] = [0, room];
  for (const name of names) {
    left -= costOf(`, ${name}`);
    if (left < 0) break;
    named += 1;
  }
  const last = names[named - 1];
  const more =
    named < names.length && last !== undefined
      ? [`[${names.length - named} more: {"after":${JSON.stringify(last)}} as params]`]
      : [];
  const lines: string[] = [];
  for (const tool of tools.slice(0, named)) {
    const line = shortLine(tool);
    left -= costOf(line) - costOf(`, ${operationName(tool)}`);
    if (left < 0) break;
    lines.push(line);
  }
  const others = names.slice(lines.length, named).join(', ');
  return [...lines, ...(others === '' ? [] : [`Others: ${others}`]), ...more];
}

function shortLine(tool: ToolView): string {
  const name = operationName(tool);
  if (tool.flags.length > 0) return `${name} (flagged)`;
  const says = firstSentence(lineOf(tool.description) || lineOf(tool.title));
  return says === '' ? name : `${name}: ${shorten(says, surfaceLimits.shortLineCharsMax)}`;
}

function fits(lines: readonly string[]): boolean {
  let left: number = surfaceLimits.describedTokensMax;
  for (const line of lines) {
    left -= costOf(line);
    if (left < 0) return false;
  }
  return true;
}

/** Each line ends with one; the estimate may be a tenth too low. */
function costOf(line: string): number {
  return estimateTokens(line) * 1.1 + 1;
}

/** For the line that says how to go on. */
const MORE_TOKENS = 60;
