import { editServer, replaceKey } from './edit-server.ts';
import type { CauseContext, KnownCause, Saying } from './known-causes.ts';

/**
 * Package registries, images, addresses, certificates, keys and limits, in the words of the usual tools
 * and services. The first that fits counts: what is more particular comes first. No pattern backtracks far.
 */
export const NETWORK_CAUSES: readonly Saying[] = [
  {
    pattern:
      /npm (?:ERR!|error) (?:code E(?:404|TARGET)|404\b.*?'?((?:@[\w.-]+\/)?[\w.-]+)@|404 Not Found)|No matching version found/,
    means: ([, name], where) => ({
      says: `The package${name === undefined ? '' : ` ${name}`}, or this version of it, is not in the npm registry.`,
      cause: 'not_found',
      owner: 'you',
      remedy: editServer(where, 'args'),
    }),
  },
  {
    pattern: /npm (?:ERR!|error) code (E401|E403)/,
    means: ([, code = '']) => ({
      says: `The npm registry does not let you in (${code}).`,
      cause: 'sign_in_needed',
      owner: 'registry',
      remedy: { do: 'run', line: 'npm login' },
    }),
  },
  {
    pattern:
      /\b(?:npm (?:error|ERR!)|uvx?\b|pip\b)[^\n]{0,200}\b(ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ECONNREFUSED|ENETUNREACH|network)\b/i,
    means: (_found, { server }) => ({
      says: 'Its package could not be fetched.',
      cause: 'unreachable',
      owner: 'network',
      remedy: { do: 'restart', server },
    }),
  },
  {
    pattern:
      /was not found in the package registry|No solution found when resolving|No matching distribution found for/,
    means: (_found, where) => ({
      says: 'The Python package is not in its registry, or not for this version of Python.',
      cause: 'not_found',
      owner: 'you',
      remedy: editServer(where, 'args'),
    }),
  },
  {
    pattern: /Cannot connect to the Docker daemon|[Ii]s the docker daemon running/,
    means: (_found, { server }) => ({
      says: 'Docker is installed, but it does not run: start it.',
      cause: 'unreachable',
      owner: 'you',
      remedy: { do: 'restart', server },
    }),
  },
  {
    pattern: /pull access denied|manifest unknown|repository does not exist|manifest for \S+ not found/,
    means: (_found, where) => ({
      says: 'The container image is not there, or you may not have it.',
      cause: 'not_found',
      owner: 'you',
      remedy: editServer(where, 'args'),
    }),
  },
  {
    pattern:
      /SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER|VERIFY)|\bCERT_\w{3,40}|certificate (?:has expired|verify failed)|self[- ]signed certificate/,
    means: () => ({
      says: "The certificate of a service that it uses isn't trusted.",
      cause: 'unreachable',
      owner: 'network',
      remedy: {
        do: 'say',
        text: 'Let the service renew its certificate, or set NODE_EXTRA_CA_CERTS to the file of its authority and restart the hub.',
      },
    }),
  },
  {
    pattern:
      /\b(?:401|unauthori[sz]ed|(?:token|key|credentials?) (?:has |have )?expired|invalid[ _]grant|authentication failed)\b|\b(?:invalid|incorrect|missing|bad|expired|wrong) (?:api[ _-]?key|access[ _-]?token|token|credentials?)\b/i,
    means: (_found, where) => rejectedKey(where),
  },
  {
    pattern: /\b(?:403|forbidden|insufficient[ _](?:scope|permissions?))\b/i,
    means: (_found, { server, remote }) => ({
      says: 'The account is known there, but it may not do this.',
      cause: 'denied',
      owner: 'you',
      remedy: remote
        ? { do: 'sign-in', server }
        : { do: 'say', text: `Give the key of ${server} the permissions that it needs.` },
    }),
  },
  {
    pattern: /\b(?:429|rate[ _-]?limit(?:ed)?|too many requests)\b/i,
    means: () => ({
      says: 'Rate limited: too many requests were made in a short time.',
      cause: 'rate_limited',
      owner: 'server',
      remedy: { do: 'wait', seconds: 60 },
    }),
  },
  {
    pattern: /EADDRINUSE.*?(?::(\d{2,5}))?\s*$|[Aa]ddress already in use.*?(\d{2,5})?/,
    means: ([, port]) => ({
      says: `The port${port === undefined ? '' : ` ${port}`} that it wants to listen on is taken.`,
      cause: 'unavailable',
      owner: 'you',
      remedy:
        port === undefined
          ? { do: 'say', text: 'End what listens there, or give it another port.' }
          : { do: 'run', line: `lsof -i :${port}` },
    }),
  },
  {
    pattern:
      /(?:ECONNREFUSED|connection refused)(?:[^\n\d]{0,40}((?:\d{1,3}\.){3}\d{1,3}:\d{1,5}|\[?::1\]?:\d{1,5}|localhost:\d{1,5}))?/i,
    means: ([, place]) => ({
      says: `Nothing listens at ${place ?? 'the address that it needs'}.`,
      cause: 'unreachable',
      owner: 'you',
      remedy: { do: 'say', text: `Start the service at ${place ?? 'that address'}, then try again.` },
    }),
  },
  {
    pattern:
      /\b(?:(?:getaddrinfo )?(?:ENOTFOUND|EAI_AGAIN)|getaddrinfo|could not resolve host)\b[ :]*([\w.-]+\.[\w-]+)?/i,
    means: ([, host]) => ({
      says: `DNS lookup failed${host === undefined ? '' : ` for ${host}`}.`,
      cause: 'unreachable',
      owner: 'network',
      remedy: { do: 'say', text: 'Check your network and DNS, then try again.' },
    }),
  },
  {
    pattern: /\b(?:ENETUNREACH|EHOSTUNREACH|network is unreachable)\b/i,
    means: () => ({
      says: 'The network is not available.',
      cause: 'unreachable',
      owner: 'network',
      remedy: { do: 'say', text: 'Check your connection or VPN, then try again.' },
    }),
  },
];

/** Where we sign in, a person signs in again; what was given a key needs another. */
function rejectedKey(where: CauseContext): KnownCause {
  const { server, remote, secret, keyHeader } = where;
  if (remote && secret === undefined && keyHeader === undefined) {
    return {
      says: 'The sign-in is missing or has expired.',
      cause: 'sign_in_needed',
      owner: 'you',
      remedy: { do: 'sign-in', server },
    };
  }
  return {
    says: 'Its key or token is missing, wrong or expired: check your key.',
    cause: 'sign_in_needed',
    owner: 'you',
    remedy: replaceKey(where),
  };
}
