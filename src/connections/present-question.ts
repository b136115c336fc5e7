import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { webAddress } from '../base/web-address.ts';
import type { HostRequestKind } from './host.ts';
import { serverNote, serverSays, wordsOnLine } from './server-words.ts';

/** A question as a host may show it, or our own answer. */
export type Presented =
  | { readonly kind: 'ask'; readonly params: JsonObject }
  | { readonly kind: 'answer'; readonly answer: JsonObject };

/** Puts the server's name on its words; a page that we would not open is not shown. */
export function presentQuestion(kind: HostRequestKind, server: string, params: JsonObject): Presented {
  switch (kind) {
    case 'elicitation':
      return presentElicitation(server, params);
    case 'sampling':
      return { kind: 'ask', params: presentSampling(server, params) };
    case 'roots':
    default:
      return { kind: 'ask', params };
  }
}

/** Says why, for the server's author. */
const DECLINED: JsonObject = {
  action: 'decline',
  _meta: {
    'plugboard/reason':
      'Plugboard shows forms, and pages with an https address (or http on this machine) without a user name.',
  },
};

function presentElicitation(server: string, params: JsonObject): Presented {
  const { message, mode, url, requestedSchema, ...rest } = params;
  const asks = typeof message === 'string' && message.trim() !== '' ? message : 'It asks for an answer.';
  const marked = { ...rest, message: serverSays(server, asks.slice(0, QUESTION_CHARS_MAX)) };
  if (mode === 'url') {
    const address = webAddress(url);
    if (address === undefined) return { kind: 'answer', answer: DECLINED };
    return { kind: 'ask', params: { ...marked, mode, url: address } };
  }
  if (mode !== undefined && mode !== 'form') return { kind: 'answer', answer: DECLINED };
  const form = requestedSchema === undefined ? {} : { requestedSchema: presentForm(server, requestedSchema) };
  return { kind: 'ask', params: { ...marked, ...(mode === undefined ? {} : { mode }), ...form } };
}

/** A form's title may stand above everything else, so it is marked, too. */
function presentForm(server: string, schema: Json): Json {
  if (!isObject(schema)) return schema;
  const marked: Record<string, Json | undefined> = { ...withLines(schema, 0) };
  for (const name of ['title', 'description'] as const) {
    const text = schema[name];
    if (typeof text === 'string') marked[name] = serverNote(server, text);
  }
  return marked;
}

/** Puts each text that a form shows on one line. Names and values of fields stay as they are. */
function withLines(schema: JsonObject, depth: number): JsonObject {
  if (depth > FORM_DEPTH_MAX) return schema;
  const shown: Record<string, Json | undefined> = {};
  for (const [name, value] of Object.entries(schema)) {
    shown[name] =
      SHOWN.has(name) && typeof value === 'string' ? wordsOnLine(value) : inner(name, value, depth);
  }
  return shown;
}

function inner(name: string, value: Json | undefined, depth: number): Json | undefined {
  if (name === 'enumNames' && Array.isArray(value)) {
    return value.map((each) => (typeof each === 'string' ? wordsOnLine(each) : each));
  }
  if (Array.isArray(value)) {
    return value.map((each: Json) => (isObject(each) ? withLines(each, depth + 1) : each));
  }
  return isObject(value) ? withLines(value, depth + 1) : value;
}

/** A field may be called “title”: then its value is an object. */
const SHOWN: ReadonlySet<string> = new Set(['title', 'description']);
const FORM_DEPTH_MAX = 8;
const QUESTION_CHARS_MAX = 20_000;

/** The person who allows it and the model both see whose words these are. */
function presentSampling(server: string, params: JsonObject): JsonObject {
  const { systemPrompt, messages } = params;
  return {
    ...params,
    ...(typeof systemPrompt === 'string' ? { systemPrompt: serverSays(server, systemPrompt) } : {}),
    ...(Array.isArray(messages) ? { messages: messages.map((each) => presentMessage(server, each)) } : {}),
  };
}

function presentMessage(server: string, message: Json): Json {
  if (!isObject(message)) return message;
  const { content } = message;
  const shown = Array.isArray(content)
    ? content.map((block) => presentBlock(server, block))
    : presentBlock(server, content ?? null);
  return { ...message, content: shown };
}

function presentBlock(server: string, block: Json): Json {
  if (!isObject(block) || typeof block['text'] !== 'string') return block;
  return { ...block, text: serverSays(server, block['text']) };
}

/** Sorts `inputRequests` by key: those that may be shown, and the answers to those that may not. */
export function presentInputs(
  server: string,
  requests: JsonObject,
  kindOf: (method: string) => HostRequestKind | undefined,
): { readonly shown: JsonObject; readonly answers: JsonObject } {
  const shown: Record<string, Json> = {};
  const answers: Record<string, Json> = {};
  for (const [key, request] of Object.entries(requests)) {
    const { method, params } = isObject(request) ? request : {};
    const kind = typeof method === 'string' ? kindOf(method) : undefined;
    if (!kind || typeof method !== 'string') continue; // no host could answer it
    const presented = presentQuestion(kind, server, isObject(params) ? params : {});
    if (presented.kind === 'ask') shown[key] = { method, params: presented.params };
    else answers[key] = presented.answer;
  }
  return { shown, answers };
}
