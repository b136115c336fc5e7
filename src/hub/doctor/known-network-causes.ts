import type { Saying } from './known-causes.ts';

/** Package registries, images, addresses, certificates and keys, in the words of the usual tools. */
export const NETWORK_CAUSES: readonly Saying[] = [
  {
    pattern: /npm (?:ERR!|error) (?:code E404|404\b.*?'?((?:@[\w.-]+\/)?[\w.-]+)@|404 Not Found)/,
    means: ([, name]) => ({
      says: `The package${name === undefined ? '' : ` ${name}`} is not in the npm registry.`,
      cause: 'not_found',
      owner: 'you',
      next: 'Correct the name of the package in “args”.',
    }),
  },
  {
    pattern: /npm (?:ERR!|error) code (E401|E403)/,
    means: ([, code = '']) => ({
      says: `The npm registry does not let you in (${code}).`,
      cause: 'sign_in_needed',
      owner: 'registry',
      next: 'npm login, or look at the registry and its token in ~/.npmrc',
    }),
  },
  {
    pattern: /npm (?:ERR!|error) code (ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH)/,
    means: ([, code = '']) => ({
      says: `npm could not reach its registry (${code}).`,
      cause: 'unreachable',
      owner: 'network',
      next: 'Look at your network, and at HTTPS_PROXY if there is a proxy.',
    }),
  },
  {
    pattern:
      /(?:was not found in the package registry|No solution found when resolving|No matching distribution found for) ?([\w.-]+)?/,
    means: () => ({
      says: 'The Python package is not in its registry, or not for this version of Python.',
      cause: 'not_found',
      owner: 'you',
      next: 'Correct the name of the package in “args”.',
    }),
  },
  {
    pattern: /Cannot connect to the Docker daemon|[Ii]s the docker daemon running/,
    means: () => ({
      says: 'Docker is installed, but it does not run.',
      cause: 'unreachable',
      owner: 'you',
      next: 'Start Docker, then plug restart it.',
    }),
  },
  {
    pattern: /pull access denied|manifest unknown|repository does not exist|manifest for \S+ not found/,
    means: () => ({
      says: 'The container image is not there, or you may not have it.',
      cause: 'not_found',
      owner: 'you',
      next: 'Correct the name of the image, or docker login.',
    }),
  },
  {
    pattern:
      /SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER|VERIFY)|CERT_HAS_EXPIRED|certificate verify failed|self[- ]signed certificate/,
    means: () => ({
      says: 'It does not believe the certificate of a service that it uses.',
      cause: 'unreachable',
      owner: 'network',
      next: 'If your company signs certificates itself: set NODE_EXTRA_CA_CERTS to its file, then plug hub restart.',
    }),
  },
  {
    pattern:
      /(?:invalid|incorrect|bad|expired|wrong) (?:api[ _-]?key|access[ _-]?token|token|credentials)|\b401\b.{0,20}[Uu]nauthorized|[Aa]uthentication failed/i,
    means: (_found, { id }) => ({
      says: 'The service behind it rejected the key: check your key.',
      cause: 'sign_in_needed',
      owner: 'you',
      next: `plug secrets list, then plug secrets set ${id}/NAME`,
    }),
  },
  {
    pattern: /EADDRINUSE.*?(?::(\d{2,5}))?\s*$|[Aa]ddress already in use.*?(\d{2,5})?/,
    means: ([, port]) => ({
      says: `The port${port === undefined ? '' : ` ${port}`} that it wants to listen on is taken.`,
      cause: 'unavailable',
      owner: 'you',
      next:
        port === undefined
          ? 'End what listens there, or give it another port.'
          : `lsof -i :${port} shows what listens there; end it, or give another port.`,
    }),
  },
  {
    pattern: /\b(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH)\b[ :]*([\w.:[\]-]+)?/,
    means: ([, code = '', place]) => ({
      says: `It could not reach ${place ?? 'a service that it needs'} (${code}).`,
      cause: 'unreachable',
      owner: 'network',
      next: 'Start that service, or correct its address in the definition.',
    }),
  },
];
