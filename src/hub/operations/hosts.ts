import { profileFields } from '../../servers/definition-schema.ts';
import type { Profile } from '../../servers/profile.ts';
import type { AddedHost, AttachedHost, HostOptions, HostView } from '../hosts.ts';
import { flag } from './fields.ts';
import { local, member, owner, type, type Zod } from './operation.ts';

const name = (z: Zod) => z.string().min(1).max(128);
const byName = (z: Zod) => ({ name: name(z) });

export const profiles = {
  list: member('GET /v1/profiles', 'All profiles.', { output: type<readonly Profile[]>() }),
  save: owner('PUT /v1/profiles/:name', 'Saves a profile under its name.', { input: profileFields }),
  remove: owner('DELETE /v1/profiles/:name', 'Removes a profile.', { input: byName }),
};

export const hosts = {
  list: member('GET /v1/host-tokens', 'The hosts that have a token, for the gateway or for the API.', {
    output: type<readonly HostView[]>(),
  }),
  /** The one time that a token of ours is told: it opens one thing for this host, and nothing beside it. */
  add: owner(
    'POST /v1/host-tokens',
    'Makes a token that opens the gateway, or the API, for a host, and tells it this once.',
    {
      redact: 'progress',
      input: (z) => ({
        name: name(z),
        profile: name(z).exactOptional(),
        /** Only what is known to read is offered to it, and runs. */
        readOnly: flag(z),
        /** The API instead of the gateway: for an editor that acts for its user, and may do all that they may. */
        opens: z.literal('api').exactOptional(),
      }),
      output: type<AddedHost>(),
    },
  ),
  revoke: owner('DELETE /v1/host-tokens/:name', 'Revokes a host’s token and cancels its calls.', {
    input: byName,
  }),
  /** Servers' requests reach it until it closes. It is a thing with a lifetime, not a document. */
  attach: local('Registers a face that can answer what servers ask.', {
    redact: 'progress',
    input: type<HostOptions>(),
    output: type<AttachedHost>(),
  }),
};
