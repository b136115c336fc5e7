/** Never half of a character. */
export function cutText(text: string, chars: number): string {
  return text.length <= chars ? text : text.slice(0, safeBorder(text, chars));
}

/** At the end of a line if one ends in the second half. */
export function cutAtLine(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const newline = text.lastIndexOf('\n', chars);
  return newline >= chars / 2 ? text.slice(0, newline) : cutText(text, chars);
}

/** At or just before `at`, never between surrogates. */
export function safeBorder(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  const torn = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
  return torn ? at - 1 : at;
}
