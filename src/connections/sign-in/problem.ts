import { OAuthError } from '@modelcontextprotocol/client';

/** Repeats only OAuth's error fields: a parser's message about a broken answer would quote its tokens. */
export function problemOf(error: unknown): string {
  if (!(error instanceof OAuthError)) return 'its answer cannot be read';
  if (error.message.includes('Raw body')) return 'it answered with an error of its own';
  const said = error.message === '' || error.message === error.code ? '' : `: ${error.message}`;
  return `it answered ${`${error.code}${said}`.slice(0, CHARS_MAX).replace(/\.$/, '')}`;
}

const CHARS_MAX = 200;
