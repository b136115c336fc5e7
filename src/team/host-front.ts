import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../api/answer.ts';
import type { Clock } from '../base/clock.ts';
import { toPlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import { gatewayOf, openFronts, type OpenFronts } from '../daemon/gateway-fronts.ts';
import type { Credentials, Known, KnownHost } from './credentials.ts';
import { resourceMetadataUrl } from './oauth/metadata.ts';
import { ownerOf, principalOf } from './owners.ts';
import { type Spaces, type View } from './spaces.ts';

export interface HostFrontOptions {
  readonly credentials: Credentials;
  readonly spaces: Spaces;
  readonly url: string;
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
  readonly fronts: OpenFronts;
  readonly admitted: Map<string, Admitted>;
}

/** Hosts reach the gateway of the person whose key they hold, or who let them in. */
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
      remember(opened.admitted, hash('sha256', sent), known.host);
      opened.fronts.request(request, response, 'port');
    } catch (error) {
      refuse(response, error, resourceMetadataUrl(this.#options.url, request.url ?? ''));
    }
  }

  async #admit(
    request: IncomingMessage,
  ): Promise<{ readonly known: Required<Known>; readonly sent: string }> {
    const { headers } = request;
    const own = new URL(this.#options.url);
    if (headers.host?.toLowerCase() !== own.host || (headers.origin ?? own.origin) !== own.origin) {
      throw new Refusal(403, 'denied', 'Requests under another name, or from other web pages, are refused.');
    }
    const sent = headers.authorization ?? '';
    const known = await this.#options.credentials.who((name) =>
      name === 'authorization' ? sent : undefined,
    );
    const { person, host } = known ?? {};
    if (person && host && person.role !== 'auditor') return { known: { person, host }, sent };
    throw new Refusal(401, 'denied', 'Sign in to this gateway, or send a key of yours.');
  }

  #openedFor(view: View): Opened {
    const before = this.#opened.get(view);
    if (before) return before;
    const { version, clock, ids, logger, url, credentials } = this.#options;
    const gateway = gatewayOf(view.hub, { version, clock, ids, approvalsPage: () => `${url}/approvals` });
    if (!gateway) throw new Refusal(404, 'not_found', 'This hub has no gateway.');
    const admitted = new Map<string, Admitted>();
    const fronts = openFronts(gateway, {
      port: () => undefined,
      // They are known by what they sent; only their end is told here.
      hosts: {
        find: () => undefined,
        used: () => undefined,
        onRevoke: (end) =>
          credentials.onRevoke((name) => end({ name, readOnly: false, opens: 'gateway', isRevoked: true })),
      },
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
    view.resting.push(() => fronts.isAtRest());
    view.closing.unshift(() => fronts.close());
    return opened;
  }
}

/** The same object for every request of a host; of tokens that come and go, the oldest make room. */
function remember(admitted: Map<string, Admitted>, place: string, { id, name }: KnownHost): void {
  if (admitted.has(place)) return;
  for (const oldest of admitted.keys()) {
    if (admitted.size < ADMITTED_MAX) break;
    admitted.delete(oldest);
  }
  admitted.set(place, { principal: `host ${id}`, host: { name, readOnly: false, isRevoked: false } });
}

const ADMITTED_MAX = 256;

export function refuse(response: ServerResponse, error: unknown, metadata?: string): void {
  if (response.headersSent) return void response.destroy();
  const status = error instanceof Refusal ? error.status : 503;
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(status === 401 && metadata !== undefined
      ? { 'www-authenticate': `Bearer resource_metadata="${metadata}", scope="mcp"` }
      : {}),
  });
  response.end(JSON.stringify({ error: toPlugError(error).toView() }));
}
