/** Removes terminal sequences; characters that move a cursor, hide or turn text are written as numbers. */
export function printable(text: string, charsMax: number): string {
  // Copied: a slice would keep the whole text in memory.
  const cut =
    text.length > charsMax
      ? Buffer.from(`${text.slice(0, wordEnd(text, charsMax))}… (${text.length} characters)`).toString()
      : text;
  return cut.replace(SEQUENCES, '').replace(UNSEEN, escaped);
}

/** Between two words where possible: half a key would not be recognized. */
function wordEnd(text: string, charsMax: number): number {
  const blank = text.lastIndexOf(' ', charsMax);
  return blank > charsMax / 2 ? blank : charsMax;
}

/** CSI, then the string sequences (OSC, DCS, SOS, PM, APC) with or without their end, then the rest. */
const SEQUENCES =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]/g;

/** Control characters but the tab; zero-width, bidirectional, variation, tag and lone surrogates. */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex -- as above
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e01ef}]|[\u{fe00}-\u{fe0f}]|\p{Surrogate}/gu;

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
