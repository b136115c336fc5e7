import { isObject, type JsonObject } from '../base/json.ts';
import { showsApps } from '../catalog/app-tools.ts';
import type { CallOptions } from '../hub/hub.ts';
import type { Approver } from './approver.ts';
import { callOptions, callTool, taskQuestions, taskWords } from './call-tool.ts';
import type { Endpoint, PromptRef } from './endpoint.ts';
import { unknownFields, type HostCall } from './host-call.ts';
import { mapUris, type ServerUri } from './uris.ts';
import type { HostTasks } from './host-tasks.ts';
import { isListMethod } from './offers.ts';
import { RpcError, rpcCodes, type Answer } from './rpc.ts';

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
  if (isListMethod(method)) {
    const { era, handlers } = call;
    return endpoint.offers.page(method, params['cursor'], era, showsApps(handlers.capabilities));
  }
  const { host, tasks } = call;
  const fields = fieldsBeside(params, call);
  const asked = {
    endpoint,
    method,
    params,
    fields: fields === undefined ? {} : { fields },
    meta: call.meta,
    host: host === undefined ? {} : { host },
    options: callOptions(call),
    tasks,
  };
  if (method === 'resources/read') return readResource(asked);
  if (method === 'prompts/get') return getPrompt(asked);
  if (method === 'completion/complete') return complete(asked);
  if (TASKS.has(method)) return askTask(asked);
  if (EXTENSIONS.has(method) || endpoint.passes(method)) return askExtension(asked);
  return undefined;
}

interface MethodRequest {
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly params: JsonObject;
  /** What of the parameters we do not know, `_meta` included. */
  readonly fields: { readonly fields?: JsonObject };
  readonly meta: JsonObject | undefined;
  readonly host: { readonly host?: string };
  readonly options: CallOptions;
  readonly tasks: HostTasks;
}

const TASKS = new Set(['tasks/get', 'tasks/update', 'tasks/cancel', 'tasks/result', 'tasks/list']);
const EXTENSIONS = new Set(['skills/list', 'skills/get', 'resources/directory/read']);

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
export async function findResource(endpoint: Endpoint, uri: unknown): Promise<ServerUri> {
  const found = typeof uri === 'string' ? endpoint.uris.back(uri) : undefined;
  if (found && (await endpoint.reach())(found.server)) return found;
  const text = typeof uri === 'string' ? `“${uri.slice(0, 200)}”` : 'This';
  throw new RpcError(rpcCodes.invalidParams, `${text} is not the address of a resource here.`);
}

async function readResource({ endpoint, params, fields, host, options }: MethodRequest): Promise<JsonObject> {
  const resource = await findResource(endpoint, params['uri']);
  const answer = await endpoint.hub.resources.read({ ...resource, ...fields, ...host }, options);
  return shown(endpoint, resource.server, answer);
}

async function getPrompt({ endpoint, params, fields, host, options }: MethodRequest): Promise<JsonObject> {
  const prompt = await findPrompt(endpoint, params['name']);
  const args = isObject(params['arguments']) ? (params['arguments'] as Record<string, string>) : {}; // as the host sent them
  return shown(
    endpoint,
    prompt.server,
    await endpoint.hub.prompts.get({ ...prompt, args, ...fields, ...host }, options),
  );
}

async function findPrompt(endpoint: Endpoint, name: unknown): Promise<PromptRef> {
  const found = typeof name === 'string' ? await endpoint.findPrompt(name) : undefined;
  if (found) return found;
  const text = typeof name === 'string' ? `“${name.slice(0, 200)}”` : 'without a name';
  throw new RpcError(rpcCodes.invalidParams, `There is no prompt ${text} here.`);
}

async function complete({ endpoint, params, fields, options }: MethodRequest): Promise<JsonObject> {
  const { ref, argument, context } = params;
  const { name, value } = isObject(argument) ? argument : {};
  if (!isObject(ref) || typeof name !== 'string' || typeof value !== 'string') {
    throw new RpcError(rpcCodes.invalidParams, 'A completion needs a reference and an argument.');
  }
  const { server, ...found } =
    ref['type'] === 'ref/prompt'
      ? await findPrompt(endpoint, ref['name'])
      : await findResource(endpoint, ref['uri']);
  const asked = { argument: { name, value }, ...(isObject(context) ? { context } : {}) };
  return endpoint.hub.prompts.complete({ server, ref: { ...ref, ...found }, ...asked, ...fields }, options);
}

/** Of its own tasks alone: a host cannot ask about another one's. */
async function askTask(request: MethodRequest): Promise<JsonObject> {
  const { endpoint, method, params, host, options, tasks } = request;
  if (method === 'tasks/list') return listTasks(request);
  const task = tasks.find(params['taskId']);
  if (!task || !(await endpoint.reach())(task.server)) {
    throw new RpcError(rpcCodes.invalidParams, 'There is no such task here.');
  }
  const { server, taskId } = task;
  const asked = { server, method, params: { ...withoutMeta(params), taskId }, ...host };
  const told = await endpoint.hub.tools.task(asked, options);
  const { answers } = taskQuestions(server, told);
  if (Object.keys(answers).length > 0) {
    const update = { ...asked, method: 'tasks/update', params: { taskId, inputResponses: answers } };
    await endpoint.hub.tools.task(update, options);
  }
  return taskWords(server, tasks.show(server, shown(endpoint, server, told)));
}

/** Where there is one server: its list, without the tasks of other hosts. */
async function listTasks({
  endpoint,
  method,
  params,
  host,
  options,
  tasks,
}: MethodRequest): Promise<JsonObject> {
  const { only: server } = endpoint;
  if (server === undefined) throw new RpcError(rpcCodes.methodNotFound, 'Tasks are not listed here.');
  const asked = { server, method, params: withoutMeta(params), ...host };
  const told = await endpoint.hub.tools.task(asked, options);
  const listed = Array.isArray(told['tasks']) ? told['tasks'] : [];
  const own = listed.filter((task) => isObject(task) && tasks.shownId(server, task['taskId']) !== undefined);
  return { ...told, tasks: own.map((task) => taskWords(server, { task })['task'] ?? null) };
}

async function askExtension({
  endpoint,
  method,
  params,
  meta,
  host,
  options,
}: MethodRequest): Promise<JsonObject> {
  const ask = async (server: string, own: JsonObject): Promise<JsonObject> => {
    const request = { server, method, params: own, ...host };
    return shown(endpoint, server, await endpoint.hub.resources.extension(request, options));
  };
  const plain = meta === undefined ? withoutMeta(params) : { ...params, _meta: meta };
  if (endpoint.only !== undefined) return ask(endpoint.only, plain);
  if (method !== 'skills/list') {
    const { server, uri } = await findResource(endpoint, params['uri']);
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

function fieldsBeside(params: JsonObject, { meta: _meta, inputs }: HostCall): JsonObject | undefined {
  const unknown = unknownFields(params);
  return _meta || inputs ? { ...unknown, ...inputs, ...(_meta ? { _meta } : {}) } : unknown;
}

/** `_meta` belongs to the link with the host. */
function withoutMeta(params: JsonObject): JsonObject {
  const { _meta: _, ...rest } = params;
  return rest;
}
