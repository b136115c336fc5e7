import { KNOWN_CASES } from './attacks/known-cases.ts';

/**
 * Attacks, by id. A test names those that it repeats: `verifies(['P10', 'attack:7'], …)`, and
 * `npm run attacks` runs all of them and prints a table.
 */
export type AttackId = `attack:${string}`;

export interface Attack {
  readonly id: AttackId;
  /** What the attacker does, in one line. */
  readonly tries: string;
  /** Why it cannot be tried on this product; no test is then asked for. */
  readonly cannotApply?: string;
}

/** Attacks that once worked, in the order in which they were found. */
const ONCE_WORKED: readonly string[] = [
  'another local user reads the link of the page and becomes you',
  'typing a refusal and pressing Enter approves',
  'any web page stops the hub during a sign-in',
  'a data rule is off once the receiver has echoed the text',
  'a repository’s file sends the environment of the hub to its host',
  'calls run although no record can be written',
  'an approval for one account is used by another',
  'a server speaks as Plugboard',
  'an allowing pattern is passed by equivalent arguments',
  'a folder or a file of another user is obeyed',
  'an app leaves its sandbox by WebRTC',
  'the token of the gateway opens the whole hub',
  'a server’s text forges lines in the terminal',
  'a small bundle unpacks to gigabytes',
  'a secret passes redaction in another encoding',
  'a deeply nested answer stops the hub for everyone',
];

/** Areas that were attacked on purpose, to see whether anything works. */
const NEWLY_TRIED: Readonly<Record<string, string>> = {
  'registry-answers': 'a registry answers with garbage, too much, or another package',
  pictures: 'a picture is broken, enormous or no picture',
  'chat-agent': 'a result makes the model of the chat do what nobody asked for',
  'code-mode-time': 'a script runs past its time',
  postgresql: 'the database goes away, or answers wrongly, under load',
  'clock-jumps': 'the clock jumps forwards or back',
  'read-only-disk': 'the disk of the Plugboard folder is read-only',
  'sqlite-corruption': 'the database file is damaged',
  'core-dumps': 'a crash leaves secrets on the disk',
  redirects: 'a redirect carries a token to another place',
  'double-fork': 'a server leaves behind a process that nobody owns',
  'dns-rebinding': 'a web page reaches the hub under a name of its own',
  'endless-requests': 'a server never ends a request, or ends it in no valid way',
  fuzz: 'twenty thousand random inputs at each door and parser',
};

const knownCases: readonly Attack[] = Object.entries(KNOWN_CASES).flatMap(([area, cases]) =>
  cases.map((each, index) => ({
    id: `attack:${area}${index + 1}` as const,
    ...(typeof each === 'string' ? { tries: each } : each),
  })),
);

export const attacks: readonly Attack[] = [
  ...ONCE_WORKED.map((tries, index) => ({ id: `attack:${index + 1}` as const, tries })),
  ...Object.entries(NEWLY_TRIED).map(([name, tries]) => ({ id: `attack:${name}` as const, tries })),
  ...knownCases,
];

export function isAttack(id: string): boolean {
  return attacks.some((attack) => attack.id === id);
}
