import type { PasteChange } from './paste.ts';

export interface CleanText {
  readonly text: string;
  readonly changes: readonly PasteChange[];
}

/** Removes invisible characters. Line numbers stay the same. */
export function cleanText(pasted: string): CleanText {
  const changes: PasteChange[] = [];
  let text = pasted.replaceAll(/\r\n?|\u2028|\u2029|\u0085/g, '\n');
  const hidden = text.search(INVISIBLE);
  if (hidden >= 0) {
    if (hidden > 0) changes.push({ line: lineOf(text, hidden), what: 'invisible characters were removed' });
    text = text.replaceAll(INVISIBLE_ALL, '');
  }
  const odd = text.search(ODD_SPACE);
  if (odd >= 0) {
    changes.push({ line: lineOf(text, odd), what: 'special spaces were replaced by plain ones' });
    text = text.replaceAll(ODD_SPACE_ALL, ' ');
  }
  if (/&quot;|&#34;|&#x22;/.test(text) && !text.includes('"')) {
    changes.push({
      line: lineOf(text, text.search(/&(quot|#)/)),
      what: '&quot; was replaced by a plain quote',
    });
    text = text.replaceAll(/&(?:quot|#34|#x22);/g, '"').replaceAll('&amp;', '&');
  }
  return { text, changes };
}

// Zero-width and direction marks, byte order mark, soft hyphen, and control characters but tab and line end.
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;
const INVISIBLE_ALL = new RegExp(INVISIBLE.source, 'g');
const ODD_SPACE = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;
const ODD_SPACE_ALL = new RegExp(ODD_SPACE.source, 'g');

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
