import { messageOf } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { ShapeScan } from '../base/json-shape.ts';
import { parseInput, parseTexts } from '../hub/operations/parse-input.ts';
import { Refusal } from './answer.ts';
import { routedOperations, usesQuery, type OperationName } from './routes.ts';

/** Path, query or body fields in one object, parsed by the operation's schema. The path wins. */
export async function readInput(
  name: OperationName,
  request: Request,
  params: Readonly<Record<string, string>>,
): Promise<unknown> {
  const row = routedOperations[name];
  const query = (): object => Object.fromEntries(new URL(request.url).searchParams);
  const given = usesQuery(row.route)
    ? parseTexts(row, { ...query(), ...params })
    : { ...(await readBody(request, row.route.bodyBytesMax)), ...params };
  return parseInput(row, given);
}

/** Reads a JSON object. Size and shape are judged while reading; `{}` when there is no body. */
export async function readBody(
  request: Request,
  bytesMax: number = limits.apiBodyBytesMax,
): Promise<Record<string, unknown>> {
  if (request.headers.has('content-type')) checkContentType(request);
  const text = await readText(request, bytesMax);
  if (text.trim() === '') return {};
  checkContentType(request);
  const value = parse(text);
  if (!isObject(value)) throw new Refusal(400, 'usage', NOT_AN_OBJECT);
  return value;
}

/** A form or plain text is what a foreign web page can send without asking: never accepted. */
function checkContentType(request: Request): void {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return;
  throw new Refusal(415, 'usage', 'A body must be application/json.', {
    remedy: 'Send the header “content-type: application/json”.',
  });
}

/** A body that will be refused is not collected first: memory stays small however many of them come. */
async function readText(request: Request, bytesMax: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw tooLarge(bytesMax);
  if (!request.body) return '';
  const scan = new ShapeScan({ depthMax: limits.apiJsonDepthMax, itemsMax: limits.apiJsonItemsMax });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let hasBegun = false;
  for await (const chunk of request.body) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    if (!hasBegun) hasBegun = checkStart(chunk);
    const problem = scan.feed(chunk);
    if (problem) throw refusedUnread(413, 'too_large', `The body was not read. ${problem}`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Refusal(400, 'usage', 'The body is not UTF-8.');
  }
}

/** Batches and lists are no input of ours: refused by the first character. Whether there is one yet. */
function checkStart(chunk: Uint8Array): boolean {
  const first = chunk.find((byte) => byte > SPACE);
  if (first === undefined) return false;
  // A byte order mark is for the decoder.
  if (first !== OPEN_OBJECT && first <= ASCII_MAX) throw refusedUnread(400, 'usage', NOT_AN_OBJECT);
  return true;
}

const SPACE = 0x20;
const OPEN_OBJECT = 0x7b;
const ASCII_MAX = 0x7f;
const NOT_AN_OBJECT = 'The body must be one JSON object.';

function tooLarge(bytesMax: number): Refusal {
  return refusedUnread(413, 'too_large', `A body may have ${bytesMax} bytes at most.`);
}

/** The rest of the body may still be on its way: the connection is of no more use. */
function refusedUnread(status: 400 | 413, code: 'usage' | 'too_large', message: string): Refusal {
  return new Refusal(status, code, message, { headers: { connection: 'close' } });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, 'usage', `The body is not JSON: ${messageOf(error)}.`);
  }
}
