import { messageOf, PlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { attribute, type QuestionedLink } from './attribution.ts';
import { askHost, hostRequestKind } from './host-answers.ts';
import { linkLimits } from './limits.ts';
import type { SessionEvents } from './session.ts';

export interface InboundOptions extends QuestionedLink {
  readonly events: SessionEvents;
}

export interface Inbound {
  readonly onRequest: (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
  readonly onNotification: (method: string, params: JsonObject) => void;
  /** Whether the server waits for somebody, so that its own time stands still. */
  readonly isQuestion: (method: string) => boolean;
}

/** Routes what a server sends unasked. Made before the session, as a server may speak at once. */
export function inboundFor(options: InboundOptions): Inbound {
  return {
    onRequest: questionsOn(options),
    onNotification: (method, params) => hear(options, method, params),
    isQuestion: (method) => hostRequestKind(method) !== undefined,
  };
}

function questionsOn(link: InboundOptions): Inbound['onRequest'] {
  const { server, events } = link;
  let open = 0;
  return async (method, params, signal) => {
    if (method === 'ping') return {};
    const kind = hostRequestKind(method);
    if (!kind) throw new PlugError('unsupported', `No host answers ${method}.`, { owner: 'server', server });
    if (open >= linkLimits.questionsOpenMax) throw tooMany(server);
    // From now on each host gets a connection of its own, where every question is for that host.
    if (!link.host) events.onHostWanted();
    open += 1;
    try {
      const who = attribute({ kind, params }, link);
      return who.kind === 'answer'
        ? who.answer
        : await askHost(who.handlers, { server, method, params }, signal);
    } catch (error) {
      if (error instanceof PlugError) throw error;
      throw new PlugError('internal', messageOf(error), { owner: 'plugboard', cause: error });
    } finally {
      open -= 1;
    }
  };
}

function hear({ events, inFlight }: InboundOptions, method: string, params: JsonObject): void {
  switch (method) {
    case 'notifications/tools/list_changed':
      return events.onListChange('tools');
    case 'notifications/resources/list_changed':
      return events.onListChange('resources');
    case 'notifications/prompts/list_changed':
      return events.onListChange('prompts');
    case 'notifications/resources/updated':
      return typeof params['uri'] === 'string' ? events.onResourceUpdate(params['uri']) : undefined;
    case 'notifications/message': {
      const entry = {
        level: typeof params['level'] === 'string' ? params['level'] : 'info',
        ...(typeof params['logger'] === 'string' ? { logger: params['logger'] } : {}),
        data: params['data'] ?? null,
      };
      inFlight.log(entry);
      return events.onLog(entry);
    }
    default:
      return undefined; // acknowledgements and what later revisions may add
  }
}

function tooMany(server: string): PlugError {
  const message = `${server} asks more than ${linkLimits.questionsOpenMax} questions at once.`;
  return new PlugError('unavailable', message, { owner: 'server', server });
}
