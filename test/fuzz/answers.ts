import * as fc from 'fast-check';
import type { JsonObject } from '../../src/base/json.ts';
import { damaged } from './inputs.ts';
import { ID, MUCH } from './answering-server.ts';

/** What a server does when it is called. It travels in the arguments, so that a server knows nothing else. */
export interface FuzzedAnswer {
  readonly messages: readonly Buffer[];
  /** How many characters `@MUCH@` stands for in a message. */
  readonly much: number;
  /** `half`: the last message breaks off in the middle; with `exit` the process ends, too. */
  readonly end: 'whole' | 'half' | 'exit';
  /** HTTP only. */
  readonly status: number;
  readonly type: string;
  readonly tool: 'loose' | 'shaped';
}

/** The arguments of the call that a server answers so. */
export function argumentsFor({ messages, tool: _named, ...how }: FuzzedAnswer): JsonObject {
  return { ...how, messages: messages.map((each) => each.toString('base64')) };
}

const numbers = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1.0',
    '1e400',
    '-1e-400',
    '9007199254740993',
    '1E5',
    '0.10',
    '-1',
    '2147483648',
  ),
  fc.stringMatching(/^[1-9][0-9]{0,60}$/),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);

const words = [
  'text image audio resource resource_link tool_use task complete input_required working completed failed',
  'cancelled elicitation/create sampling/createMessage roots/list ping form url accept file:///x text/plain 2.0',
  'tools/list_changed __proto__ constructor plug://x/y https://example.com/ AAAA sk-live-0123456789abcdef',
]
  .join(' ')
  .split(' ');
const texts = fc.oneof(
  fc.constantFrom(
    ...words,
    '',
    '\u0000',
    '\uFEFF',
    '\uD800',
    '\u202E',
    '\u2028',
    MUCH,
    '2026-11-18T00:00:00Z',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const keys = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...[
        'content structuredContent isError _meta type text data mimeType resource uri blob name title annotations',
        'resultType inputRequests requestState method params message requestedSchema mode url elicitationId task',
        'taskId status ttl pollInterval nextCursor contents messages role completion values total tools code',
        '__proto__ toJSON then constructor io.modelcontextprotocol/related-task n list',
      ]
        .join(' ')
        .split(' '),
    ),
  },
  texts,
);

/** Any JSON, as text: odd numbers, keys that mean something and keys that come twice. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom<string>('null', 'true', 'false', '{}', '[]', '""'),
    numbers,
    texts.map((text) => JSON.stringify(text)),
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(keys, tie('json')), { maxLength: 6 })
      .map((fields) => `{${fields.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  ),
}));

const deep = fc
  .tuple(fc.constantFrom(60, 490, 510, 5_000, 50_000), fc.boolean())
  .map(([depth, isArray]) => `@DEEP ${depth} ${isArray ? 'arrays' : 'objects'}@`);

const values = fc.oneof({ weight: 12, arbitrary: json }, { weight: 1, arbitrary: deep });

/** Most of the fields that a result of a call, a prompt or a resource may have, with any values. */
const results = fc.oneof(
  values,
  fc
    .tuple(values, values, values)
    .map(
      ([content, structured, meta]) =>
        `{"content":[${content}],"structuredContent":${structured},"_meta":${meta}}`,
    ),
  values.map((text) => `{"content":[{"type":"text","text":${text}}],"structuredContent":{"n":${text}}}`),
  values.map(
    (asked) => `{"resultType":"input_required","requestState":${asked},"inputRequests":{"a":${asked}}}`,
  ),
  values.map((task) => `{"resultType":"task","taskId":${task},"status":"working","task":{"taskId":${task}}}`),
);
const errors = fc.oneof(
  values,
  fc
    .tuple(values, values, values)
    .map(([code, message, data]) => `{"code":${code},"message":${message},"data":${data}}`),
  values.map((data) => `{"code":-32042,"message":"sign in","data":{"elicitations":[${data}]}}`),
);
const ids = fc.oneof(
  { weight: 12, arbitrary: fc.constant(ID) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(`"${ID}"`, `${ID}.0`, `${ID}e0`, `[${ID}]`, '{}', 'null', '-1', '1e400'),
  },
  { weight: 1, arbitrary: json },
);
const answers = fc
  .tuple(
    ids,
    fc.oneof(
      results.map((value) => `"result":${value}`),
      errors.map((value) => `"error":${value}`),
    ),
  )
  .map(([id, body]) => `{"jsonrpc":"2.0","id":${id},${body}}`);
const asides = fc.oneof(
  fc
    .tuple(json, values)
    .map(([id, params]) => `{"jsonrpc":"2.0","id":${id},"method":"ping","params":${params}}`),
  fc
    .tuple(
      fc.constantFrom('progress', 'message', 'cancelled', 'tasks/status', 'elicitation/complete', 'x'),
      values,
    )
    .map(([method, params]) => `{"jsonrpc":"2.0","method":"notifications/${method}","params":${params}}`),
  values.map(
    (value) =>
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${ID},"progress":${value},"message":${value}}}`,
  ),
  fc
    .tuple(
      json,
      fc.constantFrom('sampling/createMessage', 'elicitation/create', 'roots/list', 'no/such'),
      values,
    )
    .map(([id, method, params]) => `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`),
  values,
);

const bytes = (text: fc.Arbitrary<string>): fc.Arbitrary<Buffer> => text.map((made) => Buffer.from(made));
const noUtf8 = answers.map((text) =>
  Buffer.concat([
    Buffer.from(text.slice(0, -2)),
    Buffer.from([0xff, 0xc0, 0xed, 0xa0, 0x80]),
    Buffer.from('"}}'),
  ]),
);
const message = fc.oneof(
  { weight: 10, arbitrary: bytes(answers) },
  { weight: 2, arbitrary: damaged(bytes(answers)) },
  { weight: 1, arbitrary: noUtf8 },
  { weight: 1, arbitrary: bytes(answers.map((text) => `[${text},${text}]`)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((made) => Buffer.from(made)) },
);

export const fuzzedAnswers: fc.Arbitrary<FuzzedAnswer> = fc
  .record({
    asides: fc.array(bytes(asides), { maxLength: 2 }),
    answer: message,
    isTwice: fc.integer({ min: 0, max: 20 }).map((drawn) => drawn === 0),
    isSilent: fc.integer({ min: 0, max: 50 }).map((drawn) => drawn === 0),
    much: fc.constantFrom(1, 1, 1, 1_000, 100_000),
    end: fc.constantFrom<FuzzedAnswer['end'][]>(
      'whole',
      'whole',
      'whole',
      'whole',
      'whole',
      'whole',
      'whole',
      'half',
    ),
    status: fc.constantFrom(...Array.from({ length: 24 }, () => 200), 202, 204, 400, 404, 500, 502),
    type: fc.constantFrom(
      'application/json',
      'application/json',
      'text/event-stream',
      'text/event-stream',
      'text/html',
    ),
    tool: fc.constantFrom('loose', 'shaped'),
  })
  .map(({ asides: before, answer, isTwice, isSilent, ...how }) => ({
    ...how,
    messages: isSilent ? before : [...before, answer, ...(isTwice ? [answer] : [])],
  }));
