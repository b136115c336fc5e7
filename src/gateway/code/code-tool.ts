import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Tool } from '../../catalog/tool.ts';
import { declareTools } from '../../catalog/typescript/declare-tools.ts';
import { nameTools } from '../../catalog/typescript/identifiers.ts';
import type { Progress } from '../../hub/calling.ts';
import { codeLimits, type CodeLimits } from './limits.ts';
import { lookUpTools, type SearchTools } from './look-up.ts';
import { renderOutcome } from './render-outcome.ts';

export const CODE_TOOL_NAME = 'run_script';

/**
 * The one tool of code mode. What it costs a model does not depend on how many tools there are,
 * unless their declarations are given, for a few.
 */
export function codeTool({ declarations }: { readonly declarations?: string | undefined } = {}): JsonObject {
  const known = declarations === undefined ? LOOK_FIRST : `These are all tools:\n\n${declarations}`;
  return {
    name: CODE_TOOL_NAME,
    title: 'Run a script that calls tools',
    description: `${DESCRIPTION}\n\n${known}`,
    inputSchema: {
      type: 'object',
      properties: {
        code: { type: 'string', description: 'The body of an async function, in TypeScript.' },
      },
      required: ['code'],
      additionalProperties: false,
    },
  };
}

/** The declarations of all tools, if they are no longer than this. */
export function declarationsWithin(tools: readonly Tool[], charsMax: number): string | undefined {
  const { text, leftOut } = declareTools(tools, { names: nameTools(tools), charsMax });
  return leftOut.length === 0 ? text : undefined;
}

export interface CodeToolOptions {
  /** The tools that the requester may see. */
  readonly tools: () => Promise<readonly Tool[]>;
  readonly search: SearchTools;
  /** The one way of every call: what a script calls is decided about and recorded like anything else. */
  readonly call: (ref: string, args: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly limits?: CodeLimits;
}

/** Answers a call of the tool, as a result of MCP's `tools/call`. */
export async function runCodeTool(args: JsonObject, options: CodeToolOptions): Promise<JsonObject> {
  const { code } = args;
  const { clock, signal, onProgress, limits = codeLimits } = options;
  if (typeof code !== 'string' || code.trim() === '') {
    throw new PlugError('bad_arguments', `${CODE_TOOL_NAME} needs “code”, the script as a text.`, {
      owner: 'you',
    });
  }
  const tools = await options.tools();
  const names = nameTools(tools);
  let steps = 0;
  const call: CodeToolOptions['call'] = async (ref, input, callSignal) => {
    const tell = (message: string): void => onProgress?.({ progress: (steps += 1), message });
    tell(`${ref} …`);
    const result = await options.call(ref, input, callSignal);
    tell(`${ref} answered`);
    return result;
  };
  // The machine is loaded with the first script: a hub in which nobody runs one is without it.
  const { runScript } = await import('./sandbox.ts');
  const outcome = await runScript({
    code,
    tools: names,
    call,
    lookups: lookUpTools({ tools, names, search: options.search, limits }),
    clock,
    limits,
    ...(signal ? { signal } : {}),
  });
  return renderOutcome(outcome);
}

const DESCRIPTION = `Runs a TypeScript script that calls tools; only what it returns comes back to you. Write the body of an async function and end it with \`return\`. Every server is an object, every tool an async function that takes one object:

const issues = await servers.github.list_issues({ repo: 'a/b' });
return issues.filter((issue) => issue.comments > 10).map(({ number, title }) => ({ number, title }));

A tool's result is its structured content, or its text (parsed if it is JSON); a call that fails or is refused throws. Loop, join, filter and use Promise.all inside the script, so that large results stay out of your context. At most ${codeLimits.callsMax} calls and ${codeLimits.ownMs / 1000} s of computing. No network, files, timers or imports.`;

const LOOK_FIRST = `Look first: \`return await tools.search('create issue')\` finds tools, and \`return await tools.describe('github.create_issue')\` gives their exact types (a server's name gives all of it). Never guess names or arguments.`;
