import { isUtf8 } from 'node:buffer';
import { rpcCodes } from '../rpc.ts';
import type { Incoming } from './exchange.ts';
import { httpCodes, problem, type Problem } from './respond.ts';

export interface BodyOptions {
  readonly bytesMax: number;
  /** Why a text is too deep or too wide to be parsed, if it is. */
  readonly findShapeProblem: (text: string) => string | undefined;
}

/**
 * Reads a JSON body and hands over its value, or what is wrong with it. Neither is called when the
 * host goes away in the middle. Callbacks, because this is on the way of every call.
 */
export function readBody(
  request: Incoming,
  options: BodyOptions,
  done: (value: unknown) => void,
  failed: (what: Problem) => void,
): void {
  const refused = wrongForm(request, options.bytesMax);
  if (refused) {
    request.skip();
    failed(refused);
    return;
  }
  request.body(
    options.bytesMax,
    (body) => {
      const parsed = parse(body, options);
      if ('value' in parsed) done(parsed.value);
      else failed(parsed);
    },
    () => failed(tooLarge(options.bytesMax)),
  );
}

function wrongForm({ header }: Incoming, bytesMax: number): Problem | undefined {
  const type = header('content-type');
  // A form or plain text is what a foreign web page can send without asking.
  if (type !== 'application/json' && type?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    return problem(415, httpCodes.badRequest, 'A body must be application/json.', CLOSE);
  }
  const encoding = header('content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return problem(415, httpCodes.badRequest, 'A body must not be compressed.', CLOSE);
  }
  if (Number(header('content-length') ?? 0) > bytesMax) return tooLarge(bytesMax);
  return undefined;
}

/** The rest of a body that nobody wants is not waited for. */
const CLOSE = ['connection', 'close'] as const;

function tooLarge(bytesMax: number): Problem {
  return problem(413, httpCodes.badRequest, `A body may have ${bytesMax} bytes at most.`, CLOSE);
}

function parse(body: Buffer, options: BodyOptions): { readonly value: unknown } | Problem {
  if (!isUtf8(body)) return problem(400, rpcCodes.parseError, 'The body is not UTF-8.');
  const text = body.toString('utf8');
  const shape = options.findShapeProblem(text);
  if (shape !== undefined) {
    return problem(413, httpCodes.badRequest, `The body was not read. ${shape}`);
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return problem(400, rpcCodes.parseError, 'The body is not JSON.');
  }
}
