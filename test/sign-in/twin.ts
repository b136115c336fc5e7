import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { good } from '../servers/http/behaviors.ts';
import { answerError, answerJson } from '../servers/http/behavior.ts';
import { parseParams } from '../servers/params.ts';

export interface TwinRequest {
  readonly verb: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly authorization: string | undefined;
}

type Fields = Record<string, unknown>;

/** Where the twin differs from an honest server; everything else it does by the book. */
export interface TwinOptions {
  /** What it says of itself as a resource; undefined: nothing. */
  readonly resource?: ((honest: Fields) => Fields) | 'none';
  /** What it says of itself as an authorization server. */
  readonly metadata?: ((honest: Fields) => Fields) | 'none';
  /** What the browser brings back instead of the honest answer. */
  readonly callback?: (honest: URLSearchParams, origin: string) => URLSearchParams;
  readonly token?: (response: ServerResponse, request: TwinRequest) => void;
  readonly challenge?: (origin: string) => string;
  readonly userinfo?: Fields;
  /** Where a request is sent on to instead of being answered. */
  readonly redirect?: (
    request: TwinRequest,
  ) => { readonly status: number; readonly location: string } | undefined;
}

export interface Twin extends AsyncDisposable {
  readonly url: string;
  readonly origin: string;
  /** Everything that ever arrived. */
  readonly requests: readonly TwinRequest[];
  to(path: string): readonly TwinRequest[];
}

/**
 * An MCP server and its authorization server in one listener, which lies exactly where it is told
 * to. Whoever brings a token that it gave out is let in.
 */
export async function startTwin(options: TwinOptions = {}): Promise<Twin> {
  const requests: TwinRequest[] = [];
  const listener = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`; // it listens on TCP
  const stats = { requests: 0, sessions: 0, sessionsOpen: 0, methods: {}, verbs: {}, lastHeaders: {} };
  const mcp = good['dual']?.(parseParams([]), stats);
  let count = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin);
    const body = await readText(request);
    const { authorization } = request.headers;
    const seen: TwinRequest = {
      verb: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      form: new URLSearchParams(url.pathname === '/mcp' ? '' : body),
      authorization,
    };
    requests.push(seen);
    const sentOn = options.redirect?.(seen);
    if (sentOn) return void response.writeHead(sentOn.status, { location: sentOn.location }).end();
    switch (url.pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return describe(response, options.resource, honestResource(origin));
      case '/.well-known/oauth-authorization-server':
        return describe(response, options.metadata, honestMetadata(origin));
      case '/register':
        count += 1;
        return answerJson(response, 201, { ...(JSON.parse(body) as Fields), client_id: `client-${count}` });
      case '/authorize':
        return redirect(response, seen);
      case '/token':
        return options.token ? options.token(response, seen) : giveToken(response);
      case '/userinfo':
        return answerJson(response, 200, options.userinfo ?? {});
      case '/mcp':
        return serve(request, response, body);
      default:
        return answerError(response, 404, 'Nothing is here');
    }
  }

  function redirect(response: ServerResponse, { query }: TwinRequest): void {
    const honest = new URLSearchParams({ code: 'code', state: query.get('state') ?? '' });
    const back = new URL(query.get('redirect_uri') ?? origin);
    back.search = (options.callback?.(honest, origin) ?? honest).toString();
    response.writeHead(302, { location: back.href }).end();
  }

  async function serve(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    if (!request.headers.authorization?.startsWith('Bearer twin-')) {
      const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
      response.setHeader('www-authenticate', options.challenge?.(origin) ?? `Bearer ${metadata}`);
      return answerError(response, 401, 'Unauthorized');
    }
    const message: unknown = body === '' ? undefined : JSON.parse(body);
    await mcp?.handle({ request, response, body: message, method: undefined });
  }

  return {
    url: `${origin}/mcp`,
    origin,
    requests,
    to: (path) => requests.filter((request) => request.path === path),
    [Symbol.asyncDispose]: async () => {
      listener.close();
      listener.closeAllConnections();
      await once(listener, 'close');
    },
  };
}

let given = 0;

export function giveToken(response: ServerResponse, more: Fields = {}): void {
  given += 1;
  answerJson(response, 200, {
    access_token: `twin-${given}`,
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: `refresh-${given}`,
    ...more,
  });
}

function describe(response: ServerResponse, change: TwinOptions['metadata'], honest: Fields): void {
  if (change === 'none') return answerError(response, 404, 'Nothing is here');
  answerJson(response, 200, change ? change(honest) : honest);
}

function honestResource(origin: string): Fields {
  return { resource: `${origin}/mcp`, authorization_servers: [origin] };
}

function honestMetadata(origin: string): Fields {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // no encoding was set
  return Buffer.concat(chunks).toString();
}
