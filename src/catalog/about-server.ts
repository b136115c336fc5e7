import type { JsonObject } from '../base/json.ts';
import { findInstructions } from './flags-instructions.ts';
import { withoutHidden } from './hidden-text.ts';

export interface SaidOfItself {
  readonly serverInfo?: JsonObject;
  readonly instructions?: string;
}

/** In the server's words: bounded, one line, left out when it instructs the model. */
export function aboutServer({ serverInfo = {}, instructions }: SaidOfItself, charsMax: number): string {
  const title = lineOf(serverInfo['title']);
  const sentence = opening(lineOf(serverInfo['description']) || lineOf(instructions));
  const parts = [title, sentence].filter((part) => part !== '' && findInstructions(part) === undefined);
  const [first = '', second] = parts;
  if (second === undefined) return shorten(first, charsMax);
  // Many descriptions begin with the title.
  const isRepeated = second.toLowerCase().startsWith(first.toLowerCase());
  return shorten(isRepeated ? second : `${first}: ${second}`, charsMax);
}

function opening(text: string): string {
  const first = firstSentence(text);
  if (first.length >= TELLING_CHARS_MIN) return first;
  const second = firstSentence(text.slice(first.length).trimStart());
  return `${first} ${second}`.trim();
}

/** The next sentence begins after a space. */
export function firstSentence(text: string): string {
  return /^.*?(?:[.!?](?=\s|$)|[。！？])/su.exec(text)?.[0] ?? text;
}

export function lineOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  return withoutHidden(value.slice(0, READ_CHARS_MAX)).replaceAll(/\s+/g, ' ').trim();
}

export function shorten(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const cut = text.slice(0, charsMax - 1).toWellFormed();
  const space = cut.lastIndexOf(' ');
  return `${(space > charsMax / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.\ufffd]+$/u, '')}…`;
}

const TELLING_CHARS_MIN = 40;
const READ_CHARS_MAX = 4_000;
