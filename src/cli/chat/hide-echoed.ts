import { secretsSaid } from '../../agent/setup-agent/secrets-said.ts';
import { HIDDEN } from '../../base/secret-names.ts';
import type { Session } from '../session.ts';

export const PROMPT = '› ';

/** A key that was typed at the prompt is written over on the screen; whether there was one. */
export function hideEchoed(text: string, { streams, stderr }: Session['terminal']): boolean {
  const secrets = secretsSaid(text);
  if (secrets.length === 0) return false;
  const shown = secrets.reduce((sum, secret) => sum.replaceAll(secret, () => HIDDEN), text);
  const columns = streams.stderr.columns || COLUMNS_UNKNOWN;
  const rows = Math.max(1, Math.ceil((PROMPT.length + text.length) / columns));
  // Up to where it began, and everything below it away.
  if (stderr.isTerminal)
    streams.stderr.write(`\u001B[${rows}A\r\u001B[J${PROMPT}${shown.replaceAll('\n', ' ')}\n`);
  return true;
}

const COLUMNS_UNKNOWN = 80;
