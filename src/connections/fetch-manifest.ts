import { isObject, type JsonObject } from '../base/json.ts';
import { withPlainNumbers } from '../base/exact-number.ts';
import { rpcCodeOf, serverFailure } from './failures.ts';
import { hashManifest, type Manifest, type RawTool } from './manifest.ts';
import type { Session } from './session.ts';
import { headerDeclarationProblem } from './http/param-headers.ts';
import { type Bounds, linkLimits } from './limits.ts';
import { longestStartMs } from './start-slots.ts';

const METHOD_NOT_FOUND = -32601;

export interface FetchManifestOptions extends Bounds {
  readonly server: string;
  readonly fingerprint: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Reads every list that the server declared, all pages, within limits. */
export async function fetchManifest(session: Session, options: FetchManifestOptions): Promise<Manifest> {
  const { capabilities, era, protocolVersion, serverInfo, instructions, extra } = session.agreement;
  const problems: string[] = [];
  const list = (capability: string, method: string, field: string): Promise<readonly JsonObject[]> =>
    isObject(capabilities[capability])
      ? listAll(session, { ...options, method, field, problems })
      : Promise.resolve([]);
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    list('tools', 'tools/list', 'tools'),
    list('resources', 'resources/list', 'resources'),
    list('resources', 'resources/templates/list', 'resourceTemplates'),
    list('prompts', 'prompts/list', 'prompts'),
  ]);
  const manifest = {
    server: options.server,
    fingerprint: options.fingerprint,
    era,
    protocolVersion,
    serverInfo,
    ...(instructions === undefined ? {} : { instructions }),
    capabilities,
    ...(extra ? { extra: withPlainNumbers(extra) } : {}),
    tools: usableTools(tools, { problems, http: session.modern && session.transport === 'streamable-http' }),
    resources,
    resourceTemplates,
    prompts,
    problems,
  };
  return { ...manifest, fetchedAt: options.clock.now(), hash: hashManifest(manifest) };
}

interface Listing extends FetchManifestOptions {
  readonly method: string;
  readonly field: string;
  readonly problems: string[];
}

async function listAll(session: Session, listing: Listing): Promise<readonly JsonObject[]> {
  const { method, field, problems, limits, signal, server } = listing;
  const timeoutMs = longestStartMs(listing.timeoutMs, limits);
  const items: JsonObject[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < limits.listPagesMax; page += 1) {
    const answer = await session
      .request(method, cursor === undefined ? {} : { cursor }, { timeoutMs, signal })
      .catch((error: unknown) => {
        // Declared but missing is common for templates. The rest of the manifest still counts.
        if (rpcCodeOf(error) !== METHOD_NOT_FOUND) throw error;
        return undefined;
      });
    if (!answer) return items;
    // Schemas are read and mended here, not only passed on.
    const result = withPlainNumbers(answer);
    const batch = result[field];
    if (!Array.isArray(batch)) {
      const message = `${server} answered ${method} without “${field}”.`;
      throw serverFailure('protocol_error', server, message, { remedy: { do: 'show-logs', server } });
    }
    for (const item of batch) if (isObject(item)) items.push(item as JsonObject);
    if (items.length >= limits.listItemsMax) {
      problems.push(`${method}: only the first ${limits.listItemsMax} entries were taken.`);
      return items.slice(0, limits.listItemsMax);
    }
    const next = result['nextCursor'];
    if (typeof next !== 'string') return items;
    if (seen.has(next)) {
      problems.push(`${method}: the server repeats its pages; reading stopped after ${page + 1}.`);
      return items;
    }
    seen.add(next);
    cursor = next;
  }
  problems.push(`${method}: reading stopped after ${limits.listPagesMax} pages.`);
  return items;
}

/** The tools that can be offered; `problems` says what was set aside or cut. With `http`, headers are checked. */
export function usableTools(
  tools: readonly JsonObject[],
  { problems, http }: { readonly problems: string[]; readonly http: boolean },
): readonly RawTool[] {
  const { descriptionCharsMax, toolBytesMax } = linkLimits;
  const byName = new Map<string, RawTool>();
  for (const sent of tools) {
    const name = sent['name'];
    if (typeof name !== 'string' || name === '') {
      problems.push('A tool without a name was set aside.');
      continue;
    }
    const shown = name.slice(0, NAME_CHARS_SHOWN);
    if (byName.has(name)) {
      problems.push(`A second tool called “${shown}” was set aside.`);
      continue;
    }
    const tool = withShortDescription(sent, descriptionCharsMax);
    if (tool !== sent) {
      const why = `it has more than ${descriptionCharsMax} characters.`;
      problems.push(`The description of the tool “${shown}” was cut: ${why}`);
    }
    const bad =
      tooLarge(tool, toolBytesMax) ?? (http ? headerDeclarationProblem(tool['inputSchema']) : undefined);
    if (bad) problems.push(`The tool “${shown}” was set aside: ${bad}`);
    else byName.set(name, tool as RawTool); // its name was checked above
  }
  return [...byName.values()];
}

const NAME_CHARS_SHOWN = 100;

/** The very same tool unless its description is too long. */
function withShortDescription(tool: JsonObject, charsMax: number): JsonObject {
  const { description } = tool;
  if (typeof description !== 'string' || description.length <= charsMax) return tool;
  return { ...tool, description: `${description.slice(0, charsMax).toWellFormed()}…` };
}

function tooLarge(tool: JsonObject, bytesMax: number): string | undefined {
  try {
    // Characters are never more than bytes: on the wire it may be a few times larger, no more.
    if (JSON.stringify(tool).length <= bytesMax) return undefined;
  } catch {
    return 'its definition is nested too deeply.';
  }
  return `its definition has more than ${bytesMax} characters.`;
}
