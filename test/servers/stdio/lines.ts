import { createInterface } from 'node:readline';
import type { Obj } from '../rich/tool.ts';

/** A JSON-RPC message as it came; nothing about it is checked. */
export interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Obj;
}

/** Hands over every line of stdin, and says when it ended. */
export function readLines(take: (message: Message, line: string) => void, ended?: () => void): void {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => take(JSON.parse(line) as Message, line)); // only test clients write here
  if (ended) lines.on('close', ended);
}

export function writeLine(message: Obj): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** The hand-written legacy handshake of servers that break rules which the SDK keeps. */
export function answerHandshake(message: Message): boolean {
  if (message.id === undefined) return true;
  if (message.method === 'initialize') {
    writeLine({
      id: message.id,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'raw-fixture', version: '1.0.0' },
      },
    });
    return true;
  }
  if (message.method === 'ping') {
    writeLine({ id: message.id, result: {} });
    return true;
  }
  return false;
}

export function refuseMethod(message: Message): void {
  writeLine({ id: message.id, error: { code: -32601, message: 'Method not found' } });
}
