import { messageOf } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { Refusal } from './answer.ts';
import { findShapeProblem } from '../base/json-shape.ts';

/** Reads a JSON object. Size is counted while reading, shape before parsing; `{}` when there is no body. */
export async function readBody(
  request: Request,
  bytesMax: number = limits.apiBodyBytesMax,
): Promise<Record<string, unknown>> {
  if (request.headers.has('content-type')) checkContentType(request);
  const text = await readText(request, bytesMax);
  if (text.trim() === '') return {};
  checkContentType(request);
  // Batches and lists are no input of ours: refused by the first character, before any parsing.
  if (!text.trimStart().startsWith('{')) throw new Refusal(400, 'usage', 'The body must be one JSON object.');
  const problem = findShapeProblem(text, {
    depthMax: limits.apiJsonDepthMax,
    itemsMax: limits.apiJsonItemsMax,
  });
  if (problem) throw new Refusal(413, 'too_large', `The body was not read. ${problem}`);
  const value = parse(text);
  if (!isObject(value)) throw new Refusal(400, 'usage', 'The body must be one JSON object.');
  return value;
}

/** A form or plain text is what a foreign web page can send without asking: never accepted. */
function checkContentType(request: Request): void {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return;
  throw new Refusal(415, 'usage', 'A body must be application/json.', {
    next: 'Send the header “content-type: application/json”.',
  });
}

async function readText(request: Request, bytesMax: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw tooLarge(bytesMax);
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Refusal(400, 'usage', 'The body is not UTF-8.');
  }
}

function tooLarge(bytesMax: number): Refusal {
  return new Refusal(413, 'too_large', `A body may have ${bytesMax} bytes at most.`, {
    headers: { connection: 'close' },
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, 'usage', `The body is not JSON: ${messageOf(error)}.`);
  }
}
