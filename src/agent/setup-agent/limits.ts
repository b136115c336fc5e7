import { visibleText } from '../../calls/external-text/visible.ts';

/** Limits of the setup agent; the unit is last in each name. */
export const setupLimits = {
  stepsMax: 12,
  messagesMax: 60,
  /** Of one message: the parser reads all of it, the model only this much. */
  messageCharsMax: 20_000,
  /** A message with more of them is withheld. */
  secretsMax: 1_000,
  resultCharsMax: 8_000,

  serversToldMax: 60,
  errorsToldMax: 10,
  reasonCharsMax: 300,
  descriptionCharsMax: 160,
  choicesMax: 8,
  searchesMax: 3,
  proposalsMax: 12,

  nameCharsMax: 80,
  /** Of a corrected text in an answer; the proposal has all of it. */
  repairCharsMax: 4_000,
  requestCharsMax: 240,
  testTimeoutMs: 60_000,
} as const;

/** One line, without hidden characters or markup. */
export function cut(text: string, charsMax: number): string {
  const line = visibleText(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[<>`*[\]]/g, (sign) => PLAIN_SIGNS[sign] ?? '')
    .trim();
  return line.length > charsMax ? `${line.slice(0, charsMax)}…` : line;
}

export function short(text: string): string {
  return cut(text, setupLimits.nameCharsMax);
}

const PLAIN_SIGNS: Record<string, string> = { '<': '‹', '>': '›', '`': "'", '*': '', '[': '(', ']': ')' };
