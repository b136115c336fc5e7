import type { IncomingMessage } from 'node:http';
import { callbackIn } from '../callbacks.ts';
import type { Credentials } from '../credentials.ts';
import { SPACE_HEADER } from '../front.ts';
import type { HostFront } from '../host-front.ts';
import { ownerOf, TEAM_OWNER } from '../owners.ts';
import type { WaitingApprovals } from '../waiting-approvals.ts';
import type { People, Person } from '../people.ts';

interface OwnerInOptions {
  readonly people: Pick<People, 'find'>;
  readonly credentials: Pick<Credentials, 'who'>;
  readonly hosts: Pick<HostFront, 'isForHosts'>;
  readonly approvals: Pick<WaitingApprovals, 'ownerOf'>;
}

/** Whose rows a request is about. What is not allowed is refused later, by any replica. */
export function ownerIn({
  people,
  credentials,
  hosts,
  approvals,
}: OwnerInOptions): (request: IncomingMessage) => Promise<string | undefined> {
  return async ({ url = '', headers }) => {
    const path = url.split('?', 1)[0] ?? '';
    const isHost = hosts.isForHosts(url);
    const kind = isHost ? 'own' : kindOf(path);
    if (kind === undefined) return undefined;
    const known = await credentials.who((name) => textOf(headers[name]));
    if (!known) return undefined;
    if (kind === 'team') return TEAM_OWNER;
    if (kind === 'approval') return await approvals.ownerOf(path.slice(APPROVAL.length));
    const space = kind === 'own' ? undefined : textOf(headers[SPACE_HEADER]);
    return await ownerNamed(space, known.person, people);
  };
}

const APPROVAL = '/v1/team/approvals/';

/** `named`: the header says it. Undefined where no hub of anybody is needed. */
function kindOf(path: string): 'own' | 'team' | 'named' | 'approval' | undefined {
  const callback = callbackIn(path);
  if (callback) return callback;
  if (/^\/v1\/team\/promotions\/[^/]+\/approve$/.test(path)) return 'team';
  if (/^\/v1\/team\/(promotions|keys|apps)(\/|$)/.test(path)) return 'own';
  if (path.startsWith(APPROVAL)) return 'approval';
  if (path.startsWith('/v1/team/')) return undefined;
  return path.startsWith('/v1/') ? 'named' : undefined;
}

async function ownerNamed(
  space: string | undefined,
  person: Person,
  people: Pick<People, 'find'>,
): Promise<string | undefined> {
  if (space === undefined) return ownerOf(person);
  if (space === 'team') return TEAM_OWNER;
  const id = /^person:([\w-]{1,64})$/.exec(space)?.[1];
  const other = id !== undefined && person.role === 'auditor' ? await people.find(id) : undefined;
  return other && ownerOf(other);
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header.join(', ') : header;
}
