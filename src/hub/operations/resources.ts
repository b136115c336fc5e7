import type { JsonObject } from '../../base/json.ts';
import type { CallOptions, ForwardedRequest, Offered } from '../calls.ts';
import { accountName, host, jsonObject, ofServer, serverId, toolRef } from './fields.ts';
import { local, member, owner, progress, type, type Zod } from './operation.ts';

const uri = (z: Zod) => z.string().min(1).max(8_192);
/** With a host, that host's own connection is meant, where it has one. */
const resource = (z: Zod) => ({ server: serverId(z), uri: uri(z), host: host(z).exactOptional() });
/** Passed through beside the others: what a host sent that we do not know, `_meta` included. */
const fields = (z: Zod) => jsonObject(z).exactOptional();
/** Default: the server's default account. */
const account = (z: Zod) => accountName(z).exactOptional();

export const resources = {
  list: member('GET /v1/resources', 'Resources and resource templates as known.', {
    redact: 'lists',
    input: ofServer,
    output: type<{ readonly resources: readonly Offered[]; readonly templates: readonly Offered[] }>(),
  }),
  read: member('POST /v1/resources/read', 'Reads a resource.', {
    redact: 'progress',
    input: (z) => ({ ...resource(z), account: account(z), fields: fields(z) }),
    output: type<JsonObject>(),
    progress: progress(),
    options: type<CallOptions>(),
  }),
  /** Updates arrive as `resource-update` events until the last subscription ends. */
  subscribe: member('POST /v1/resources/subscribe', 'Asks for events when a resource changes.', {
    input: resource,
  }),
  unsubscribe: member('POST /v1/resources/unsubscribe', 'Ends a subscription.', { input: resource }),
  /** Any method that the protocol itself does not have. In read-only mode, those alone that are known to read. */
  extension: local('Forwards a method of an extension.', {
    redact: 'progress',
    input: type<ForwardedRequest>(),
    output: type<JsonObject>(),
    options: type<CallOptions>(),
  }),
};

export const prompts = {
  list: member('GET /v1/prompts', 'Prompts as known.', {
    redact: 'lists',
    input: ofServer,
    output: type<{ readonly prompts: readonly Offered[] }>(),
  }),
  get: member('POST /v1/prompts/get', 'Fills in a prompt.', {
    redact: 'progress',
    input: (z) => ({
      server: serverId(z),
      name: toolRef(z),
      args: z.record(z.string(), z.string()).exactOptional(),
      host: host(z).exactOptional(),
      account: account(z),
      fields: fields(z),
    }),
    output: type<JsonObject>(),
    progress: progress(),
    options: type<CallOptions>(),
  }),
  complete: member('POST /v1/completions', 'Completes an argument of a prompt or of a resource template.', {
    redact: 'progress',
    input: (z) => ({
      server: serverId(z),
      ref: jsonObject(z),
      argument: z.strictObject({ name: z.string(), value: z.string() }),
      context: jsonObject(z).exactOptional(),
      host: host(z).exactOptional(),
      fields: fields(z),
    }),
    output: type<JsonObject>(),
    progress: progress(),
    options: type<CallOptions>(),
  }),
  /** logging/setLevel, or the level sent with each request on modern links. */
  setLogLevel: owner('POST /v1/log-level', 'Sets how much a server logs.', {
    input: (z) => ({ server: serverId(z), level: z.string().max(32) }),
  }),
};
