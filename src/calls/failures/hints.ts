import type { Owner } from '../../base/errors.ts';

/** What a foreign text lets one guess: the words of a server, of npm, of the system. */
export interface Hint {
  readonly owner: Owner;
  /** A sentence. */
  readonly says: string;
  readonly next: string;
}

export interface HintFor {
  readonly server: string;
  /** Whether the server is reached over the network; else it runs here. */
  readonly remote: boolean;
}

/**
 * The well-known troubles, as servers and their runtimes write them to stderr or into a result.
 * These are guesses about other people's texts; our own errors are told apart by their code.
 */
export function hintIn(text: string, where: HintFor): Hint | undefined {
  const looked = text.slice(-LOOKED_CHARS);
  for (const { pattern, hint } of PATTERNS) {
    const found = pattern.exec(looked);
    if (found) return hint(where, found);
  }
  return undefined;
}

const LOOKED_CHARS = 8 * 1024;

interface Pattern {
  readonly pattern: RegExp;
  readonly hint: (where: HintFor, found: RegExpExecArray) => Hint;
}

/** The first that fits counts: what is more particular comes first. No pattern backtracks far. */
const PATTERNS: readonly Pattern[] = [
  {
    pattern: /\b(?:E404|ETARGET|No matching version|No solution found|404 Not Found - GET)\b/i,
    hint: ({ server }) => ({
      owner: 'registry',
      says: 'The package or this version of it does not exist in its registry.',
      next: `Check the name and version of the package: plug list, then plug logs ${server}`,
    }),
  },
  {
    pattern:
      /\b(?:npm (?:error|ERR!)|uvx?|pip)\b[^\n]{0,200}\b(?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ECONNREFUSED|network)\b/i,
    hint: ({ server }) => ({
      owner: 'network',
      says: 'Its package could not be fetched.',
      next: `Check your network and proxy, then: plug restart ${server}`,
    }),
  },
  {
    pattern: /\b(?:401|unauthori[sz]ed|token (?:has )?expired|invalid[ _]grant)\b/i,
    hint: signIn,
  },
  {
    pattern: /\b(?:invalid|incorrect|missing|bad) (?:api[ _-]?key|access token|token|credentials?)\b/i,
    hint: signIn,
  },
  {
    pattern: /\b(?:403|forbidden|insufficient[ _](?:scope|permissions?))\b/i,
    hint: ({ server, remote }) => ({
      owner: 'you',
      says: 'The account is known there, but it may not do this.',
      next: remote ? `plug auth ${server}` : `Give the key of ${server} the rights it needs.`,
    }),
  },
  {
    pattern: /\b(?:429|rate[ _-]?limit(?:ed)?|too many requests)\b/i,
    hint: () => ({
      owner: 'server',
      says: 'Too many requests were made in a short time.',
      next: 'Wait a minute, then try again.',
    }),
  },
  {
    pattern:
      /(?:ECONNREFUSED|connection refused)(?:[^\n\d]{0,40}((?:\d{1,3}\.){3}\d{1,3}:\d{1,5}|\[?::1\]?:\d{1,5}|localhost:\d{1,5}))?/i,
    hint: (_, found) => ({
      owner: 'you',
      says: `Nothing listens at ${found[1] ?? 'the address that it needs'}.`,
      next: `Start the service at ${found[1] ?? 'that address'}, then try again.`,
    }),
  },
  {
    pattern: /\b(?:ENOTFOUND|EAI_AGAIN|getaddrinfo|could not resolve host)\b/i,
    hint: () => ({
      owner: 'network',
      says: 'A name could not be resolved.',
      next: 'Check your network and DNS, then try again.',
    }),
  },
  {
    pattern: /\b(?:ENETUNREACH|EHOSTUNREACH|network is unreachable)\b/i,
    hint: () => ({
      owner: 'network',
      says: 'The network is not available.',
      next: 'Check your connection or VPN, then try again.',
    }),
  },
  {
    pattern: /\b(?:CERT_\w{3,40}|SELF_SIGNED_CERT\w{0,20}|certificate (?:has expired|verify failed))\b/i,
    hint: () => ({
      owner: 'network',
      says: 'A certificate is not trusted.',
      next: 'Let the service renew its certificate, or add its authority with NODE_EXTRA_CA_CERTS.',
    }),
  },
  {
    pattern:
      /\b(?:command not found|spawn [^\n]{1,200} ENOENT|ENOENT|Cannot find module|ModuleNotFoundError)\b/i,
    hint: ({ server }) => ({
      owner: 'you',
      says: 'A program or a file that it needs is missing here.',
      next: `plug logs ${server}`,
    }),
  },
  {
    pattern: /\b(?:EACCES|EPERM|permission denied)\b/i,
    hint: ({ server }) => ({
      owner: 'you',
      says: 'It may not use a file or a folder that it needs.',
      next: `plug logs ${server}`,
    }),
  },
  {
    pattern: /\b(?:ENOSPC|no space left on device)\b/i,
    hint: () => ({ owner: 'you', says: 'The disk is full.', next: 'Make room on the disk, then try again.' }),
  },
  {
    pattern:
      /\b([A-Z][A-Z0-9_]{2,60}) (?:is required|is not set|must be set|not set)\b|\bmissing (?:required )?environment variable\b/,
    hint: ({ server }, found) => ({
      owner: 'you',
      says: found[1] ? `${found[1]} is not set.` : 'A variable that it needs is not set.',
      next: `Set it in the definition of ${server} (“env”), with its value in the vault: plug secrets set NAME`,
    }),
  },
  {
    pattern: /\b(?:ETIMEDOUT|timed out|timeout)\b/i,
    hint: () => ({
      owner: 'network',
      says: 'Something that it asked did not answer in time.',
      next: 'Try again; if it stays so, check your network.',
    }),
  },
];

function signIn({ server, remote }: HintFor): Hint {
  return remote
    ? { owner: 'you', says: 'The sign-in is missing or has expired.', next: `plug auth ${server}` }
    : {
        owner: 'you',
        says: 'Its key or token is missing, wrong or expired.',
        next: `Renew the key in the definition of ${server} or in the vault (plug secrets list), then: plug restart ${server}`,
      };
}
