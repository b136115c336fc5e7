import type { JsonObject } from '../../base/json.ts';
import type { CallOptions, ForwardedRequest, Offered } from '../calls.ts';
import { host, jsonObject, ofServer, serverId, toolRef } from './fields.ts';
import { local, op, progress, type, type Zod } from './operation.ts';

const uri = (z: Zod) => z.string().min(1).max(8_192);
/** With a host, that host's own connection is meant, where it has one. */
const resource = (z: Zod) =>
  z.strictObject({ server: serverId(z), uri: uri(z), host: host(z).exactOptional() });

export const resources = {
  list: op('GET /v1/resources', {
    summary: 'Resources and resource templates as known.',
    role: 'member',
    redact: 'lists',
    input: ofServer,
    output: type<{ readonly resources: readonly Offered[]; readonly templates: readonly Offered[] }>(),
  }),
  read: op('POST /v1/resources/read', {
    summary: 'Reads a resource.',
    role: 'member',
    redact: 'progress',
    input: resource,
    output: type<JsonObject>(),
    progress: progress(),
    options: type<CallOptions>(),
  }),
  /** Updates arrive as `resource-update` events until the last subscription ends. */
  subscribe: op('POST /v1/resources/subscribe', {
    summary: 'Asks for events when a resource changes.',
    role: 'member',
    input: resource,
  }),
  unsubscribe: op('POST /v1/resources/unsubscribe', {
    summary: 'Ends a subscription.',
    role: 'member',
    input: resource,
  }),
  /** Methods of extensions that only read: `skills/list`, `skills/get`, `resources/directory/read`. */
  extension: local({
    summary: 'Forwards a method of an extension that only reads.',
    role: 'member',
    redact: 'progress',
    input: type<ForwardedRequest>(),
    output: type<JsonObject>(),
    options: type<CallOptions>(),
  }),
};

export const prompts = {
  list: op('GET /v1/prompts', {
    summary: 'Prompts as known.',
    role: 'member',
    redact: 'lists',
    input: ofServer,
    output: type<{ readonly prompts: readonly Offered[] }>(),
  }),
  get: op('POST /v1/prompts/get', {
    summary: 'Fills in a prompt.',
    role: 'member',
    redact: 'progress',
    input: (z) =>
      z.strictObject({
        server: serverId(z),
        name: toolRef(z),
        args: z.record(z.string(), z.string()).exactOptional(),
        host: host(z).exactOptional(),
      }),
    output: type<JsonObject>(),
    progress: progress(),
    options: type<CallOptions>(),
  }),
  complete: op('POST /v1/completions', {
    summary: 'Completes an argument of a prompt or of a resource template.',
    role: 'member',
    redact: 'progress',
    input: (z) =>
      z.strictObject({
        server: serverId(z),
        ref: jsonObject(z),
        argument: z.strictObject({ name: z.string(), value: z.string() }),
        context: jsonObject(z).exactOptional(),
        host: host(z).exactOptional(),
      }),
    output: type<JsonObject>(),
    progress: progress(),
    options: type<CallOptions>(),
  }),
  /** logging/setLevel, or the level sent with each request on modern links. */
  setLogLevel: op('POST /v1/log-level', {
    summary: 'Sets how much a server logs.',
    role: 'owner',
    input: (z) => z.strictObject({ server: serverId(z), level: z.string().max(32) }),
  }),
};
