import type { ShownCall } from '../parts/call-row.tsx';
import type { ChatMessage, ChatUsage, ErrorView, JsonObject, ServerSuggestion } from '../hub/hub-context.tsx';

/** Which servers the model may use: those that are named, or whichever the request needs. */
export interface ServerChoice {
  readonly servers?: readonly string[];
  /** Where none is named: those that are left out. */
  readonly off?: readonly string[];
}

export type Choice = ServerChoice & Pick<Conversation, 'model'>;

/** A picture that the person gave, in base64. */
export interface Picture {
  readonly mimeType: string;
  readonly data: string;
}

/** One conversation as this browser keeps it. */
export interface Conversation extends ServerChoice {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly turns: readonly Turn[];
  /** By our name for it; absent is the default one. */
  readonly model?: string;
}

/** One message of the person, and everything until the model has nothing more to call. */
export interface Turn {
  readonly id: string;
  readonly at: number;
  readonly text: string;
  readonly pictures?: readonly Picture[];
  readonly parts: readonly Part[];
  readonly state: 'running' | 'done' | 'length' | 'steps' | 'stopped' | 'failed';
  readonly usage?: ChatUsage;
  readonly error?: ErrorView;
  /** What the model is given of it with the next turn. */
  readonly messages: readonly ChatMessage[];
}

/** What an answer consists of, in its order. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'servers'; readonly servers: readonly string[]; readonly of?: number | undefined }
  | { readonly kind: 'call'; readonly call: ShownCall; readonly app?: AppOfCall }
  | { readonly kind: 'suggestion'; readonly suggestions: readonly ServerSuggestion[] }
  | { readonly kind: 'retry'; readonly reason: string; readonly waitMs: number }
  | { readonly kind: 'note'; readonly text: string };

/** The page that a server brings along for a call. */
export interface AppOfCall {
  readonly server: string;
  readonly uri: string;
  readonly result?: JsonObject;
}

/** What the model is given: all that was said before, and the new message. */
export function messagesOf(turns: readonly Turn[], said: Said): readonly ChatMessage[] {
  return [...turns.flatMap(({ messages }) => messages), personSays(said)];
}

export type Said = Pick<Turn, 'text' | 'pictures'>;

export function personSays({ text, pictures = [] }: Said): ChatMessage {
  if (pictures.length === 0) return { role: 'user', content: text };
  const shown = pictures.map(({ data, mimeType }) => ({ type: 'image', image: data, mediaType: mimeType }));
  return { role: 'user', content: [...(text === '' ? [] : [{ type: 'text', text }]), ...shown] };
}

/** What was said in a turn, for copying and for a model that was cut short. */
export function saidIn({ parts }: Pick<Turn, 'parts'>): string {
  return parts
    .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .join('\n\n')
    .trim();
}

export function callsIn({ parts }: Pick<Turn, 'parts'>): readonly ShownCall[] {
  return parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []));
}

/** A conversation is called by its first words until somebody names it. */
export function titleFrom(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS).trimEnd()} …` : line || 'New chat';
}

export const TITLE_CHARS = 60;

/** Of a conversation in which nothing has been said yet; it is kept nowhere. */
export const NEW = 'new';

export function newConversation(): Conversation {
  const now = Date.now();
  return { id: NEW, title: '', createdAt: now, changedAt: now, turns: [] };
}
