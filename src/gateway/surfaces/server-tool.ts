import { createHash } from 'node:crypto';
import type { JsonObject } from '../../base/json.ts';
import { aboutServer, type SaidOfItself } from '../../catalog/about-server.ts';
import { estimateTokens } from '../../catalog/tokens/estimate-tokens.ts';
import type { ToolView } from '../../hub/hub.ts';
import { surfaceLimits } from './limits.ts';
import { operationName } from './operations.ts';

export interface OfferedServer extends SaidOfItself {
  readonly id: string;
  /** Best known first. */
  readonly tools: readonly ToolView[];
}

export function serverTool(server: OfferedServer): JsonObject & { readonly name: string } {
  const about = aboutServer(server, surfaceLimits.serverAboutCharsMax);
  const head = `[${server.id}]${about === '' ? '' : ` ${about}`}`;
  const tokensOf = (shown: readonly string[]): number =>
    estimateTokens(JSON.stringify(definition(server, head, shown)));
  const room = surfaceLimits.serverTokensMax - tokensOf([]);
  const shown = operationsWithin(server.tools.slice(0, surfaceLimits.operationsShown), room);
  // Parts were counted one by one: together they may cost more.
  while (shown.length > 1 && tokensOf(shown) > surfaceLimits.serverTokensMax) shown.pop();
  return definition(server, head, shown);
}

function operationsWithin(tools: readonly ToolView[], room: number): string[] {
  const shown: string[] = [];
  let left = room;
  for (const tool of tools) {
    const name = tool.flags.length > 0 ? `${operationName(tool)} (flagged)` : operationName(tool);
    left -= estimateTokens(`, ${name}`);
    if (left < 0) break;
    shown.push(name);
  }
  return shown;
}

/** The id if all providers accept it, else hashed; ids that look hashed are too, so names never clash. */
export function serverToolName(id: string): string {
  if (PERMITTED.test(id) && !RESERVED.test(id) && !HASHED.test(id)) return id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 10);
  const plain = id.replaceAll(/[^a-zA-Z0-9-]+/g, '_').slice(0, 64 - 13);
  return `s_${plain}_${hash}`;
}

function definition(
  { id, tools }: OfferedServer,
  head: string,
  operations: readonly string[],
): JsonObject & { readonly name: string } {
  const more = tools.length - operations.length;
  const list = operations.join(', ');
  const text =
    tools.length === 0
      ? 'Not connected yet: “describe” connects it.'
      : `Operations: ${list}${more > 0 ? ` and ${more} more` : ''}`;
  return { name: serverToolName(id), description: `${head}\n${text}`, inputSchema: INPUT };
}

const INPUT: JsonObject = {
  type: 'object',
  properties: {
    action: { type: 'string', description: '“describe” first, then an operation' },
    params: { type: 'object' },
  },
  required: ['action'],
};

const PERMITTED = /^[a-zA-Z0-9_-]{1,64}$/;
const RESERVED = /^plug_/;
const HASHED = /_[0-9a-f]{10}$/;
