import { OAuthError } from '@modelcontextprotocol/client';

/**
 * What an authorization server complained about, in a few words. Only its own error fields are
 * repeated: a parser's complaint about a broken answer would quote the answer, tokens and all.
 */
export function problemOf(error: unknown): string {
  if (!(error instanceof OAuthError)) return 'its answer cannot be read';
  if (error.message.includes('Raw body')) return 'it answered with an error of its own';
  const said = error.message === '' || error.message === error.code ? '' : `: ${error.message}`;
  return `it answered ${`${error.code}${said}`.slice(0, CHARS_MAX).replace(/\.$/, '')}`;
}

const CHARS_MAX = 200;
