import type { JsonObject } from '../../base/json.ts';
import { type OfferRequest, answerOffer, offerTools, parseOfferCall } from '../../catalog/offers-as-tools.ts';
import type { Tool } from '../../catalog/tool.ts';
import type { CallOptions, CallResult } from '../calls.ts';
import type { Client } from '../client.ts';
import type { Core } from '../core.ts';
import { promptsOf, resourcesOf } from '../resources-api.ts';
import type { Workspace } from '../workspace.ts';

/** Resources and prompts as tools; empty when no server offers any. */
export async function ownTools(core: Core, workspace: Workspace, client: Client): Promise<readonly Tool[]> {
  const [{ resources, templates }, { prompts }] = await Promise.all([
    resourcesOf(core, workspace, client).list({}, {}),
    promptsOf(core, workspace, client).list({}, {}),
  ]);
  return offerTools({ resources: resources.length + templates.length > 0, prompts: prompts.length > 0 });
}

/** What a call of one of them asks for, or undefined when it is a tool of a server. */
export function ownCall(tool: string, args: JsonObject): OfferRequest | undefined {
  return tool.startsWith(OWN) ? parseOfferCall(tool.slice(OWN.length), args) : undefined;
}

/** No server can have this id. */
const OWN = 'plug/';

/** It reads, and invokes nothing: there is no tool behind it to be decided about. */
export async function callOwn(
  core: Core,
  workspace: Workspace,
  client: Client,
  request: OfferRequest,
  { signal }: CallOptions,
): Promise<CallResult> {
  const { clock, ids } = core;
  const started = clock.monotonic();
  const api = {
    resources: resourcesOf(core, workspace, client),
    prompts: promptsOf(core, workspace, client),
  };
  const whole = await answerOffer(request, api, signal ? { signal } : {});
  const callId = ids.next('call');
  const tool = request.kind.replace('-', '_');
  const call = { callId, server: 'plug', tool };
  const kept = await core.decisions.results.keep({ ...call, result: whole, whole: false });
  return {
    ...call,
    durationMs: clock.monotonic() - started,
    isError: whole['isError'] === true,
    ...kept,
    allowedBy: 'It reads what a server offers for reading.',
  };
}
