import type { Clock } from '../base/clock.ts';
import type { Hub } from '../hub/hub.ts';
import { answer, answerStream, Refusal } from './answer.ts';
import type { Caller } from './caller.ts';
import type { OwnName } from './handlers.ts';
import { describeApi } from './openapi.ts';
import type { OperationInput } from './operations.ts';
import type { PageLink } from './page-operations.ts';
import type { RemoteHosts } from './remote-hosts.ts';
import { hostRequestStream, watchStream } from './streams.ts';

export interface OwnContext {
  readonly hub: Hub;
  readonly hosts: RemoteHosts;
  readonly address: () => { readonly url?: string; readonly socket?: string };
  readonly shutdown: () => void;
  readonly stopping: AbortSignal;
  readonly version: string;
  readonly clock: Clock;
  readonly request: Request;
  readonly caller: Caller;
  /** Makes a link that opens the page; absent for a hub that has none. */
  readonly pageLink?: (() => PageLink) | undefined;
}

type OwnHandler<Name extends OwnName> = (
  context: OwnContext,
  input: OperationInput<Name>,
) => Promise<Response>;

/** Operations that the listener answers itself: about the process, its streams and its hosts. */
export const ownHandlers: { readonly [Name in OwnName]: OwnHandler<Name> } = {
  health: async () => answer({ ok: true }),
  openapi: async ({ version }) => answer(describeApi(version)),
  status: async ({ hub, address }) => answer({ ...(await hub.status()), ...address() }),
  shutdown: async ({ shutdown }) => answer(shutdown()),
  watch: async (context) => answerStream(watchStream({ ...context, signal: endOf(context) })),
  'page.link': async (context) => answer(linkFor(context)),
  'hosts.attach': async ({ hosts, hub }, input) => answer(await hosts.attach(hub, input)),
  'hosts.requests': async (context, { id }) =>
    answerStream(hostRequestStream({ ...context, id, signal: endOf(context) })),
  'hosts.answer': async ({ hosts }, { id, requestId, ...given }) =>
    answer(hosts.answer(id, requestId, given)),
  'hosts.detach': async ({ hosts }, { id }) => answer(await hosts.detach(id)),
};

/** Streams that never end by themselves end with the reader or with the hub. */
function endOf({ request, stopping }: OwnContext): AbortSignal {
  return AbortSignal.any([request.signal, stopping]);
}

/** A page does not let others in: its session would never end if it could begin another by itself. */
function linkFor({ caller, pageLink }: OwnContext): PageLink {
  if (caller.kind === 'page') {
    throw new Refusal(403, 'denied', 'A page cannot open another one.', { next: 'plug open' });
  }
  if (!pageLink) throw new Refusal(404, 'not_found', 'This hub has no page.');
  return pageLink();
}
