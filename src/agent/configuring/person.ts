import type { ChatMessage } from '../../hub/hub.ts';
import { textOf } from '../conversation.ts';

/** What the person wrote, word for word and counted from 1. Only deterministic code reads it. */
export class Person {
  readonly #texts: readonly string[];

  constructor(messages: readonly ChatMessage[]) {
    this.#texts = messages.filter(({ role }) => role === 'user').map(textOf);
  }

  get texts(): readonly string[] {
    return this.#texts;
  }

  /** The number of the last message. */
  get last(): number {
    return this.#texts.length;
  }

  text(number: number): string | undefined {
    return this.#texts[number - 1];
  }

  /** Whether the person wrote this themselves: what they did not write, somebody else made up. */
  wrote(text: string): boolean {
    const wanted = text.trim();
    return wanted !== '' && this.#texts.some((each) => each.includes(wanted));
  }

  /** Whether the person named this address's host themselves. */
  namedHost(host: string): boolean {
    const wanted = host.toLowerCase();
    return this.#texts.some((each) => hostsIn(each).has(wanted));
  }
}

/** Hosts with their port: of addresses, and names that look like one. A word alone is no host. */
function hostsIn(text: string): ReadonlySet<string> {
  const written = text.slice(0, TEXT_CHARS_MAX).matchAll(HOST);
  return new Set([...written].map(([, host = '', bare = '']) => (host || bare).toLowerCase()));
}

const TEXT_CHARS_MAX = 256 * 1024;
const HOST =
  /\/\/(?:[^\s/@]{0,256}@)?([\w.-]{1,253}(?::\d{1,5})?)|(?<![\w.@/-])((?:localhost|(?:[\w-]{1,63}\.){1,10}[\w-]{1,63})(?::\d{1,5})?)/g;
