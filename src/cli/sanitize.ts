import { CONTROL, invisible, INVISIBLE_CLASS, isPlainAscii, numberOf } from '../base/unseen-characters.ts';

/** Escapes control and invisible characters. Several lines remain: show them by `Output.body` or `quote`. */
export function sanitize(text: string): string {
  if (isPlainAscii(text)) return text;
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(
      CONTROL,
      (found) => CONTROL_NAMES[found] ?? `\\x${found.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
    .replace(invisible(), numberOf);
}

export function oneLine(text: string): string {
  return sanitize(text).replaceAll('\n', String.raw`\n`);
}

/** The same for a place with little room: a table's cell, a name in a sentence. */
export function sanitizeLine(text: string): string {
  return oneLine(text.trim()).replace(/\s+/gu, ' ').trim();
}

/** JSON that reads back unchanged, yet holds no character that could drive a terminal. */
export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  if (isPlainAscii(text)) return text;
  return text.replace(new RegExp(JSON_UNSAFE, 'gu'), (found) =>
    Array.from(
      { length: found.length },
      (_, index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

const CONTROL_NAMES: Readonly<Record<string, string>> = { '\r': '\\r', '\b': '\\b', '\0': '\\0' };

const JSON_UNSAFE = String.raw`[\u007f-\u009f${INVISIBLE_CLASS}]`;
