import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Tool } from '../../catalog/tool.ts';
import { declareTools } from '../../catalog/typescript/declare-tools.ts';
import { nameTools, type ToolNames } from '../../catalog/typescript/identifiers.ts';
import type { Progress } from '../../hub/calls.ts';
import { codeLimits, type CodeLimits } from './limits.ts';
import type { ScriptFailureKind, ScriptOutcome } from './thread-messages.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import { firstSentence, propertyKey } from '../../catalog/typescript/literals.ts';
import type { Lookups } from './sandbox.ts';

export const CODE_TOOL_NAME = 'run_script';

/** Its cost doesn't depend on the number of tools, unless their declarations are included. */
export function codeTool(declarations?: string): JsonObject {
  const known = declarations === undefined ? LOOK_FIRST : `These are all tools:\n\n${declarations}`;
  return {
    name: CODE_TOOL_NAME,
    title: 'Run a script that calls tools',
    description: `${DESCRIPTION}\n\n${known}`,
    inputSchema: {
      type: 'object',
      properties: { code: { type: 'string', description: 'The body of an async function, in TypeScript.' } },
      required: ['code'],
      additionalProperties: false,
    },
  };
}

/** Undefined if longer than `charsMax`. */
export function declarationsWithin(tools: readonly Tool[], charsMax: number): string | undefined {
  const { text, leftOut } = declareTools(tools, { names: nameTools(tools), charsMax });
  return leftOut.length === 0 ? text : undefined;
}

