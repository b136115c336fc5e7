import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../api/answer.ts';
import type { Clock } from '../base/clock.ts';
import { toPlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import { gatewayOf, openFronts, type GatewayFronts } from '../daemon/gateway-fronts.ts';
import { principalOf } from './front.ts';
import type { Known, People } from './people.ts';
import { ownerOf, type Spaces, type View } from './spaces.ts';

export interface HostFrontOptions {
  readonly people: People;
  readonly spaces: Spaces;
  readonly url: () => string;
  readonly version: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

type Admitted = Exclude<
  ReturnType<NonNullable<Parameters<typeof openFronts>[1]['admit']>>,
  { status: number }
>;

interface Opened {
  readonly fronts: GatewayFronts;
  readonly admitted: Map<string, Admitted>;
}

/** Hosts with a key reach the gateway of the person whose key it is. */
export class HostFront {
  readonly #options: HostFrontOptions;
  readonly #opened = new WeakMap<View, Opened>();

  constructor(options: HostFrontOptions) {
    this.#options = options;
  }

  isForHosts(url: string): boolean {
    return /^\/(mcp|sse)([/?]|$)/.test(url);
  }

  async request(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { known, sent } = await this.#admit(request);
      const { person } = known;
      const { view, letGo } = await this.#options.spaces.use(ownerOf(person), principalOf(person, 'own'));
      response.once('close', letGo);
      const opened = this.#openedFor(view);
      const { name } = known.key;
      const host = { name, readOnly: false, isRevoked: false };
      const place = hash('sha256', sent);
      // The same object for every request of a host.
      if (!opened.admitted.has(place))
        opened.admitted.set(place, { principal: `host ${known.key.id}`, host });
      opened.fronts.request(request, response, 'port');
    } catch (error) {
      refuse(response, error);
    }
  }

  async #admit(
    request: IncomingMessage,
  ): Promise<{ readonly known: Known & { readonly key: NonNullable<Known['key']> }; readonly sent: string }> {
    const { headers } = request;
    const own = new URL(this.#options.url());
    if (headers.host?.toLowerCase() !== own.host || (headers.origin ?? own.origin) !== own.origin) {
      throw new Refusal(403, 'denied', 'Requests under another name, or from other web pages, are refused.');
    }
    const sent = headers.authorization ?? '';
    const known = await this.#options.people.who((name) => (name === 'authorization' ? sent : undefined));
    if (known?.key && known.person.role !== 'auditor') return { known: { ...known, key: known.key }, sent };
    throw new Refusal(401, 'denied', 'The gateway needs the key of a host.');
  }

  #openedFor(view: View): Opened {
    const before = this.#opened.get(view);
    if (before) return before;
    const { version, clock, ids, logger, url } = this.#options;
    const gateway = gatewayOf(view.hub, { version, clock, ids, approvalsPage: () => `${url()}/approvals` });
    if (!gateway) throw new Refusal(404, 'not_found', 'This hub has no gateway.');
    const admitted = new Map<string, Admitted>();
    const fronts = openFronts(gateway, {
      port: () => undefined,
      hosts: undefined,
      isToken: () => false,
      clock,
      ids,
      logger,
      admit: ({ header }) =>
        admitted.get(hash('sha256', header('authorization') ?? '')) ?? {
          status: 401,
          message: 'Unknown.',
          headers: {},
        },
    });
    const opened = { fronts, admitted };
    this.#opened.set(view, opened);
    view.closing.unshift(() => fronts.close());
    return opened;
  }
}

export function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const status = error instanceof Refusal ? error.status : 503;
  response.writeHead(status, {
    'content-type': 'application/json',
    'www-authenticate': 'Bearer realm="plugboard gateway"',
  });
  response.end(JSON.stringify({ error: toPlugError(error).toView() }));
}
