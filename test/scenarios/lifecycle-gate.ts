import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A door in front of a fixture: what the network and a login page do to a good server. */
export interface Gate extends AsyncDisposable {
  readonly url: string;
  /** `open` lets all through, `silent` never answers, a number is the status of every answer. */
  mode: 'open' | 'silent' | number;
  /** Breaks everything that is under way. */
  cut(): void;
}

export async function startGate(target: string): Promise<Gate> {
  const goal = new URL(target);
  const listener = createServer((incoming, response) => {
    if (gate.mode === 'silent') return;
    if (gate.mode === 'open') forward(goal, incoming, response);
    else response.writeHead(gate.mode).end();
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo; // a TCP listener has such an address
  const gate: Gate = {
    url: `http://127.0.0.1:${port}${goal.pathname}`,
    mode: 'open',
    cut: () => listener.closeAllConnections(),
    [Symbol.asyncDispose]: async () => {
      listener.close();
      listener.closeAllConnections();
      await once(listener, 'close');
    },
  };
  return gate;
}

function forward(goal: URL, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = incoming;
  const onward = request(goal, { method, headers: { ...headers, host: goal.host } }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
