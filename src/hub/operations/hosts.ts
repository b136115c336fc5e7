import { profileFields } from '../../servers/definition-schema.ts';
import type { Profile } from '../../servers/profile.ts';
import type { AddedHost, AttachedHost, HostOptions, HostView } from '../hosts.ts';
import { local, op, type, type Zod } from './operation.ts';

const name = (z: Zod) => z.string().min(1).max(128);
const byName = (z: Zod) => z.strictObject({ name: name(z) });

export const profiles = {
  list: op('GET /v1/profiles', {
    summary: 'All profiles.',
    role: 'member',
    output: type<readonly Profile[]>(),
  }),
  save: op('PUT /v1/profiles/:name', {
    summary: 'Saves a profile under its name.',
    role: 'owner',
    input: (z) => z.strictObject(profileFields(z)),
  }),
  remove: op('DELETE /v1/profiles/:name', { summary: 'Removes a profile.', role: 'owner', input: byName }),
};

export const hosts = {
  list: op('GET /v1/host-tokens', {
    summary: 'The hosts that have a token for the gateway.',
    role: 'member',
    output: type<readonly HostView[]>(),
  }),
  /** The one time that a token of ours is told: it opens the gateway for this host, and nothing beside it. */
  add: op('POST /v1/host-tokens', {
    summary: 'Makes a token that opens the gateway for a host, and tells it this once.',
    role: 'owner',
    redact: 'progress',
    input: (z) =>
      z.strictObject({
        name: name(z),
        profile: name(z).exactOptional(),
        /** Only what is known to read is offered to it, and runs. */
        readOnly: z.boolean().exactOptional(),
      }),
    output: type<AddedHost>(),
  }),
  revoke: op('DELETE /v1/host-tokens/:name', {
    summary: 'Takes the token of a host back; what it has under way ends.',
    role: 'owner',
    input: byName,
  }),
  /** Servers' requests reach it until it closes. It is a thing with a lifetime, not a document. */
  attach: local({
    summary: 'Registers a face that can answer what servers ask.',
    role: 'member',
    redact: 'progress',
    input: type<HostOptions>(),
    output: type<AttachedHost>(),
  }),
};
