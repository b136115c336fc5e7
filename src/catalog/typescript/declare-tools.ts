import { isObject } from '../../base/json.ts';
import type { Risk } from '../risk.ts';
import type { Tool } from '../tool.ts';
import type { ToolNames, ToolPath } from './identifiers.ts';
import { typescriptLimits as limits } from './limits.ts';
import { comment, firstSentence } from './literals.ts';
import { SchemaTypes, type TypePlace } from './schema-types.ts';

export type DeclaredTool = Pick<Tool, 'ref' | 'risk' | 'title' | 'description' | 'schema' | 'definition'>;

export interface DeclareOptions {
  readonly names: ToolNames;
  readonly charsMax?: number;
}

export interface Declarations {
  readonly text: string;
  readonly leftOut: readonly string[];
}

/** Servers' texts appear only in comments and strings, and can't end them. */
export function declareTools(tools: readonly DeclaredTool[], options: DeclareOptions): Declarations {
  const { names, charsMax = Infinity } = options;
  const taken = new Set<string>();
  const leftOut: string[] = [];
  const types: string[] = [];
  const methods = new Map<string, string[]>();
  let room = charsMax - RESULT_TYPE.length - frame(new Map()).length;
  for (const tool of tools) {
    const path = names.pathOf(tool.ref);
    const declared = path && room > 0 ? declareTool(tool, path, taken) : undefined;
    const own = path && methods.get(path.server);
    const chars = path && declared ? charsOf(declared) + (own ? 0 : frameChars(path)) : Infinity;
    if (path === undefined || declared === undefined || chars > room) {
      leftOut.push(tool.ref);
      continue;
    }
    room -= chars;
    types.push(...declared.types);
    if (own) own.push(declared.method);
    else methods.set(path.server, [declared.method]);
  }
  const body = frame(methods);
  const result = body.includes('ToolResult') ? [RESULT_TYPE] : [];
  return { text: [...result, ...types, body].join('\n'), leftOut };
}

interface DeclaredMethod {
  readonly types: readonly string[];
  readonly method: string;
}

function declareTool(tool: DeclaredTool, path: ToolPath, taken: Set<string>): DeclaredMethod {
  const input = tool.schema ?? tool.definition['inputSchema'];
  const output = tool.definition['outputSchema'];
  const args = typeOf(input, `${path.server}_${path.tool}`, taken);
  const result = isObject(output) ? typeOf(output, `${path.server}_${path.tool}_result`, taken) : undefined;
  const optional =
    isObject(input) && Array.isArray(input['required']) && input['required'].length > 0 ? '' : '?';
  return {
    types: [...args.types, ...(result?.types ?? [])],
    method: [
      `    ${comment(aboutTool(tool))}`,
      `    ${path.tool}(args${optional}: ${args.text}): Promise<${result?.text ?? 'ToolResult'}>;`,
    ].join('\n'),
  };
}

function typeOf(schema: unknown, prefix: string, taken: Set<string>) {
  const root = isObject(schema) ? schema : {};
  const types = new SchemaTypes({ root, prefix, taken });
  const place: TypePlace = { depth: 0, indent: '    ', followed: new Set() };
  const { text } = types.typeOf(root, place);
  return { text, types: types.declarations };
}

function aboutTool({ title, description, risk }: DeclaredTool): string {
  const sentence = firstSentence(description ?? title ?? '', limits.sentenceCharsMax);
  return [sentence, RISK_WORDS[risk]].filter((part) => part !== '').join(' ');
}

function frame(methods: ReadonlyMap<string, readonly string[]>): string {
  const servers = [...methods].map(([server, own]) => `  ${server}: {\n${own.join('\n')}\n  };\n`);
  return `declare const servers: {\n${servers.join('')}};\n`;
}

function charsOf({ types, method }: DeclaredMethod): number {
  return method.length + 1 + types.reduce((sum, type) => sum + type.length + 1, 0);
}

function frameChars({ server }: ToolPath): number {
  return frame(new Map([[server, []]])).length;
}

const RESULT_TYPE =
  '/** The structured content of a result, or its text, parsed if it is a JSON object or list. */\ntype ToolResult = any;';

const RISK_WORDS: Record<Risk, string> = {
  read: '(reads)',
  write: '(writes)',
  destructive: '(destroys)',
  unknown: '(may write)',
};
