import { isObject, type JsonObject } from '../base/json.ts';
import type { CallOptions } from '../hub/hub.ts';
import type { Approver } from './approver.ts';
import { callOptions, callTool } from './call-tool.ts';
import type { Endpoint } from './endpoint.ts';
import type { HostCall } from './host-call.ts';
import { mapUris } from './map-uris.ts';
import { isListMethod } from './offers.ts';
import { RpcError, rpcCodes, type Answer } from './rpc.ts';
import { shownTask, taskOf, taskQuestions, taskWords } from './tasks.ts';

/** Undefined for any other method. */
export function answerMethod(
  endpoint: Endpoint,
  method: string,
  params: JsonObject,
  call: HostCall,
  approver: Approver,
): Promise<Answer> | undefined {
  // Nearly all requests are calls.
  if (method === 'tools/call') return callTool(endpoint, params, call, approver);
  if (isListMethod(method)) return endpoint.offers.page(method, params['cursor'], call.era);
  const options = callOptions(call);
  if (method === 'resources/read') return readResource(endpoint, params, call, options);
  if (method === 'prompts/get') return getPrompt(endpoint, params, call, options);
  if (method === 'completion/complete') return complete(endpoint, params, options);
  if (TASKS.has(method)) return askTask(endpoint, method, params, call, options);
  if (EXTENSIONS.has(method)) return askExtension(endpoint, method, params, call, options);
  return undefined;
}

const TASKS = new Set(['tasks/get', 'tasks/update', 'tasks/cancel', 'tasks/result']);
const EXTENSIONS = new Set(['skills/list', 'skills/get', 'resources/directory/read']);

/** Everything `answerMethod` answers. */
export const sharedMethods: readonly string[] = [
  'tools/call',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
  'resources/read',
  'prompts/get',
  'completion/complete',
  ...TASKS,
  ...EXTENSIONS,
];

/** The server of a shown address, and the server's own form of it. */
export async function placeOf(
  endpoint: Endpoint,
  uri: unknown,
): Promise<{ readonly server: string; readonly uri: string }> {
  const place = typeof uri === 'string' ? endpoint.uris.back(uri) : undefined;
  if (place && (await endpoint.reach())(place.server)) return place;
  const text = typeof uri === 'string' ? `“${uri.slice(0, 200)}”` : 'This';
  throw new RpcError(rpcCodes.invalidParams, `${text} is not the address of a resource here.`);
}

async function readResource(
  endpoint: Endpoint,
  params: JsonObject,
  call: HostCall,
  options: CallOptions,
): Promise<JsonObject> {
  const { server, uri } = await placeOf(endpoint, params['uri']);
  const answer = await endpoint.hub.resources.read({ server, uri, ...hostOf(call) }, options);
  return shown(endpoint, server, answer);
}

async function getPrompt(
  endpoint: Endpoint,
  params: JsonObject,
  call: HostCall,
  options: CallOptions,
): Promise<JsonObject> {
  const { server, name } = await promptOf(endpoint, params['name']);
  const args = isObject(params['arguments']) ? (params['arguments'] as Record<string, string>) : {}; // as the host sent them
  const answer = await endpoint.hub.prompts.get({ server, name, args, ...hostOf(call) }, options);
  return shown(endpoint, server, answer);
}

async function promptOf(
  endpoint: Endpoint,
  shownName: unknown,
): Promise<{ readonly server: string; readonly name: string }> {
  const found = typeof shownName === 'string' ? await endpoint.findPrompt(shownName) : undefined;
  if (found) return found;
  const text = typeof shownName === 'string' ? `“${shownName.slice(0, 200)}”` : 'without a name';
  throw new RpcError(rpcCodes.invalidParams, `There is no prompt ${text} here.`);
}

async function complete(endpoint: Endpoint, params: JsonObject, options: CallOptions): Promise<JsonObject> {
  const { ref, argument, context } = params;
  const { name, value } = isObject(argument) ? argument : {};
  if (!isObject(ref) || typeof name !== 'string' || typeof value !== 'string') {
    throw new RpcError(
      rpcCodes.invalidParams,
      'A completion names what it completes, and an argument of it.',
    );
  }
  const asked = {
    argument: { name, value },
    ...(isObject(context) ? { context } : {}),
  };
  if (ref['type'] === 'ref/prompt') {
    const prompt = await promptOf(endpoint, ref['name']);
    const { server } = prompt;
    return endpoint.hub.prompts.complete({ server, ref: { ...ref, name: prompt.name }, ...asked }, options);
  }
  const { server, uri } = await placeOf(endpoint, ref['uri']);
  return endpoint.hub.prompts.complete({ server, ref: { ...ref, uri }, ...asked }, options);
}

async function askTask(
  endpoint: Endpoint,
  method: string,
  params: JsonObject,
  call: HostCall,
  options: CallOptions,
): Promise<JsonObject> {
  const { only } = endpoint;
  const task = only === undefined ? taskOf(params['taskId']) : { server: only, taskId: params['taskId'] };
  if (typeof task?.taskId !== 'string' || !(await endpoint.reach())(task.server))
    throw new RpcError(rpcCodes.invalidParams, 'There is no such task here.');
  const { server, taskId } = task;
  const asked = { server, method, params: { ...withoutMeta(params), taskId }, ...hostOf(call) };
  const told = await endpoint.hub.tools.task(asked, options);
  const { answers } = taskQuestions(server, told);
  if (Object.keys(answers).length > 0) {
    const update = { ...asked, method: 'tasks/update', params: { taskId, inputResponses: answers } };
    await endpoint.hub.tools.task(update, options);
  }
  return taskWords(server, only === undefined ? shownTask(server, shown(endpoint, server, told)) : told);
}

async function askExtension(
  endpoint: Endpoint,
  method: string,
  params: JsonObject,
  call: HostCall,
  options: CallOptions,
): Promise<JsonObject> {
  const ask = async (server: string, own: JsonObject): Promise<JsonObject> =>
    shown(
      endpoint,
      server,
      await endpoint.hub.resources.extension({ server, method, params: own, ...hostOf(call) }, options),
    );
  const plain = withoutMeta(params);
  if (endpoint.only !== undefined) return ask(endpoint.only, plain);
  if (method !== 'skills/list') {
    const { server, uri } = await placeOf(endpoint, params['uri']);
    return ask(server, { ...plain, uri });
  }
  const [{ servers }, reaches] = await Promise.all([endpoint.hub.servers.list(), endpoint.reach()]);
  const able = servers.filter(({ id, capabilities }) => reaches(id) && offersSkills(capabilities));
  const answers = await Promise.allSettled(able.map(({ id }) => ask(id, plain)));
  const skills = answers.flatMap((each) => {
    const list = each.status === 'fulfilled' ? each.value['skills'] : undefined;
    return Array.isArray(list) ? list : [];
  });
  return { skills };
}

function offersSkills(capabilities: JsonObject | undefined): boolean {
  const extensions = capabilities?.['extensions'];
  return isObject(extensions) && isObject(extensions['io.modelcontextprotocol/skills']);
}

function shown(endpoint: Endpoint, server: string, answer: JsonObject): JsonObject {
  return endpoint.only === undefined ? mapUris(answer, (uri) => endpoint.uris.out(server, uri)) : answer;
}

function hostOf({ host }: HostCall): { readonly host?: string } {
  return host === undefined ? {} : { host };
}

/** `_meta` belongs to the link with the host. */
function withoutMeta(params: JsonObject): JsonObject {
  const { _meta: _, ...rest } = params;
  return rest;
}
