import type { ServerDefinition } from '../../servers/definition.ts';
import type { KnownCause, Saying } from './known-causes.ts';

/** Modules, versions, variables, files and memory, in the words of Node, Python and the shell. */
export const PROGRAM_CAUSES: readonly Saying[] = [
  {
    pattern:
      /(?:npm (?:ERR!|error) code EBADENGINE|Unsupported engine|requires Node(?:\.js)?|needs Node(?:\.js)?|Node\.js version)[^\d]*(\d+(?:\.\d+)*)?/i,
    means: ([, version]) => ({
      says: `It needs another version of Node${version === undefined ? '' : `: ${version}`}.`,
      cause: 'start_failed',
      owner: 'you',
      next: 'Install that version, or give its full path as “command”.',
    }),
  },
  {
    pattern: /Cannot find (?:module|package) '([^']+)'/,
    means: ([, name = '']) => (/^[./]/.test(name) ? absent(name) : notInstalled(packageOf(name))),
  },
  {
    pattern: /(?:ModuleNotFoundError|ImportError): No module named '?([\w.]+)/,
    means: ([, name = '']) => ({
      says: `The Python module “${name}” that it uses is not installed.`,
      cause: 'start_failed',
      owner: 'you',
      next: `pip install ${name.split('.')[0] ?? name}, for the Python that it runs with`,
    }),
  },
  {
    pattern:
      /(?:missing|required|set|provide|need|define)\b[^\n]{0,40}?\b(?:environment )?variables?\b[^A-Z\n]{0,12}([A-Z][A-Z0-9_]{2,})/,
    means: ([, name = ''], definition) => unset(name, definition),
  },
  {
    pattern:
      /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b[^\n]{0,30}?\b(?:is not set|not set|is required|is missing|must be set|must be provided|not found|not provided|is undefined|not defined)/,
    means: ([, name = ''], definition) => unset(name, definition),
  },
  {
    pattern: /KeyError: '([A-Z][A-Z0-9_]{2,})'/,
    means: ([, name = ''], definition) => unset(name, definition),
  },
  {
    pattern:
      /(?:can't open file|ENOENT: no such file or directory,? \w*|No such file or directory:?|Module not found) ['"]?([^'"\n]+?)['"]?(?:: \[Errno|$)/,
    means: ([, name = '']) => absent(name),
  },
  {
    pattern: /(?:EACCES|EPERM|[Pp]ermission denied)\b[^'"\n]*(?:['"]([^'"]+)['"])?/,
    means: ([, name]) => ({
      says: `It may not use ${name ?? 'a file or folder that it needs'}.`,
      cause: 'denied',
      owner: 'you',
      next: name === undefined ? 'Look at the permissions of the files that it uses.' : `ls -l ${name}`,
    }),
  },
  {
    pattern: /ENOSPC|No space left on device/,
    means: () => ({
      says: 'The disk is full.',
      cause: 'storage_failed',
      owner: 'you',
      next: 'Make room: df -h shows where.',
    }),
  },
  {
    pattern: /heap out of memory|MemoryError|Cannot allocate memory/,
    means: () => ({
      says: 'It ran out of memory.',
      cause: 'crashed',
      owner: 'server',
      next: 'Ask it for less, or give Node more: "NODE_OPTIONS": "--max-old-space-size=4096".',
    }),
  },
  {
    pattern: /GLIBC\S* not found|Exec format error|wrong ELF class|Bad CPU type/,
    means: () => ({
      says: 'Its program was built for another machine.',
      cause: 'start_failed',
      owner: 'you',
      next: 'Install it for this machine.',
    }),
  },
  {
    pattern: /(?:unknown|unrecognized|invalid) (?:option|argument|flag)s?:? ['"]?(-[\w-]+)/i,
    means: ([, name = '']) => ({
      says: `It does not know the argument ${name}.`,
      cause: 'bad_config',
      owner: 'you',
      next: 'Correct “args” in its definition.',
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
    says: `The module “${name}” that it uses is not installed.`,
    cause: 'start_failed',
    owner: 'you',
    next: `npm install ${name}, in the folder of the server`,
  };
}

function absent(name: string): KnownCause {
  return {
    says: `It wants ${name}, which is not there.`,
    cause: 'bad_config',
    owner: 'you',
    next: 'Correct the path in its definition, or bring the file back.',
  };
}

function unset(name: string, { source, endpoint }: ServerDefinition): KnownCause {
  const given = endpoint.kind === 'stdio' && Object.hasOwn(endpoint.env, name);
  const where = source.file === undefined ? 'its definition' : source.file;
  return {
    says: given
      ? `It is not content with the variable ${name} that it is given.`
      : `It wants the variable ${name}, which its definition does not give: servers do not inherit yours.`,
    cause: 'missing_input',
    owner: 'you',
    next: `Put "${name}": "\${${name}}" under "env" in ${where}, or add it again with --env ${name}=…`,
  };
}
