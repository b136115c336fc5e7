import { namesSecret } from '../../../src/base/secret-names.ts';
import type { FieldSpec, FieldValues } from '../parts/form/field-spec.ts';

/**
 * What was typed and not sent yet. All of it is kept as long as the page is open; what survives a
 * reload is written down, and that holds no secret.
 */
let text: string | undefined;

export function keptText(): string {
  text ??= read(TEXT) ?? '';
  return text;
}

export function keepText(next: string): void {
  text = next;
  write(TEXT, next === '' || mayHoldSecret(next) ? undefined : next);
}

/** Typed elsewhere on the page, to continue with at once. An address can't say so: anybody can write one. */
let handed: string | undefined;

export function handOver(given: string): void {
  handed = given;
}

export function takeHandedOver(): string | undefined {
  const given = handed;
  handed = undefined;
  return given;
}

export function keptValues(server: string): FieldValues {
  try {
    const kept: unknown = JSON.parse(read(VALUES + server) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as FieldValues) : {}; // written below
  } catch {
    return {}; // somebody else wrote there
  }
}

export function keepValues(server: string, fields: readonly FieldSpec[], values: FieldValues): void {
  const plain = fields.filter(({ id, kind }) => kind !== 'secret' && Object.hasOwn(values, id));
  const kept = Object.fromEntries(plain.map(({ id }) => [id, values[id]]));
  write(VALUES + server, plain.length === 0 ? undefined : JSON.stringify(kept));
}

export function forgetValues(server: string): void {
  write(VALUES + server, undefined);
}

/** When in doubt, it does: a name that stands for a secret, or a word that nobody would type. */
export function mayHoldSecret(given: string): boolean {
  const words = given.split(/[^\w.@:/-]+/);
  return words.some((word) => namesSecret(word) || LONG_AND_MIXED.test(word) || WITH_PASSWORD.test(word));
}

const LONG_AND_MIXED = /(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{20,}/i;
const WITH_PASSWORD = /:\/\/[^/\s]*@/;

const TEXT = 'plug.add.text';
const VALUES = 'plug.add.values.';

function read(key: string): string | undefined {
  try {
    return window.sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined; // the browser forbids it: then nothing survives a reload
  }
}

function write(key: string, value: string | undefined): void {
  try {
    if (value === undefined) window.sessionStorage.removeItem(key);
    else window.sessionStorage.setItem(key, value);
  } catch {
    // Forbidden, or full: then nothing survives a reload.
  }
}
