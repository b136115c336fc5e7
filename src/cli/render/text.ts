/** Something that a server sent where a text belongs: anything else is shown as JSON. */
export function textOrJson(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Columns that a text takes on a terminal: wide characters count two, combining ones none. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let used = 1; // the ellipsis
  for (const character of text) {
    used += characterWidth(character);
    if (used > width) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

function characterWidth(character: string): number {
  if (character <= '~') return 1;
  // Made only for these characters: reading properties of Unicode takes time.
  if (/[\p{Mark}\p{Default_Ignorable_Code_Point}]/u.test(character)) return 0;
  return wide().test(character) ? 2 : 1;
}

function wide(): RegExp {
  return /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
}

/** `2026-12-01 18:00`, in UTC. */
export function shortMoment(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
