import type { Answerer } from '../policy/approval.ts';
import type { Requester } from '../policy/decision.ts';
import { LOCAL, type Principal } from './principal.ts';

/** The program at the other end of a face: a caller may not answer its own questions. */
export interface Client {
  /** Of its own for every connection or process. */
  readonly id: string;
  readonly kind: Answerer['kind'];
  readonly principal: Principal;
  readonly name?: string;
}

export const LIBRARY: Client = { id: 'library', kind: 'library', principal: LOCAL };

/** A chat's model is a client of its own, so that the person at the face may answer its questions. */
export function agentOf({ id, principal }: Client): Client {
  return { id: `agent.${id}`, kind: 'library', principal, name: 'plug chat' };
}

/** A host speaks for a model; a person speaks for themselves, also where their face is attached as a host. */
export function requesterOf(
  client: Client,
  host: { readonly id: string; readonly name?: string } | undefined,
  requester: 'person' | 'program' = 'program',
): Requester {
  const name = requester === 'person' ? client.name : (host?.name ?? client.name);
  const named = name === undefined ? {} : { name };
  if (host && requester !== 'person') return { kind: 'host', id: host.id, ...named, through: client.id };
  return { kind: requester, id: client.id, ...named };
}
