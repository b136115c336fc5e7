import type { IncomingMessage } from 'node:http';
import { SPACE_HEADER } from '../front.ts';
import type { HostFront } from '../host-front.ts';
import type { People } from '../people.ts';
import { ownerOf, TEAM_OWNER } from '../spaces.ts';

/** Whose rows a request is about. What is not allowed is refused later, by any replica. */
export function ownerIn(
  people: Pick<People, 'who' | 'find'>,
  hosts: Pick<HostFront, 'isForHosts'>,
): (request: IncomingMessage) => Promise<string | undefined> {
  return async ({ url = '', headers }) => {
    const isHost = hosts.isForHosts(url);
    if (!isHost && (!url.startsWith('/v1/') || url.startsWith('/v1/team/'))) return undefined;
    const known = await people.who((name) => textOf(headers[name]));
    if (!known) return undefined;
    const space = isHost ? undefined : textOf(headers[SPACE_HEADER]);
    if (space === undefined) return ownerOf(known.person);
    if (space === 'team') return TEAM_OWNER;
    const id = /^person:([\w-]{1,64})$/.exec(space)?.[1];
    const other = id !== undefined && known.person.role === 'auditor' ? await people.find(id) : undefined;
    return other && ownerOf(other);
  };
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header.join(', ') : header;
}
