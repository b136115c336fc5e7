import { isObject, type Json, type JsonObject } from '../../../../src/base/json.ts';
import type { TrafficMessage } from '../../hub/hub-context.tsx';

/**
 * A recorded tool call as a test of one's own: it makes the same call and expects the same answer. Undefined
 * for what is no tool call, or was cut short.
 */
export function asTest(
  server: string,
  message: TrafficMessage,
  all: readonly TrafficMessage[],
): string | undefined {
  if (message.method !== 'tools/call') return undefined;
  const pair = all.filter((each) => each.id === message.id && each.session === message.session);
  const asked = pair.findLast(({ kind, seq }) => kind === 'request' && seq <= message.seq);
  const answered = pair.find(({ kind, seq }) => kind !== 'request' && asked !== undefined && seq > asked.seq);
  const params = paramsOf(asked);
  const name = params?.['name'];
  if (typeof name !== 'string') return undefined;
  const tool = `${server}/${name}`;
  const args = isObject(params?.['arguments']) ? params['arguments'] : {};
  const call = `hub.tools.call({ tool: ${JSON.stringify(tool)}, args: ${json(args)} })`;
  return [
    "import { openPlugboard } from 'plugboard';",
    "import { expect, test } from 'vitest';",
    '',
    `test(${JSON.stringify(`${tool} answers as it did`)}, async () => {`,
    "  await using hub = await openPlugboard({ hub: 'shared' });",
    ...expectation(call, answered),
    '});',
    '',
  ].join('\n');
}

function expectation(call: string, answered: TrafficMessage | undefined): readonly string[] {
  const answer = parsed(answered);
  if (isObject(answer?.['error'])) return [`  await expect(${call}).rejects.toThrow();`];
  const result = isObject(answer?.['result']) ? answer['result'] : undefined;
  if (!result) return [`  const result = await ${call};`, '  expect(result.isError).toBeFalsy();'];
  return [
    `  const result = await ${call};`,
    ...(result['isError'] === true ? ['  expect(result.isError).toBe(true);'] : []),
    `  expect(result.content).toEqual(${json(result['content'])});`,
  ];
}

function paramsOf(message: TrafficMessage | undefined): JsonObject | undefined {
  const params = parsed(message)?.['params'];
  return params !== undefined && isJsonObject(params) ? params : undefined;
}

/** Undefined for a message that was cut. */
export function parsed(message: TrafficMessage | undefined): JsonObject | undefined {
  if (!message || message.text.length < message.chars) return undefined;
  try {
    const value = JSON.parse(message.text) as Json; // as every JSON text is
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // what was masked in it may have ended a text early
  }
}

function isJsonObject(value: Json): value is JsonObject {
  return isObject(value);
}

/** Indented like the code around it. */
function json(value: unknown): string {
  return JSON.stringify(value ?? null, undefined, 2).replaceAll('\n', '\n  ');
}
