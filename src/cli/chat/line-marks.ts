/**
 * A message of several lines in an editor of one line: line ends and tabs are shown by signs, and
 * become themselves again when the message is sent. The signs are ones that the text does not hold.
 */
export interface LineMarks {
  readonly shown: (text: string) => string;
  readonly meant: (shown: string) => string;
  /** Whether a text holds none of the signs. */
  readonly fit: (text: string) => boolean;
}

export function lineMarksFor(text: string): LineMarks {
  const end = LINE_ENDS.find((sign) => !text.includes(sign)) ?? '\ue00a';
  const tab = TABS.find((sign) => !text.includes(sign)) ?? '\ue009';
  return {
    shown: (plain) =>
      plain
        .replaceAll(/\r\n?|\n/g, end)
        .replaceAll('\t', tab)
        .replaceAll(/\p{Cc}/gu, ''),
    fit: (plain) => !plain.includes(end) && !plain.includes(tab),
    meant: (shown) => shown.replaceAll(end, '\n').replaceAll(tab, '\t'),
  };
}

const LINE_ENDS = ['↵', '⏎', '␤'];
const TABS = ['⇥', '↹', '␉'];
