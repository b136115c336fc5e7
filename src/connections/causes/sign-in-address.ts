import { webAddress } from '../../base/web-address.ts';

/**
 * The address that a server asks its user to open, where it signs in by itself and says so only on
 * stderr. The last one counts: a server that starts over prints a new one.
 */
export function signInAddress(lines: readonly string[]): string | undefined {
  const found = lines.flatMap((line, at) => {
    const asks = ASKS.test(line.replaceAll(ADDRESS, '')) || ASKS.test(lines[at - 1] ?? '');
    return [...line.matchAll(ADDRESS)].flatMap(([text]) => {
      const address = webAddress(text.replace(/[.,;:!)\]}]+$/, ''));
      return address !== undefined && (OAUTH.test(address) || (asks && address.startsWith('https:')))
        ? [address]
        : [];
    });
  });
  return found.at(-1);
}

const ADDRESS = /https?:\/\/[^\s"'<>`]+/g;
const ASKS = /\b(?:sign|log)[ -]?in\b|\bauthori[sz]e\b|\bauthenticate\b|\bgrant access\b/i;
/** What the address of an authorization server, or of a device's code, holds (RFC 6749, RFC 8628). */
const OAUTH = /[?&](?:client_id|response_type|code_challenge|user_code)=/;
