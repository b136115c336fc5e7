import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './script.ts';
import type { Wire, WireEvent } from './wires.ts';

/** Streams an answer as server-sent events, with the trouble that it is to have. */
export async function sendAnswer(
  response: ServerResponse,
  wire: Wire,
  { answer, model }: { readonly answer: Answer; readonly model: string },
): Promise<void> {
  const { trouble, delayMs = 0, pauseMs = 0 } = answer;
  if (delayMs > 0) await sleep(delayMs);
  if (trouble === 'silent') return;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  const events = wire.events(answer, model);
  const isEnded = trouble === 'drop' || trouble === 'stall' || trouble === 'cut' || trouble === 'error';
  const sent = isEnded ? events.filter(({ last }) => !last) : events;
  for (const [index, event] of sent.entries()) {
    if (response.destroyed) return;
    const bytes = bytesOf(event);
    // In the middle: after a first event that is whole.
    if (trouble === 'json' && index === 2) await write(response, Buffer.from('data: {"choices":[{"del\n\n'));
    if (trouble === 'cut' && index === sent.length - 1) {
      await write(response, insideCharacter(bytes));
      break;
    }
    if (trouble === 'split') for (const byte of bytes) await write(response, Buffer.from([byte]));
    else await write(response, bytes);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  if (trouble === 'stall') return;
  if (trouble === 'error') await write(response, bytesOf(wire.midway));
  if (trouble === 'drop' || trouble === 'cut') {
    // What was written before is to arrive.
    await sleep(20);
    response.destroy();
    return;
  }
  response.end();
}

function bytesOf({ event, data }: WireEvent): Buffer {
  const body = data === '[DONE]' ? data : JSON.stringify(data);
  return Buffer.from(`${event === undefined ? '' : `event: ${event}\n`}data: ${body}\n\n`);
}

/** The beginning, up to the middle of its last character that has several bytes. */
function insideCharacter(bytes: Buffer): Buffer {
  const at = bytes.findLastIndex((byte) => byte >= 0xc0);
  return bytes.subarray(0, at < 0 ? Math.floor(bytes.length / 2) : at + 1);
}

function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.write(bytes, () => resolve());
  });
}
