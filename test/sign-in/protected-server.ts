/**
 * An MCP server behind a sign-in: `node test/sign-in/protected-server.ts issuer=URL [key=value…]`. It
 * asks the authorization server about every token that it is shown. `GET /_seen` lists the requests
 * and on whose behalf they came. `step=TOOL:SCOPE` wants a further right for one tool; `never=1` is not content even
 * then. `metadata=none` publishes no description, like servers of 2025-03-26. `drop=TOOL` cuts the
 * connection in the middle of the first call of that tool; `task=TOOL` makes a task of every call.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { good } from '../servers/http/behaviors.ts';
import { answerError, answerJson } from '../servers/http/behavior.ts';
import { parseParams } from '../servers/params.ts';

export interface SeenRequest {
  readonly method: string;
  /** Empty for a request without a valid token. */
  readonly subject: string;
  readonly query: string;
}

interface Introspected {
  readonly active: boolean;
  readonly sub?: string;
  readonly client_id?: string;
  readonly scope?: string;
  readonly aud?: string;
}

const params = parseParams(process.argv.slice(2));
const issuer = params.need('issuer');
const seen: SeenRequest[] = [];
let dropped = false;
const stats = { requests: 0, sessions: 0, sessionsOpen: 0, methods: {}, verbs: {}, lastHeaders: {} };
const make = good['dual'];
if (!make) throw new Error('There is no dual fixture.');
const inner = make(params, stats);

const listener = createServer((request, response) => {
  void answer(request, response).catch((error: unknown) => {
    console.error(error);
    response.destroy();
  });
});
listener.listen(0, '127.0.0.1');
await once(listener, 'listening');
const origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`; // it listens on TCP
const resource = `${origin}/mcp`;
console.log(JSON.stringify({ url: resource }));
process.stdin.resume().on('end', () => process.exit(0));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', origin);
  if (pathname === '/_seen') return answerJson(response, 200, seen);
  if (pathname === '/.well-known/oauth-protected-resource/mcp' && params.text('metadata') !== 'none') {
    const scopes_supported = (params.text('scopes') ?? 'openid profile tools').split(' ');
    return answerJson(response, 200, { resource, authorization_servers: [issuer], scopes_supported });
  }
  if (pathname !== '/mcp') return answerError(response, 404, 'Nothing is here');
  const body = await readBody(request);
  const about = await introspect(request.headers.authorization);
  const named = (body ?? {}) as { method?: string; params?: { name?: unknown } }; // JSON-RPC, or nothing
  const method = named.method ?? request.method ?? '';
  const subject = about?.active ? (about.sub ?? about.client_id ?? '') : '';
  seen.push({ method, subject, query: search });
  const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
  if (subject === '') {
    response.setHeader('www-authenticate', `Bearer error="invalid_token", ${metadata}`);
    return answerError(response, 401, 'Unauthorized');
  }
  const [tool, scope = ''] = (params.text('step') ?? '').split(':');
  const lacks = params.flag('never') || !(about?.scope ?? '').split(' ').includes(scope);
  if (tool && named.params?.name === tool && lacks) {
    response.setHeader(
      'www-authenticate',
      `Bearer error="insufficient_scope", scope="${scope}", ${metadata}`,
    );
    return answerError(response, 403, 'Forbidden');
  }
  if (method === 'tools/call' && named.params?.name === params.text('drop') && !dropped) {
    dropped = true;
    return void response.destroy();
  }
  const { id } = (body ?? {}) as { id?: unknown }; // JSON-RPC, or nothing
  const task = { taskId: 'task-1', ttlMs: 60_000, pollIntervalMs: 50 };
  if (method === 'tools/call' && named.params?.name === params.text('task')) {
    const result = { resultType: 'task', ...task, status: 'working' };
    return answerJson(response, 200, { jsonrpc: '2.0', id, result });
  }
  if (method === 'tasks/get') {
    const done = { content: [{ type: 'text', text: `done as ${subject}` }] };
    const result = { resultType: 'complete', ...task, status: 'completed', result: done };
    return answerJson(response, 200, { jsonrpc: '2.0', id, result });
  }
  return inner.handle({ request, response, body, method });
}

async function introspect(header: string | undefined): Promise<Introspected | undefined> {
  const [kind, token] = header?.split(' ') ?? [];
  if (kind !== 'Bearer' || !token) return undefined;
  const answered = await fetch(`${issuer}/token/introspection`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('resource:resource secret').toString('base64')}` },
    body: new URLSearchParams({ token }),
  });
  const about = (await answered.json()) as Introspected; // RFC 7662
  // A token for another server is no token for this one.
  return about.active && about.aud !== undefined && about.aud !== resource ? undefined : about;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // no encoding was set
  return chunks.length === 0 ? undefined : (JSON.parse(Buffer.concat(chunks).toString()) as unknown);
}
