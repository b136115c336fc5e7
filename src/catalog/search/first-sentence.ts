import { searchLimits } from './limits.ts';

/** What a description says first: mostly what the tool does. */
export function firstSentence(text: string): string {
  const read = text.slice(0, searchLimits.fieldCharsMax).trimStart();
  const end = SENTENCE_END.exec(read);
  return end ? read.slice(0, end.index + 1) : read;
}

/** A full stop, or an empty line. */
const SENTENCE_END = /[.!?](?=\s|$)|[。！？]|\n\s*\n/;
