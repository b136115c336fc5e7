import { editServer, replaceKey } from './edit-server.ts';
import { howToInstall } from './installers.ts';
import { absent, MODULE_SAYINGS } from './module-sayings.ts';
import { NPM_SAYINGS } from './npm-sayings.ts';
import type { CauseContext, KnownCause } from './known-causes.ts';
import { cause, network, type Saying, yours } from './saying.ts';

/** Wording of common tools, runtimes and services. The first match wins; no pattern backtracks far. */
export const SAYINGS: readonly Saying[] = [
  ...NPM_SAYINGS,
  ...MODULE_SAYINGS,
  {
    pattern:
      /was not found in the package registry|No solution found when resolving|No matching distribution found for/,
    means: (_found, where) => {
      const says = 'The Python package isn’t in its registry, or not for this version of Python.';
      return yours('not_found', says, editServer(where, 'args'));
    },
  },
  {
    pattern: /Cannot connect to the Docker daemon|[Ii]s the docker daemon running/,
    means: () =>
      yours('unreachable', "Docker is installed, but it isn't running.", 'Start Docker, then try again.'),
  },
  {
    pattern: /pull access denied|manifest unknown|repository does not exist|manifest for \S+ not found/,
    means: (_found, where) => {
      const says = "The container image doesn't exist, or needs a sign-in.";
      return yours('not_found', says, editServer(where, 'args'));
    },
  },
  {
    pattern:
      /SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER|VERIFY)|\bCERT_\w{3,40}|certificate (?:has expired|verify failed)|self[- ]signed certificate/,
    means: () => {
      const says = "The certificate of a service that it uses isn't trusted.";
      const remedy =
        'Let the service renew its certificate, or set NODE_EXTRA_CA_CERTS to the file of its authority and restart the hub.';
      return network(says, remedy);
    },
  },
  {
    pattern:
      /\b(?:401|unauthori[sz]ed|(?:token|key|credentials?) (?:has |have )?expired|invalid[ _]grant|authentication failed)\b|\b(?:invalid|incorrect|missing|bad|expired|wrong) (?:api[ _-]?key|access[ _-]?token|token|credentials?)\b/i,
    means: (_found, where) => rejectedKey(where),
  },
  {
    pattern: /\b(?:403|forbidden|insufficient[ _](?:scope|permissions?))\b/i,
    means: (_found, { server, remote }) => {
      const remedy = remote
        ? ({ do: 'sign-in', server } as const)
        : `Give the key of ${server} the permissions that it needs.`;
      return yours('denied', 'The account doesn’t have permission for this.', remedy);
    },
  },
  {
    pattern: /\b(?:429|rate[ _-]?limit(?:ed)?|too many requests)\b/i,
    means: () => {
      const says = 'Rate limited: too many requests in a short time.';
      return cause('rate_limited', 'server', says, { do: 'wait', seconds: 60 });
    },
  },
  {
    pattern: /EADDRINUSE.*?(?::(\d{2,5}))?\s*$|[Aa]ddress already in use.*?(\d{2,5})?/,
    means: ([, port], { server }) => {
      const says = `The port${named(port)} it needs is in use.`;
      if (port !== undefined)
        return yours('unavailable', says, { do: 'choose-port', server, port: Number(port) });
      return yours('unavailable', says, 'Stop the program that uses the port, or choose another port.');
    },
  },
  {
    pattern:
      /(?:ECONNREFUSED|connection refused)(?:[^\n\d]{0,40}((?:\d{1,3}\.){3}\d{1,3}:\d{1,5}|\[?::1\]?:\d{1,5}|localhost:\d{1,5}))?/i,
    means: ([, place]) => {
      const says = `Nothing listens at ${place ?? 'the address that it needs'}.`;
      const remedy = `Start the service at ${place ?? 'that address'}, then try again.`;
      return yours('unreachable', says, remedy);
    },
  },
  {
    pattern:
      /\b(?:(?:getaddrinfo )?(?:ENOTFOUND|EAI_AGAIN)|getaddrinfo|could not resolve host)\b[ :]*([\w.-]+\.[\w-]+)?/i,
    means: ([, host]) => {
      const says = `DNS lookup failed${host === undefined ? '' : ` for ${host}`}.`;
      return network(says, 'Check your network and DNS, then try again.');
    },
  },
  {
    pattern: /\b(?:ENETUNREACH|EHOSTUNREACH|network is unreachable)\b/i,
    means: () => network('The network is not available.', 'Check your connection or VPN, then try again.'),
  },
  {
    pattern:
      /(?:missing|required|set|provide|need|define)\b[^\n]{0,40}?\b(?:environment )?variables?\b[^A-Z\n]{0,12}([A-Z][A-Z0-9_]{2,})/,
    means: ([, name = ''], where) => unset(name, where),
  },
  {
    pattern:
      /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b[^\n]{0,30}?\b(?:is not set|not set|is required|is missing|must be set|must be provided|not found|not provided|is undefined|not defined)/,
    means: ([, name = ''], where) => unset(name, where),
  },
  { pattern: /KeyError: '([A-Z][A-Z0-9_]{2,})'/, means: ([, name = ''], where) => unset(name, where) },
  {
    pattern:
      /(?:can't open file|ENOENT: no such file or directory,? \w*|No such file or directory:?|Module not found) ['"]?([^'"\n]+?)['"]?(?:: \[Errno|$)/,
    means: ([, name = ''], where) => absent(name, where),
  },
  {
    pattern: /\b([\w.+-]{1,60}): (?:command )?not found\b|\bspawn ([^\s]{1,200}) ENOENT\b/,
    means: ([, typed, spawned]) => {
      const program = typed ?? spawned ?? '';
      const remedy = howToInstall(program) ?? `Install ${program}, then try again.`;
      return yours('missing_command', `${program} isn't installed here.`, remedy);
    },
  },
  {
    pattern: /(?:EACCES|EPERM|[Pp]ermission denied)\b[^'"\n]*(?:['"]([^'"]+)['"])?/,
    means: ([, name]) => {
      const says = `It has no permission for ${name ?? 'a file or folder it needs'}.`;
      if (name !== undefined) return yours('denied', says, { do: 'run', line: `ls -l ${name}` });
      return yours('denied', says, 'Check the permissions of the files it uses.');
    },
  },
  {
    pattern: /ENOSPC|[Nn]o space left on device/,
    means: () => yours('storage_failed', 'The disk is full.', { do: 'run', line: 'df -h' }),
  },
  {
    pattern: /heap out of memory|MemoryError|Cannot allocate memory/,
    means: () => {
      const remedy =
        'Request less data, or give Node more memory: "NODE_OPTIONS": "--max-old-space-size=4096".';
      return cause('crashed', 'server', 'It ran out of memory.', remedy);
    },
  },
  {
    pattern: /GLIBC\S* not found|Exec format error|wrong ELF class|Bad CPU type/,
    means: () =>
      yours('start_failed', 'Its program was built for another machine.', 'Install it for this machine.'),
  },
  {
    pattern: /(?:unknown|unrecognized|invalid) (?:option|argument|flag)s?:? ['"]?(-[\w-]+)/i,
    means: ([, name = ''], where) =>
      yours('bad_config', `It doesn’t accept the argument ${name}.`, editServer(where, 'args')),
  },
  {
    pattern: /\b(?:ETIMEDOUT|timed out|timeout)\b/i,
    means: () => {
      const says = 'A service that it uses didn’t respond in time.';
      return network(says, 'Try again. If it still fails, check your network.');
    },
  },
];

function named(name: string | undefined): string {
  return name === undefined ? '' : ` ${name}`;
}

/** Where we sign in, a person signs in again; a server with its own key needs another key. */
function rejectedKey(where: CauseContext): KnownCause {
  const { server, remote, secret, keyHeader } = where;
  if (remote && secret === undefined && keyHeader === undefined) {
    const says = 'The sign-in is missing or has expired.';
    return yours('sign_in_needed', says, { do: 'sign-in', server });
  }
  const says = 'Its key or token is missing, wrong or expired: check your key.';
  return yours('sign_in_needed', says, replaceKey(where));
}

/** Servers do not inherit the user's variables. */
function unset(name: string, where: CauseContext): KnownCause {
  const isGiven = where.given?.includes(name) === true;
  const says = isGiven
    ? `It doesn't accept the variable ${name} that it is given.`
    : `It needs the variable ${name}, which isn't set in its definition. Servers don't inherit your environment.`;
  const edit = editServer(where, `env.${name}`);
  return yours('missing_input', says, isGiven ? edit : { ...edit, to: `\${${name}}` });
}