export interface CodeToolOptions {
  readonly tools: () => Promise<readonly Tool[]>;
  readonly search: SearchTools;
  /** The one path of every call: decided on and recorded. */
  readonly call: (ref: string, args: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly limits?: CodeLimits;
}

export async function runCodeTool(args: JsonObject, options: CodeToolOptions): Promise<JsonObject> {
  const { code } = args;
  const { clock, signal, onProgress, limits = codeLimits } = options;
  if (typeof code !== 'string' || code.trim() === '') {
    const message = `${CODE_TOOL_NAME} needs “code”, the script as a text.`;
    throw new PlugError('bad_arguments', message, { owner: 'you' });
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
  // Loaded with the first script.
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

export function renderOutcome(outcome: ScriptOutcome): JsonObject {
  const { logs } = outcome;
  const console = logs.length === 0 ? [] : [text(`Console:\n${logs.join('\n')}`)];
  if (outcome.kind !== 'returned') return { content: [text(failure(outcome)), ...console], isError: true };
  return { content: [text(valueText(outcome.value)), ...console] };
}

function valueText(value: Extract<ScriptOutcome, { kind: 'returned' }>['value']): string {
  if (value === undefined) return 'The script returned nothing: end it with “return …” to see a value.';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function failure(outcome: Exclude<ScriptOutcome, { kind: 'returned' }>): string {
  const { kind, message, line, column, calls } = outcome;
  const at = column === undefined ? '' : `, column ${column}`;
  const place = line === undefined ? '' : ` (line ${line}${at})`;
  // Calls are not undone: the model must know before it retries.
  const made = calls === 0 ? '' : `\n${calls === 1 ? 'One call was' : `${calls} calls were`} made before.`;
  return `${HEADINGS[kind] ?? 'The script was ended'}${place}: ${message}${made}`;
}

function text(value: string): JsonObject {
  return { type: 'text', text: value };
}

const HEADINGS: Readonly<Partial<Record<ScriptFailureKind, string>>> = {
  syntax: 'The script cannot be read',
  threw: 'The script failed',
  too_large: 'The script ran, and its value is not shown',
};

type SearchTools = (query: string, limit: number) => Promise<readonly Tool[]>;

interface LookUpOptions {
  readonly tools: readonly Tool[];
  readonly names: ToolNames;
  readonly search: SearchTools;
  readonly limits: CodeLimits;
}

function lookUpTools(options: LookUpOptions): Lookups {
  const { names, search, limits } = options;
  const { searchResultsMax, searchResultsShown } = limits;
  return {
    search: async (query, given) => {
      if (typeof query !== 'string') throw usage('tools.search takes the words to look for.');
      const wanted = isObject(given) ? Number(given['limit'] ?? searchResultsShown) : 0;
      const limit = Math.min(searchResultsMax, wanted >= 1 ? Math.floor(wanted) : searchResultsShown);
      const found = await search(query.slice(0, limits.errorCharsMax), limit);
      return found.slice(0, limit).flatMap((tool) => summary(tool, names));
    },
    describe: (wanted) => Promise.resolve(describe(wanted, options)),
  };
}

function summary(tool: Tool, names: ToolNames): readonly JsonObject[] {
  const path = names.pathOf(tool.ref);
  // A tool that the script can't call isn't found.
  if (path === undefined) return [];
  const name = `${path.server}.${path.tool}`;
  const about = firstSentence(tool.description ?? tool.title ?? '', ABOUT_CHARS_MAX);
  return [{ name, call: `servers.${name}(${fieldNames(tool)})`, about, risk: tool.risk }];
}

function fieldNames({ schema, definition }: Tool): string {
  const input = schema ?? definition['inputSchema'];
  const fields = isObject(input) && isObject(input['properties']) ? Object.keys(input['properties']) : [];
  if (fields.length === 0) return '';
  const required = isObject(input) && Array.isArray(input['required']) ? input['required'] : [];
  const shown = fields
    .slice(0, FIELDS_SHOWN)
    .map((name) => `${propertyKey(name.slice(0, FIELD_CHARS_MAX))}${required.includes(name) ? '' : '?'}`);
  return `{ ${shown.join(', ')}${fields.length > shown.length ? ', …' : ''} }`;
}

function describe(wanted: readonly Json[], { tools, names, limits }: LookUpOptions): string {
  if (wanted.length === 0) throw usage("tools.describe takes names of tools, as in 'github.create_issue'.");
  const { describedToolsMax, describedCharsMax } = limits;
  const refs = new Set(wanted.slice(0, describedToolsMax).flatMap((name) => refsOf(name, tools, names)));
  const found = tools.filter(({ ref }) => refs.has(ref));
  const { text, leftOut } = declareTools(found, { names, charsMax: describedCharsMax });
  if (leftOut.length === 0) return text;
  const paths = leftOut.slice(0, describedToolsMax).flatMap((ref) => {
    const path = names.pathOf(ref);
    return path ? [`${path.server}.${path.tool}`] : [];
  });
  return `${text}// There was no room for ${leftOut.length} more; ask for them by name: ${paths.join(', ')}\n`;
}

/** A tool as `server.tool`, `server/tool` or as it is called; or all tools of a server. */
function refsOf(name: Json, tools: readonly Tool[], names: ToolNames): readonly string[] {
  const text = typeof name === 'string' ? name.replace(/^servers\./, '') : '';
  if (tools.some(({ ref }) => ref === text)) return [text];
  const own = tools.filter(({ ref, server }) => server === text || names.pathOf(ref)?.server === text);
  if (own.length > 0) return own.map(({ ref }) => ref);
  for (let dot = text.indexOf('.'); dot > 0; dot = text.indexOf('.', dot + 1)) {
    const ref = names.refOf(text.slice(0, dot), text.slice(dot + 1));
    if (ref !== undefined) return [ref];
  }
  throw noSuchName(text, names);
}

function noSuchName(text: string, names: ToolNames): PlugError {
  const known = [...names.servers].flatMap(([server, own]) => own.map((tool) => `${server}.${tool}`));
  const guesses = didYouMean(suggest(text, known));
  const message = `There is no tool and no server “${text.slice(0, ABOUT_CHARS_MAX)}”. ${guesses}`.trimEnd();
  return new PlugError('not_found', message, { owner: 'you', remedy: "Look for it with tools.search('…')." });
}

function usage(message: string): PlugError {
  return new PlugError('usage', message, { owner: 'you' });
}

const ABOUT_CHARS_MAX = 160;
const FIELDS_SHOWN = 12;
const FIELD_CHARS_MAX = 64;
