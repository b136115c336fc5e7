import { PlugError } from '../../base/errors.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { Tool } from '../../catalog/tool.ts';
import { declareTools } from '../../catalog/typescript/declare-tools.ts';
import type { ToolNames } from '../../catalog/typescript/identifiers.ts';
import { firstSentence, propertyKey } from '../../catalog/typescript/literals.ts';
import type { Lookups } from './asks.ts';
import type { CodeLimits } from './limits.ts';

/** Finds tools, best first. */
export type SearchTools = (query: string, options: { readonly limit: number }) => Promise<readonly Tool[]>;

export interface LookUpOptions {
  readonly tools: readonly Tool[];
  readonly names: ToolNames;
  readonly search: SearchTools;
  readonly limits: CodeLimits;
}

/** `tools.search` and `tools.describe` of a script: from the catalog, without any server. */
export function lookUpTools({ tools, names, search, limits }: LookUpOptions): Lookups {
  return {
    search: async (query, options) => {
      if (typeof query !== 'string') throw usage('tools.search takes the words to look for.');
      const wanted = isObject(options) ? Number(options['limit'] ?? limits.searchResultsShown) : 0;
      const limit = Math.min(
        limits.searchResultsMax,
        wanted >= 1 ? Math.floor(wanted) : limits.searchResultsShown,
      );
      const found = await search(query.slice(0, limits.errorCharsMax), { limit });
      return found.slice(0, limit).flatMap((tool) => summary(tool, names));
    },
    describe: (wanted) => Promise.resolve(describe(wanted, { tools, names, limits })),
  };
}

/** Enough to choose a tool, and nearly enough to call it. */
function summary(tool: Tool, names: ToolNames): readonly JsonObject[] {
  const path = names.pathOf(tool.ref);
  // A tool that the script could not call is none that it finds.
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

function describe(wanted: readonly Json[], { tools, names, limits }: Omit<LookUpOptions, 'search'>): string {
  if (wanted.length === 0) throw usage("tools.describe takes names of tools, as in 'github.create_issue'.");
  const refs = new Set(
    wanted.slice(0, limits.describedToolsMax).flatMap((name) => refsOf(name, tools, names)),
  );
  const found = tools.filter(({ ref }) => refs.has(ref));
  const { text, leftOut } = declareTools(found, { names, charsMax: limits.describedCharsMax });
  if (leftOut.length === 0) return text;
  const paths = leftOut.slice(0, limits.describedToolsMax).flatMap((ref) => {
    const path = names.pathOf(ref);
    return path ? [`${path.server}.${path.tool}`] : [];
  });
  return `${text}// There was no room for ${leftOut.length} more; ask for them by name: ${paths.join(', ')}\n`;
}

/** A tool by `server.tool`, `server/tool` or as it is called; or all tools of a server. */
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
  const what = `There is no tool and no server “${text.slice(0, ABOUT_CHARS_MAX)}”.`;
  return new PlugError('not_found', guesses === '' ? what : `${what} ${guesses}`, {
    owner: 'you',
    next: "Look for it with tools.search('…').",
  });
}

function usage(message: string): PlugError {
  return new PlugError('usage', message, { owner: 'you' });
}

const ABOUT_CHARS_MAX = 160;
const FIELDS_SHOWN = 12;
const FIELD_CHARS_MAX = 64;
