import type { JsonObject } from '../../base/json.ts';
import type { ToolView } from '../../hub/hub.ts';
import { textArgument, textsArgument } from './answers.ts';
import { surfaceLimits } from './limits.ts';
import { operationName, signatureLine, wholeDefinition } from './operations.ts';

/** Every operation with its schema; if too long, one line each, and schemas for `params.operations`. */
export function describeServer(
  name: string,
  tools: readonly ToolView[],
  params: JsonObject,
  find: (operation: string) => ToolView,
): string {
  if (params['operations'] !== undefined) {
    const asked = textsArgument(params, 'operations', name).slice(0, surfaceLimits.describedNamesMax);
    return wholeDefinitions(asked.map(find), operationName);
  }
  const whole = tools.map((tool) => wholeDefinition(tool, operationName(tool)));
  const chars = whole.reduce((sum, { length }) => sum + length + 1, 0);
  if (chars <= surfaceLimits.describedCharsMax && params['after'] === undefined) return whole.join('\n');
  return describeShortly(name, tools, params);
}

/** As many as fit, at least the first. */
export function wholeDefinitions(tools: readonly ToolView[], nameOf: (tool: ToolView) => string): string {
  const lines: string[] = [];
  let left: number = surfaceLimits.describedCharsMax;
  for (const [index, tool] of tools.entries()) {
    const line = wholeDefinition(tool, nameOf(tool));
    left -= line.length;
    if (left < 0 && index > 0) {
      return [
        ...lines,
        `[Too long for one answer. Ask again for: ${tools.slice(index).map(nameOf).join(', ')}]`,
      ].join('\n');
    }
    lines.push(left < 0 ? `${line.slice(0, surfaceLimits.describedCharsMax)}\n[Cut: it is too long.]` : line);
  }
  return lines.join('\n');
}

function describeShortly(name: string, tools: readonly ToolView[], params: JsonObject): string {
  const after = params['after'] === undefined ? undefined : textArgument(params, 'after', name);
  const from = after === undefined ? 0 : tools.findIndex((tool) => operationName(tool) === after) + 1;
  const lines: string[] = [];
  let left: number = surfaceLimits.describedCharsMax;
  for (const tool of tools.slice(from)) {
    const line = signatureLine(tool);
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  const last = tools[from + lines.length - 1];
  const isCut = last !== undefined && from + lines.length < tools.length;
  return [
    `${tools.length} operations. For schemas: {"action":"describe","params":{"operations":["…"]}}`,
    ...lines,
    ...(isCut
      ? [`[More with {"action":"describe","params":{"after":${JSON.stringify(operationName(last))}}}]`]
      : []),
  ].join('\n');
}
