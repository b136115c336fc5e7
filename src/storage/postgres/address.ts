import { PlugError } from '../../base/errors.ts';

/** Where the database is, in words that may be shown: never with the password. */
export function readAddress(url: string): { readonly shown: string; readonly secrets: readonly string[] } {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['postgres:', 'postgresql:'].includes(parsed.protocol) || isTorn(parsed)) {
    // The text itself is not shown: it may hold a password.
    throw new PlugError('usage', 'The address of the PostgreSQL database cannot be read.', {
      owner: 'you',
      next: 'Write it as postgres://USER:PASSWORD@HOST:5432/DATABASE, with special characters percent-encoded.',
    });
  }
  const host = parsed.searchParams.get('host') ?? (parsed.host || 'localhost');
  const given = [parsed.password, parsed.searchParams.get('password') ?? ''].filter((text) => text !== '');
  return {
    shown: `postgres://${host}${parsed.pathname}`,
    secrets: [...new Set(given.flatMap((text) => [text, decode(text)]))],
  };
}

/** A password with a bare slash, question mark or hash tears the address: its rest ends up behind. */
function isTorn(url: URL): boolean {
  return url.hash !== '' || `${url.pathname}${url.search}`.includes('@');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray percent sign: pg takes it as it is
  }
}
