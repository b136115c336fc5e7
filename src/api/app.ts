import { Hono } from 'hono';
import type { Clock } from '../base/clock.ts';
import { ignore, PlugError, toPlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import { portOf } from '../base/own-host.ts';
import { isOwnPeer, type Peer } from '../base/peer-owner.ts';
import { notAllowed } from '../hub/dispatch.ts';
import type { Hub } from '../hub/hub.ts';
import type { Run } from '../hub/operations/table.ts';
import { LOCAL, mayCall, type Principal } from '../hub/principal.ts';
import { mayInTeam } from '../hub/team-access.ts';
import type { KnownHost } from '../policy/host-tokens.ts';
import { answerApproval } from './approval-page/answer-approval.ts';
import type { ApprovalLinks } from './approval-page/links.ts';
import { answer, answerError, Refusal } from './answer.ts';
import { BadTokens } from './bad-tokens.ts';
import { callerOf } from './caller.ts';
import { answerEvents } from './event-stream.ts';
import { hubFor, type FoldersHub } from './folders.ts';
import { createGuard, type ApiVia } from './guard.ts';
import { Revocations } from './revocations.ts';
import { listenerHandlers, type ListenerContext } from './listener-handlers.ts';
import type { PageLink } from './listener-operations.ts';
import { PageDoor } from './page-door/door.ts';
import { pagePathOf } from './page-door/paths.ts';
import type { PageSessions } from './page-door/sessions.ts';
import { readInput } from './read-input.ts';
import { RemoteHosts } from './remote-hosts.ts';
import {
  operationNames,
  routedOperations,
  routes,
  type ListenerOperationName,
  type OperationName,
} from './routes.ts';

export interface ApiOptions {
  readonly hub: FoldersHub;
  /** Known only once we listen. */
  readonly address: () => { readonly url?: string; readonly socket?: string };
  readonly isToken: (given: string) => boolean;
  /** Whom everybody who is let in acts for; default: the owner of a hub of one user. */
  readonly principal?: Principal;
  /** Asks the process to stop, and returns before it has. */
  readonly shutdown: () => void;
  /** Ends the streams that would never end by themselves. */
  readonly stopping: AbortSignal;
  readonly version: string;
  readonly links?: ApprovalLinks;
  /** Absent for a hub without a page. */
  readonly page?: { readonly sessions: PageSessions; readonly folder: string; readonly linkFolder: string };
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

export interface Api extends AsyncDisposable {
  /** `peer` is the other end of a connection to the port, if known. */
  readonly fetch: (request: Request, via: ApiVia, peer?: Peer) => Promise<Response>;
  readonly pageLink: (() => PageLink) | undefined;
}

export function createApi(options: ApiOptions): Api {
  const { isToken, clock, ids, links } = options;
  const hosts = new RemoteHosts(options);
  const bad = new BadTokens(clock);
  const url = (): string | undefined => options.address().url;
  const port = (): number | undefined => {
    const own = url();
    return own === undefined ? undefined : portOf(own);
  };
  const door = options.page && new PageDoor({ ...options.page, url, bad, clock, ids });
  const tokens = options.hub.hostTokens;
  const { principal = LOCAL } = options;
  const page = door ? { page: door } : {};
  const guard = createGuard({ isToken, principal, clock, bad, port, hosts: tokens, ...page });
  const revocations = new Revocations(tokens);
  const app = new Hono<{
    Bindings: { readonly via: ApiVia; readonly peer?: Peer | undefined };
    Variables: { principal: Principal; host: KnownHost | undefined };
  }>();
  app.use(async (context, next) => {
    const { raw } = context.req;
    const header = (name: string): string | undefined => raw.headers.get(name) ?? undefined;
    const path = new URL(raw.url).pathname;
    const admitted = guard({ header, path }, context.env.via);
    context.set('principal', admitted.principal);
    context.set('host', admitted.host);
    if (options.stopping.aborted) throw new PlugError('unavailable', 'The hub is stopping.', STOPPING);
    const page = context.env.via === 'port' ? pagePathOf(path) : undefined;
    return door && page ? door.answer(raw, page, context.env.peer) : next();
  });
  for (const name of operationNames) {
    app.on(routes[name].method, routes[name].path, async (context) => {
      // Before a body is read, so that only those who may send one have it parsed.
      checkRole(name, context.var.principal);
      const input = await readInput(name, context.req.raw, context.req.param());
      const caller = { ...callerOf(context.req.raw, context.env.via), principal: context.var.principal };
      const hub = await hubFor(options.hub, context.req.raw, caller);
      const request = revocations.bind(context.req.raw, context.var.host);
      return respond({ ...options, name, input, request, caller, hosts, hub, door });
    });
  }
  for (const path of new Set(operationNames.map((name) => routes[name].path))) {
    app.all(path, () => {
      throw wrongMethod(path);
    });
  }
  if (links) {
    const hub = (id: string): Hub => options.hub.as?.({ id, kind: 'page', principal: LOCAL }) ?? options.hub;
    app.on(['GET', 'POST'], '/approve/:id', (context) =>
      answerApproval(context.req.raw, context.req.param('id'), {
        links,
        ids,
        hub,
        isOwn: async () => context.env.via === 'socket' || (await isOwnPeer(context.env.peer)),
      }),
    );
  }
  app.notFound(() => answerError(new Refusal(404, 'not_found', 'There is nothing at this address.')));
  app.onError((error) => {
    const failure = toPlugError(error);
    if (failure.code === 'internal') options.logger.error('request failed', { error: failure.message });
    return answerError(error);
  });
  return {
    fetch: async (request, via, peer) => app.fetch(request, { via, peer }),
    pageLink: door?.link,
    [Symbol.asyncDispose]: async () => {
      revocations.close();
      await door?.close();
      await hosts.close();
    },
  };
}

const STOPPING = { owner: 'plugboard', remedy: { do: 'retry' } } as const;

function checkRole(name: OperationName, principal: Principal): void {
  if (mayCall(principal, routedOperations[name].role) && mayInTeam(principal, name)) return;
  throw notAllowed(name);
}

interface ApiCall extends ListenerContext {
  readonly name: OperationName;
  readonly input: unknown;
}

async function respond(call: ApiCall): Promise<Response> {
  const { name, hub, input, request, clock } = call;
  const { route } = routedOperations[name];
  if (isListenerOperation(name)) {
    // The input was parsed by the schema of this operation; the table only loses the type.
    const handle = listenerHandlers[name] as (context: ListenerContext, input: unknown) => Promise<Response>;
    return handle(call, input);
  }
  const run = methodOf(hub, name);
  const streams = route.stream === 'progress' && request.headers.get('accept') === 'text/event-stream';
  if (!streams) return answer(await run(input, { signal: request.signal }));
  return answerEvents({
    signal: request.signal,
    clock,
    write: async (sink, signal) => {
      try {
        const onProgress = (progress: object): void => sink.offer('progress', progress);
        const tell = (event: string) => (data: object) =>
          ignore(sink.send(event, data), 'it is in the stream; waiting is only for more room');
        const [onApproval, onApprovalEnd] = [tell('approval'), tell('approval-end')];
        await sink.send(
          'result',
          (await run(input, { signal, onProgress, onApproval, onApprovalEnd })) ?? null,
        );
      } catch (error) {
        await sink.send('error', toPlugError(error).toView());
      }
    },
  });
}

function isListenerOperation(name: OperationName): name is ListenerOperationName {
  return Object.hasOwn(listenerHandlers, name);
}

function methodOf(hub: Hub, name: string): Run {
  const [area, method] = name.split('.') as [keyof Hub, string]; // as the table names them
  return (hub[area] as unknown as Readonly<Record<string, Run>>)[method] as Run; // a row has a method
}

function wrongMethod(path: string): Refusal {
  const allow = operationNames.flatMap((name) => (routes[name].path === path ? routes[name].method : []));
  return new Refusal(405, 'usage', `This address takes ${allow.join(' or ')}.`, {
    headers: { allow: allow.join(', ') },
  });
}
