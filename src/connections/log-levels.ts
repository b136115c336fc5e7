/** Severities of `notifications/message`, the most talkative first. */
const LEVELS: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

export function isLevel(text: unknown): text is string {
  return typeof text === 'string' && LEVELS.includes(text);
}

/** The one of two wishes that lets more through. */
export function lowestLevel(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return LEVELS.indexOf(a) <= LEVELS.indexOf(b) ? a : b;
}

/** Whether whoever wants this level hears of that one. A level that nobody knows is not kept back. */
export function reachesLevel(level: string, wanted: string | undefined): boolean {
  const severity = LEVELS.indexOf(level);
  return wanted === undefined || severity < 0 || severity >= LEVELS.indexOf(wanted);
}
