import { Broadcast } from '../base/broadcast.ts';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Hub } from '../hub/hub.ts';
import { answer, Refusal } from './answer.ts';
import type { Caller } from './caller.ts';
import type { InputOf } from '../hub/operations/operation.ts';
import { answerEvents } from './event-stream.ts';
import type { HostMessage, listenerOperations, PageLink } from './listener-operations.ts';
import { describeApi } from './openapi.ts';
import type { PageDoor } from './page-door/door.ts';
import type { RemoteHosts } from './remote-hosts.ts';
import type { ListenerOperationName } from './routes.ts';

export interface ListenerContext {
  readonly hub: Hub;
  readonly hosts: RemoteHosts;
  readonly address: () => { readonly url?: string; readonly socket?: string };
  readonly shutdown: () => void;
  readonly stopping: AbortSignal;
  readonly version: string;
  readonly clock: Clock;
  readonly request: Request;
  readonly caller: Caller;
  readonly door?: Pick<PageDoor, 'link' | 'linkInFile'> | undefined;
}

type ListenerHandler<Name extends ListenerOperationName> = (
  context: ListenerContext,
  input: InputOf<(typeof listenerOperations)[Name]>,
) => Promise<Response>;

export const listenerHandlers: { readonly [Name in ListenerOperationName]: ListenerHandler<Name> } = {
  health: async () => answer({ ok: true }),
  openapi: async ({ version }) => answer(describeApi(version)),
  status: async ({ hub, address }) => answer({ ...(await hub.status()), ...address() }),
  shutdown: async ({ shutdown }) => answer(shutdown()),
  watch: async ({ hub, ...context }) =>
    endless(context, async (sink, signal) => {
      for await (const event of hub.watch({ signal })) await sink.send('event', event);
    }),
  'page.link': async (context, { file }) => answer(await linkFor(context, file ?? false)),
  'hosts.attach': async ({ hosts, hub }, input) => answer(await hosts.attach(hub, input)),
  'hosts.requests': async (context, { id }) => hostRequests(context, id),
  'hosts.answer': async ({ hosts }, { id, requestId, ...given }) =>
    answer(hosts.answer(id, requestId, given)),
  'hosts.detach': async ({ hosts }, { id }) => answer(await hosts.detach(id)),
};

function hostRequests({ hosts, ...context }: ListenerContext, id: string): Response {
  // Known before the stream opens, so that an unknown host is a plain 404.
  hosts.check(id);
  return endless(context, async (sink, signal) => {
    const messages = new Broadcast<HostMessage>(limits.watchQueueMax);
    const reader = messages.read({ signal });
    hosts.listen(id, signal, (message) => messages.send(message));
    for await (const message of reader) await sink.send('message', message);
  });
}

/** A stream that ends only with its reader or the hub. */
function endless(
  { request, stopping, clock }: Pick<ListenerContext, 'request' | 'stopping' | 'clock'>,
  write: Parameters<typeof answerEvents>[0]['write'],
): Response {
  return answerEvents({ signal: AbortSignal.any([request.signal, stopping]), clock, write });
}

/** Not for a page: its session would never end if it could begin another by itself. */
async function linkFor({ caller, door }: ListenerContext, file: boolean): Promise<PageLink> {
  if (caller.kind === 'page') {
    throw new Refusal(403, 'denied', 'A page can’t open another page.', { remedy: { do: 'open-page' } });
  }
  if (!door) throw new Refusal(404, 'not_found', 'This hub has no page.');
  return file ? door.linkInFile() : door.link();
}
