import { PlugError, toPlugError } from '../base/errors.ts';
import { type JsonObject, isObject } from '../base/json.ts';
import { serverFailure } from './failures.ts';
import { askHost, hostRequestKind, showsQuestion } from './host-answers.ts';
import { linkLimits } from './limits.ts';
import type { SessionEvents } from './session.ts';
import { pathToFileURL } from 'node:url';
import type { HostHandlers, HostPlace, HostRequest, HostRequestKind } from './host.ts';
import type { Asker, InFlight } from './in-flight.ts';
import type { PeerOptions } from './peer.ts';

export interface InboundOptions {
  readonly server: string;
  readonly events: SessionEvents;
  readonly inFlight: InFlight;
  /** The hub's own answers, or those of the host that the link belongs to. */
  readonly handlers: HostHandlers;
  /** The only host of this link; absent on one that several share. */
  readonly host: HostPlace | undefined;
  /** Whether the server runs on this machine, where a folder means something. */
  readonly local: boolean;
}

type Inbound = Pick<Required<PeerOptions>, 'onRequest' | 'onNotification' | 'isQuestion'>;

/** Routes requests and notifications of a server. Made before the session, as a server may speak at once. */
export function inboundFor(options: InboundOptions): Inbound {
  const pages: Pages = new Map();
  return {
    onRequest: questionsOn(options, pages),
    onNotification: (method, params) => hear(options, pages, method, params),
    isQuestion: (method) => hostRequestKind(method) !== undefined,
  };
}

/** By `elicitationId`: the hosts that were asked to open a page and not yet told that it is done with. */
type Pages = Map<string, HostHandlers>;

function questionsOn(link: InboundOptions, pages: Pages): Inbound['onRequest'] {
  const { server, events } = link;
  let open = 0;
  return async (method, params, signal) => {
    if (method === 'ping') return {};
    const kind = hostRequestKind(method);
    if (!kind) throw serverFailure('unsupported', server, `No host answers ${method}.`);
    if (open >= linkLimits.questionsOpenMax) {
      const message = `${server} asks more than ${linkLimits.questionsOpenMax} questions at once.`;
      throw serverFailure('unavailable', server, message);
    }
    // From now on each host gets a connection of its own, where every question is its own.
    if (!link.host) events.onHostWanted();
    open += 1;
    try {
      const who = attribute({ kind, params }, link);
      if ('answer' in who) return who.answer;
      rememberPage(pages, params, who.handlers);
      return await askHost(who.handlers, { server, method, params }, signal);
    } catch (error) {
      throw toPlugError(error);
    } finally {
      open -= 1;
    }
  };
}

function rememberPage(pages: Pages, { mode, elicitationId }: JsonObject, handlers: HostHandlers): void {
  if (mode !== 'url' || typeof elicitationId !== 'string') return;
  const [oldest] = pages.keys();
  if (oldest !== undefined && pages.size >= linkLimits.pagesRememberedMax) pages.delete(oldest);
  pages.set(elicitationId, handlers);
}

function tellPageDone(pages: Pages, elicitationId: unknown): void {
  if (typeof elicitationId !== 'string') return;
  const handlers = pages.get(elicitationId);
  pages.delete(elicitationId);
  handlers?.pageDone?.(elicitationId);
}

function hear(
  { events, inFlight, server }: InboundOptions,
  pages: Pages,
  method: string,
  params: JsonObject,
): void {
  switch (method) {
    case 'notifications/tools/list_changed':
    case 'notifications/resources/list_changed':
    case 'notifications/prompts/list_changed':
      return events.onListChange();
    case 'notifications/resources/updated':
      return typeof params['uri'] === 'string' ? events.onResourceUpdate(params['uri']) : undefined;
    case 'notifications/tasks/status':
      return events.onTaskStatus(params);
    case 'notifications/elicitation/complete':
      return tellPageDone(pages, params['elicitationId']);
    case 'notifications/message': {
      const entry = {
        level: typeof params['level'] === 'string' ? params['level'] : 'info',
        ...(typeof params['logger'] === 'string' ? { logger: params['logger'] } : {}),
        data: params['data'] ?? null,
      };
      const inRequest = inFlight.log({ ...entry, server });
      return events.onLog(inRequest ? { ...entry, inRequest } : entry);
    }
    default:
      return undefined; // acknowledgements and what later revisions may add
  }
}

type Question = Pick<HostRequest, 'kind' | 'params'>;

/** A legacy server means the host with a request in flight; of several, none: it must not reach the wrong person. */
function attribute(
  question: Question,
  link: InboundOptions,
): { readonly handlers: HostHandlers } | { readonly answer: JsonObject } {
  const askers = [...link.inFlight.askers];
  const whos = new Set(askers.map(({ who }) => who));
  if (!link.host && whos.size > 1) {
    const { server } = link;
    throw new PlugError('unavailable', UNCLEAR, { owner: 'plugboard', server, remedy: 'Call again.' });
  }
  const able = askers.find(({ handlers }) => answers(handlers, question))?.handlers;
  if (able) return { handlers: able };
  // While one host's request runs on a shared link, the hub's owner is not meant.
  const own = link.host || askers.length === 0;
  if (own && answers(link.handlers, question)) return { handlers: link.handlers };
  const [asker] = askers;
  const mute = link.host ? { host: link.host, handlers: link.handlers } : asker;
  return { answer: unasked(question.kind, link, mute) };
}

/** Servers are told that forms and URLs can be shown; a host may know only one of them. */
function answers(handlers: HostHandlers, question: Question): boolean {
  const { [question.kind]: handler, capabilities } = handlers;
  if (!handler) return false;
  const isBound = question.kind === 'elicitation' && isObject(capabilities?.['elicitation']);
  return !isBound || showsQuestion(capabilities ?? {}, question);
}

/** A person who was not asked has not canceled: a question that reaches nobody is refused as that. */
function unasked(kind: HostRequestKind, { server, local }: InboundOptions, asker?: Mute): JsonObject {
  if (kind !== 'roots') throw new PlugError('unsupported', UNASKED[kind], { owner: 'you', server });
  // An MCP host that declared no roots has none. Our own faces work in a folder; a remote server has no
  // business with folders of this machine.
  const cwd = local && !asker?.handlers.capabilities ? asker?.host?.cwd : undefined;
  return { roots: cwd === undefined ? [] : [{ uri: pathToFileURL(cwd).href }] };
}

type Mute = Pick<Asker, 'host' | 'handlers'>;

const UNASKED = {
  elicitation: 'This host can’t show the question to a person.',
  sampling: 'This host can’t ask a model for this server.',
} as const;
const UNCLEAR = 'Several hosts use this connection at once, and the question does not say whom it is for.';
