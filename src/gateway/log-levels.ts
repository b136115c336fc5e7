/** RFC 5424, as the specification lists them. */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

export function isLevel(text: unknown): text is string {
  return typeof text === 'string' && LEVELS.includes(text);
}

/** Whether a message of this level is for somebody who asked for `wanted`; a level of its own always is. */
export function isLoud(level: string, wanted: string | undefined): boolean {
  if (wanted === undefined || !LEVELS.includes(level)) return true;
  return LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
}
