import type { Json } from '../../base/json.ts';
import { readLenientJson } from './lenient-json.ts';
import { decodePercent } from './urls.ts';
import type { Budget } from './view.ts';

export interface Payload {
  readonly value: Json;
  /** What was wrong with it, for a person. */
  readonly damage: readonly string[];
}

/** The config in a link: JSON as it is, percent-encoded, or in either kind of base64. */
export function decodePayload(text: string, budget: Budget): Payload | undefined {
  const plain = text.trim();
  if (/^[{[]/.test(plain)) return parse(plain, budget);
  if (/^%(?:25)*7B/i.test(plain)) {
    const decoded = decodePercent(decodePercent(plain));
    return /^[{[]/.test(decoded) ? parse(decoded, budget) : undefined;
  }
  const decoded = decodeBase64(plain);
  if (decoded === undefined) return undefined;
  const inner = decoded.trim();
  if (inner.startsWith('%7B')) return parse(decodePercent(inner), budget);
  return /^[{["]/.test(inner) ? parse(inner, budget) : undefined;
}

function parse(text: string, budget: Budget): Payload | undefined {
  const result = readLenientJson(text, 0, { budget });
  if (!result || typeof result.value !== 'object' || result.value === null) return undefined;
  const damage = result.truncated
    ? ['The config in the link is cut off at its end; what was complete has been read.']
    : result.changes.map(({ what }) => `In the config of the link, ${what}.`);
  return { value: result.value, damage };
}

/** Standard or URL-safe, with or without padding; one client's own code swaps the two signs. */
function decodeBase64(text: string): string | undefined {
  const plain = text.replaceAll(' ', '+').replaceAll(/[\s=]|%3D/gi, '');
  if (plain.length < 8 || !/^[\w+/-]+$/.test(plain)) return undefined;
  const standard = plain.replaceAll('-', '+').replaceAll('_', '/');
  const decoded = fromBase64(standard);
  if (decoded !== undefined && /^\s*(?:[{["]|%7B)/.test(decoded)) return decoded;
  return fromBase64(plain.replaceAll('-', '/').replaceAll('_', '+'));
}

function fromBase64(text: string): string | undefined {
  // A length of 4n + 1 cannot be: the last character is a leftover of a cut.
  const whole = text.length % 4 === 1 ? text.slice(0, -1) : text;
  try {
    const bytes = Uint8Array.from(atob(whole), (char) => char.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined; // not base64
  }
}
