import { toPlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Tool } from '../../catalog/tool.ts';
import { featuredAt } from '../../servers/featured.ts';
import { LIBRARY } from '../client.ts';
import type { Core } from '../core.ts';
import { grantsOf } from '../decisions/grants-api.ts';
import { needsNothing, resultText } from '../decisions/safe-read.ts';
import type { FirstCall, ServerView } from '../hub.ts';
import { toolsOf } from '../tools-api.ts';
import type { Workspace } from '../workspace.ts';

/** One call of a tool that is known to change nothing, so that a person sees it work. */
export async function firstCall(
  core: Core,
  workspace: Workspace,
  servers: readonly ServerView[],
  signal: AbortSignal | undefined,
): Promise<FirstCall> {
  const works = servers.filter(({ state }) => state.kind === 'ready' || state.kind === 'degraded');
  if (works.length === 0) return { kind: 'none', why: 'No server is ready yet.' };
  let failure: FirstCall | undefined;
  const tools = works.flatMap(({ id }) => safeTool(core, workspace, id) ?? []);
  for (const tool of tools.slice(0, ATTEMPTS_MAX)) {
    const outcome = await callOnce(core, workspace, tool, signal);
    if (outcome.kind === 'done') return outcome;
    failure ??= outcome;
  }
  const why = 'No ready server has a read-only tool without required arguments.';
  return failure ?? { kind: 'none', why };
}

const ATTEMPTS_MAX = 3;

/** The featured read, else one that its server declares read-only. */
function safeTool({ pool, decisions: { known } }: Core, workspace: Workspace, id: string): Tool | undefined {
  const server = workspace.pooled(workspace.resolved(id));
  const manifest = pool.manifest(server.key);
  if (!manifest) return undefined;
  const fit = known.catalog
    .entries(known.seen(server), manifest)
    .filter(({ withheld, tool }) => !withheld && tool.flags.length === 0 && needsNothing(tool))
    .map(({ tool }) => tool)
    .filter(({ name }) => !PRIVATE.test(name));
  const featured = featuredAt(server.definition.endpoint)?.readTool;
  return fit.find(({ name }) => name === featured) ?? fit.find(isDeclaredReadOnly);
}

/** Reading changes nothing, but its answer is printed: what is likely to hold keys is left alone. */
const PRIVATE = /env|secret|token|key|passw|credential/i;

function isDeclaredReadOnly({ definition }: Tool): boolean {
  const hints = definition['annotations'];
  return isObject(hints) && hints['readOnlyHint'] === true && hints['destructiveHint'] !== true;
}

/** Setup was agreed to with this call in it: it is granted once, for this tool as it is now. */
async function callOnce(
  core: Core,
  workspace: Workspace,
  { ref }: Tool,
  signal: AbortSignal | undefined,
): Promise<FirstCall> {
  const begun = core.clock.monotonic();
  const grants = grantsOf(core, workspace, LIBRARY);
  const { id } = await grants.add({ tool: ref, once: true, session: true }, {});
  try {
    const { result } = await toolsOf(core, workspace, LIBRARY).call(
      { tool: ref, args: {}, approval: 'refuse', timeoutMs: core.limits.setupCallMs },
      signal ? { signal } : {},
    );
    const text = resultText(result['content']).slice(0, TEXT_CHARS_MAX);
    if (result['isError'] !== true)
      return { kind: 'done', tool: ref, text, ms: Math.round(core.clock.monotonic() - begun) };
    const message = text === '' ? `${ref} answered with an error.` : text;
    return { kind: 'failed', tool: ref, error: { code: 'server_error', owner: 'server', message } };
  } catch (error) {
    return { kind: 'failed', tool: ref, error: toPlugError(error).toView() };
  } finally {
    // Gone already where the call used it up.
    await grants.revoke({ id }, {}).catch(() => undefined);
  }
}

const TEXT_CHARS_MAX = 2_000;
