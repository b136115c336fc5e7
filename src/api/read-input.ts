import { messageOf } from '../base/errors.ts';
import { withPlainNumbers } from '../base/exact-number.ts';
import { isObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { ShapeScan } from '../base/json-shape.ts';
import { parseJson } from '../base/parse-json.ts';
import { parseAhead, parseTexts } from '../hub/operations/parse-input.ts';
import { Refusal } from './answer.ts';
import { routedOperations, usesQuery, type OperationName } from './routes.ts';

/** The fields of path, query or body, parsed by the operation's schema. The path wins. */
export async function readInput(
  name: OperationName,
  request: Request,
  params: Readonly<Record<string, string>>,
): Promise<unknown> {
  const row = routedOperations[name];
  const query = (): object => Object.fromEntries(new URL(request.url).searchParams);
  const given = usesQuery(row.route)
    ? parseTexts(row, { ...query(), ...params })
    : { ...withExactArgs(await readBody(request, row.route.bodyBytesMax)), ...params };
  return parseAhead(row, given);
}

/** Arguments go to a server as they were written; every other number is ours. */
function withExactArgs({ args, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return { ...withPlainNumbers(rest), ...(args === undefined ? {} : { args }) };
}

/** Reads a JSON object; `{}` without a body. Size and shape are checked while reading. */
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

/** A foreign web page can send a form or plain text without asking: neither is accepted. */
function checkContentType(request: Request): void {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return;
  throw new Refusal(415, 'usage', 'A body must be application/json.', {
    remedy: 'Send the header “content-type: application/json”.',
  });
}

/** Refuses while reading: memory stays small however many such bodies come. */
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

/** Refuses lists by their first character. Answers whether there was one yet. */
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

/** The rest of the body may still be on its way: the connection can't be used again. */
function refusedUnread(status: 400 | 413, code: 'usage' | 'too_large', message: string): Refusal {
  return new Refusal(status, code, message, { headers: { connection: 'close' } });
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Refusal(400, 'usage', `The body is not JSON: ${messageOf(error)}.`);
  }
}
