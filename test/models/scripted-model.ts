import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../src/base/json.ts';
import { sendAnswer } from './send-answer.ts';
import { fail, type Step } from './script.ts';
import { responses } from './responses-wire.ts';
import { chatCompletion, chatCompletions, generateContent, messages, type Wire } from './wires.ts';

export { broken, calls, drop, fail, nothing, slow, stall, text, type Step } from './script.ts';

export interface ScriptedModel extends AsyncDisposable {
  /** For OpenAI, Anthropic and whatever is compatible: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  /** For Google: `http://127.0.0.1:PORT/v1beta`. */
  readonly googleUrl: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Scripts the next answers, in order. A request beyond the script fails with 400. */
  readonly answer: (...steps: readonly Step[]) => void;
  /** How many scripted steps nobody has asked for yet. */
  readonly left: () => number;
  readonly close: () => Promise<void>;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
  /** Whether the other side went away before the answer's end. */
  readonly gone: () => boolean;
}

export interface ScriptedModelOptions {
  /** What its list of models says; default `scripted`. */
  readonly models?: readonly string[];
  /** Whoever does not send this key, in any provider's header, gets 401. */
  readonly key?: string;
}

/** A real listener on loopback that speaks as models do: what it says is scripted request by request. */
export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const script: Step[] = [];
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    void serve({ request, response, script, requests, options }).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}/v1`,
    googleUrl: `http://127.0.0.1:${port}/v1beta`,
    requests,
    answer: (...steps) => void script.push(...steps),
    left: () => script.length,
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Serving {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly script: Step[];
  readonly requests: RecordedRequest[];
  readonly options: ScriptedModelOptions;
}

async function serve({ request, response, script, requests, options }: Serving): Promise<void> {
  const path = request.url ?? '/';
  const body = await bodyOf(request);
  let gone = false;
  response.on('close', () => (gone = !response.writableEnded));
  const { method = 'GET', headers } = request;
  requests.push({ method, path, headers, body, gone: () => gone });
  const wire = wireAt(path);
  if (options.key !== undefined && !hasKey(headers, options.key)) {
    return sendFailure(response, wire, fail(401, {}, 'Incorrect API key provided.'));
  }
  if (method === 'GET') return json(response, 200, modelList(path, options.models ?? ['scripted']));
  if (!wire) return json(response, 404, { error: { message: `Nothing is at ${path}.` } });
  const next = script.shift() ?? fail(400, {}, 'The script is over.');
  const step = typeof next === 'function' ? next({ body }) : next;
  if (step.kind === 'failure') return sendFailure(response, wire, step);
  const model = typeof body['model'] === 'string' ? body['model'] : 'scripted';
  if (wire === chatCompletions && body['stream'] !== true) {
    return json(response, 200, chatCompletion(step, model));
  }
  return sendAnswer(response, wire, { answer: step, model });
}

function wireAt(path: string): Wire | undefined {
  if (path.startsWith('/v1/chat/completions')) return chatCompletions;
  if (path.startsWith('/v1/responses')) return responses;
  if (path.startsWith('/v1/messages')) return messages;
  return path.includes(':streamGenerateContent') ? generateContent : undefined;
}

function hasKey(headers: IncomingHttpHeaders, key: string): boolean {
  const { authorization } = headers;
  return (
    authorization === `Bearer ${key}` || headers['x-api-key'] === key || headers['x-goog-api-key'] === key
  );
}

function modelList(path: string, ids: readonly string[]): JsonObject {
  return path.startsWith('/v1beta')
    ? {
        models: ids.map((id) => ({ name: `models/${id}`, supportedGenerationMethods: ['generateContent'] })),
      }
    : { object: 'list', data: ids.map((id) => ({ id, object: 'model', type: 'model' })), has_more: false };
}

function sendFailure(
  response: ServerResponse,
  wire: Wire = chatCompletions,
  {
    status,
    headers,
    message,
  }: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly message: string;
  },
): void {
  json(response, status, wire.failure(status, message), headers);
}

function json(
  response: ServerResponse,
  status: number,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // no encoding is set
  const whole = Buffer.concat(chunks).toString('utf8');
  return whole === '' ? {} : (JSON.parse(whole) as JsonObject); // what models are sent is an object
}
