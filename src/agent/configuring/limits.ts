import { visibleText } from '../../calls/external-text/visible.ts';

/** Every bound of setting up in a conversation, by name. Units stand last in each name. */
export const configuringLimits = {
  /** Requests to the model in one turn. */
  stepsMax: 12,
  /** The newest messages are what a model is given. */
  messagesMax: 60,
  /** Of one message; a longer config is read whole by the parser, and only its beginning by the model. */
  messageCharsMax: 20_000,
  /** How much of a message is searched for keys beyond what its parser found; far more than is told. */
  searchedCharsMax: 200_000,
  /** A message with more of them is not told at all. */
  secretsMax: 1_000,
  /** Of what one tool tells the model. */
  resultCharsMax: 8_000,

  serversToldMax: 60,
  errorsToldMax: 10,
  reasonCharsMax: 300,
  descriptionCharsMax: 160,
  choicesMax: 8,
  /** For one wish, when the registries know nothing by its own words. */
  searchesMax: 3,
  /** Servers that are proposed in one turn. */
  proposalsMax: 12,

  /** A name or an address inside a sentence. */
  nameCharsMax: 80,
  /** Of a corrected text inside an answer; the proposal has all of it. */
  repairCharsMax: 4_000,
  /** A longer text is a paste and no request. */
  requestCharsMax: 240,
  /** How long a server is waited for when it is tested. */
  testTimeoutMs: 60_000,
} as const;

/** A text that fits into a sentence: one line, nothing hidden, and nothing that a page would take for markup. */
export function cut(text: string, charsMax: number): string {
  const line = visibleText(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[<>`*[\]]/g, (sign) => PLAIN_SIGNS[sign] ?? '')
    .trim();
  return line.length > charsMax ? `${line.slice(0, charsMax)}…` : line;
}

const PLAIN_SIGNS: Readonly<Record<string, string>> = {
  '<': '‹',
  '>': '›',
  '`': "'",
  '*': '',
  '[': '(',
  ']': ')',
};
