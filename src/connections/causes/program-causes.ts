import { editServer } from './edit-server.ts';
import { howToInstall } from './installers.ts';
import type { CauseContext, KnownCause, Saying } from './known-causes.ts';

/** Programs, modules, versions, variables, files and memory, in the words of Node, Python and the shell. */
export const PROGRAM_CAUSES: readonly Saying[] = [
  {
    pattern:
      /(?:npm (?:ERR!|error) code EBADENGINE|Unsupported engine|requires Node(?:\.js)?|needs Node(?:\.js)?|Node\.js version)[^\d]*(\d+(?:\.\d+)*)?/i,
    means: ([, version]) => ({
      says: `It needs another version of Node${version === undefined ? '' : `: ${version}`}.`,
      cause: 'start_failed',
      owner: 'you',
      remedy: { do: 'say', text: 'Install that version, or give its full path as “command”.' },
    }),
  },
  {
    pattern: /Cannot find (?:module|package) '([^']+)'/,
    means: ([, name = ''], where) =>
      /^[./]/.test(name) ? absent(name, where) : notInstalled(packageOf(name)),
  },
  {
    pattern: /(?:ModuleNotFoundError|ImportError): No module named '?([\w.]+)/,
    means: ([, name = '']) => ({
      says: `The Python module “${name}” isn't installed for the Python that it runs with.`,
      cause: 'start_failed',
      owner: 'you',
      remedy: { do: 'run', line: `pip install ${name.split('.')[0] ?? name}` },
    }),
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
  {
    pattern: /KeyError: '([A-Z][A-Z0-9_]{2,})'/,
    means: ([, name = ''], where) => unset(name, where),
  },
  {
    pattern:
      /(?:can't open file|ENOENT: no such file or directory,? \w*|No such file or directory:?|Module not found) ['"]?([^'"\n]+?)['"]?(?:: \[Errno|$)/,
    means: ([, name = ''], where) => absent(name, where),
  },
  {
    pattern: /\b([\w.+-]{1,60}): (?:command )?not found\b|\bspawn ([^\s]{1,200}) ENOENT\b/,
    means: ([, typed, spawned], { server }) => {
      const program = typed ?? spawned ?? '';
      return {
        says: `${program} isn't installed here.`,
        cause: 'missing_command',
        owner: 'you',
        remedy: howToInstall(program) ?? { do: 'show-logs', server },
      };
    },
  },
  {
    pattern: /(?:EACCES|EPERM|[Pp]ermission denied)\b[^'"\n]*(?:['"]([^'"]+)['"])?/,
    means: ([, name]) => ({
      says: `It may not use ${name ?? 'a file or folder that it needs'}.`,
      cause: 'denied',
      owner: 'you',
      remedy:
        name === undefined
          ? { do: 'say', text: 'Look at the permissions of the files that it uses.' }
          : { do: 'run', line: `ls -l ${name}` },
    }),
  },
  {
    pattern: /ENOSPC|[Nn]o space left on device/,
    means: () => ({
      says: 'The disk is full.',
      cause: 'storage_failed',
      owner: 'you',
      remedy: { do: 'run', line: 'df -h' },
    }),
  },
  {
    pattern: /heap out of memory|MemoryError|Cannot allocate memory/,
    means: () => ({
      says: 'It ran out of memory.',
      cause: 'crashed',
      owner: 'server',
      remedy: {
        do: 'say',
        text: 'Ask it for less, or give Node more: "NODE_OPTIONS": "--max-old-space-size=4096".',
      },
    }),
  },
  {
    pattern: /GLIBC\S* not found|Exec format error|wrong ELF class|Bad CPU type/,
    means: () => ({
      says: 'Its program was built for another machine.',
      cause: 'start_failed',
      owner: 'you',
      remedy: { do: 'say', text: 'Install it for this machine.' },
    }),
  },
  {
    pattern: /(?:unknown|unrecognized|invalid) (?:option|argument|flag)s?:? ['"]?(-[\w-]+)/i,
    means: ([, name = ''], where) => ({
      says: `It does not know the argument ${name}.`,
      cause: 'bad_config',
      owner: 'you',
      remedy: editServer(where, 'args'),
    }),
  },
  {
    pattern: /\b(?:ETIMEDOUT|timed out|timeout)\b/i,
    means: () => ({
      says: 'A service that it asked did not answer in time.',
      cause: 'unreachable',
      owner: 'network',
      remedy: { do: 'say', text: 'Try again; if it stays so, check your network.' },
    }),
  },
];

/** What is imported may be a part of a package. */
function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

function notInstalled(name: string): KnownCause {
  return {
    says: `The module “${name}” isn't installed in the folder of the server.`,
    cause: 'start_failed',
    owner: 'you',
    remedy: { do: 'run', line: `npm install ${name}` },
  };
}

function absent(name: string, { server }: CauseContext): KnownCause {
  return {
    says: `It wants ${name}, which is not there. Bring the file back, or correct the path in its definition.`,
    cause: 'bad_config',
    owner: 'you',
    remedy: { do: 'restart', server },
  };
}

/** Servers do not inherit the user's variables: what is not in the definition is not there. */
function unset(name: string, where: CauseContext): KnownCause {
  const isGiven = where.given?.includes(name) === true;
  return {
    says: isGiven
      ? `It is not content with the variable ${name} that it is given.`
      : `It wants the variable ${name}, which is not set in its definition: servers do not inherit yours.`,
    cause: 'missing_input',
    owner: 'you',
    remedy: { ...editServer(where, `env.${name}`), ...(isGiven ? {} : { to: `\${${name}}` }) },
  };
}
