import type { JsonObject } from '../base/json.ts';
import type { HostRequestKind } from '../connections/host.ts';
import type { HubEvent, HubStatus } from '../hub/hub.ts';
import { jsonObject, toolRef } from '../hub/operations/fields.ts';
import { op, type } from '../hub/operations/operation.ts';

/** Operations about the process, its streams and its hosts. */
export const listenerOperations = {
  health: op('GET /health', {
    summary: 'Tells that a hub is running.',
    role: 'member',
    output: type<{ readonly ok: true }>(),
  }),
  openapi: op('GET /v1/openapi.json', {
    summary: 'This document.',
    role: 'member',
    output: type<JsonObject>(),
  }),
  status: op('GET /v1/status', {
    summary: 'Version, address, servers by state, memory.',
    role: 'member',
    output: type<HubStatus>(),
  }),
  watch: op('GET /v1/events', {
    summary: 'Everything that happens from now on.',
    role: 'member',
    output: type<HubEvent>(),
    stream: 'events',
  }),
  shutdown: op('POST /v1/shutdown', {
    summary: 'Stops the hub and every process it started.',
    role: 'owner',
  }),
  'page.link': op('POST /v1/page/link', {
    summary: 'A link that opens the page, once; with “file”, also as a file for a browser to open.',
    role: 'member',
    input: (z) => z.strictObject({ file: z.boolean().exactOptional() }),
    output: type<PageLink>(),
  }),
  'hosts.attach': op('POST /v1/hosts', {
    summary: 'Registers a face that can answer what servers ask.',
    role: 'member',
    input: (z) =>
      z.strictObject({
        name: z.string().min(1).max(128),
        cwd: z.string().max(4_096).exactOptional(),
        answers: z.array(z.enum(['elicitation', 'sampling', 'roots'])).max(3),
      }),
    output: type<{ readonly id: string }>(),
  }),
  'hosts.requests': op('GET /v1/hosts/:id/requests', {
    summary: 'What servers ask of this host.',
    role: 'member',
    input: (z) => z.strictObject({ id: toolRef(z) }),
    output: type<HostMessage>(),
    stream: 'events',
  }),
  'hosts.answer': op('POST /v1/hosts/:id/answers/:requestId', {
    summary: 'Answers one request, or says why it was not answered.',
    role: 'member',
    input: (z) =>
      z.union([
        z.strictObject({ id: toolRef(z), requestId: toolRef(z), result: jsonObject(z) }),
        z.strictObject({ id: toolRef(z), requestId: toolRef(z), problem: z.string().max(2_000) }),
      ]),
  }),
  'hosts.detach': op('DELETE /v1/hosts/:id', {
    summary: 'The face goes; its open requests fail.',
    role: 'member',
    input: (z) => z.strictObject({ id: toolRef(z) }),
  }),
};

export interface PageLink {
  readonly url: string;
  readonly expiresAt: number;
  readonly file?: string;
}

/** Sent to an attached host: a server's request, or its cancellation. */
export type HostMessage =
  | {
      readonly kind: 'request';
      readonly requestId: string;
      readonly server: string;
      readonly asks: HostRequestKind;
      readonly params: JsonObject;
    }
  | { readonly kind: 'cancel'; readonly requestId: string };

export type HostAnswer = { readonly result: JsonObject } | { readonly problem: string };
