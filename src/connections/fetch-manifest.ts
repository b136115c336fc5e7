import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import { rpcCodeOf } from './failures.ts';
import { headerDeclarationProblem } from './http/param-headers.ts';
import { hashManifest, type Manifest, type RawTool } from './manifest.ts';
import type { Session } from './session.ts';

const METHOD_NOT_FOUND = -32601;

export interface FetchManifestOptions {
  readonly server: string;
  readonly fingerprint: string;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Asks for everything that the server declared, all pages, within limits, and for nothing else. */
export async function fetchManifest(session: Session, options: FetchManifestOptions): Promise<Manifest> {
  const { capabilities, era, protocolVersion, serverInfo, instructions } = session.agreement;
  const problems: string[] = [];
  const list = (capability: string, method: string, field: string): Promise<readonly JsonObject[]> =>
    isObject(capabilities[capability])
      ? listAll(session, { method, field, problems }, options)
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
    tools: usableTools(tools, { problems, http: session.modern && session.transport === 'streamable-http' }),
    resources,
    resourceTemplates,
    prompts,
    problems,
  };
  return { ...manifest, fetchedAt: options.clock.now(), hash: hashManifest(manifest) };
}

interface Listing {
  readonly method: string;
  readonly field: string;
  readonly problems: string[];
}

async function listAll(
  session: Session,
  { method, field, problems }: Listing,
  { limits, timeoutMs, signal, server }: FetchManifestOptions,
): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < limits.listPagesMax; page += 1) {
    const result = await session
      .request(method, cursor === undefined ? {} : { cursor }, { timeoutMs, signal })
      .catch((error: unknown) => {
        // Declared, but not there: common for templates. The rest of the manifest still counts.
        if (rpcCodeOf(error) !== METHOD_NOT_FOUND) throw error;
        return undefined;
      });
    if (!result) return items;
    const batch = result[field];
    if (!Array.isArray(batch)) {
      throw new PlugError('protocol_error', `${server} answered ${method} without “${field}”.`, {
        owner: 'server',
        server,
        next: `plug logs ${server}`,
      });
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

/** A tool without a name, a second one of the same name, or with bad headers is set aside and said. */
function usableTools(
  tools: readonly JsonObject[],
  { problems, http }: { readonly problems: string[]; readonly http: boolean },
): readonly RawTool[] {
  const byName = new Map<string, RawTool>();
  for (const tool of tools) {
    const name = tool['name'];
    if (typeof name !== 'string' || name === '') {
      problems.push('A tool without a name was set aside.');
      continue;
    }
    if (byName.has(name)) {
      problems.push(`A second tool called “${name}” was set aside.`);
      continue;
    }
    const bad = http ? headerDeclarationProblem(tool['inputSchema']) : undefined;
    if (bad) {
      problems.push(`The tool “${name}” was set aside: ${bad}`);
      continue;
    }
    byName.set(name, tool as RawTool); // its name was checked above
  }
  return [...byName.values()];
}
