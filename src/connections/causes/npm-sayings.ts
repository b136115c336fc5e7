import { editServer } from './edit-server.ts';
import { network, type Saying, cause, yours } from './saying.ts';

/** npm's own failures: before any line of the server runs. */
export const NPM_SAYINGS: readonly Saying[] = [
  {
    pattern: /No matching version found for ((?:@[\w.-]+\/)?[\w.-]+)@([^\s]{1,60}?)\.?$/,
    means: ([, name = '', version = ''], where) =>
      yours('not_found', `npm has no version ${version} of ${name}.`, editServer(where, 'args')),
  },
  {
    pattern: /npm (?:ERR!|error) 404\s+'((?:@[\w.-]+\/)?[\w.-]+)@[^']*' is not in this registry/,
    means: ([, name = ''], where) =>
      yours('not_found', `The npm registry has no package ${name}.`, editServer(where, 'args')),
  },
  {
    pattern: /npm (?:ERR!|error) (?:code E(?:404|TARGET)\b|404 Not Found)/,
    means: (_found, where) => {
      const says = 'The package, or this version, isn’t in the npm registry.';
      return yours('not_found', says, editServer(where, 'args'));
    },
  },
  {
    pattern: /npm (?:ERR!|error) could not determine executable to run/,
    means: (_found, where) => {
      const says = 'The package has no program to start. It may be a library, or need another command.';
      return yours('bad_config', says, editServer(where, 'args'));
    },
  },
  {
    pattern: /npm (?:ERR!|error) code (E401|E403)/,
    means: ([, code = '']) => {
      const says = `The npm registry denied access (${code}).`;
      return cause('sign_in_needed', 'registry', says, { do: 'run', line: 'npm login' });
    },
  },
  {
    pattern: /npm (?:ERR!|error) (?:code|nospc).{0,40}\bENOSPC\b|npm (?:ERR!|error) nospc/,
    means: () => yours('storage_failed', 'The disk is full.', { do: 'run', line: 'df -h' }),
  },
  {
    pattern: /npm (?:ERR!|error) code EINTEGRITY/,
    means: () => {
      const says = 'The downloaded package doesn’t match its checksum.';
      return cause('denied', 'registry', says, { do: 'run', line: 'npm cache verify' });
    },
  },
  {
    pattern: /npm (?:ERR!|error) path \S*node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\s*$/,
    means: ([, name = ''], { server }) => {
      const says = `The install script of ${name} failed. Its output is in the log.`;
      return cause('start_failed', 'server', says, { do: 'show-logs', server });
    },
  },
  {
    pattern:
      /\b(?:npm (?:error|ERR!)|uvx?\b|pip\b)[^\n]{0,200}\b(ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ECONNREFUSED|ENETUNREACH|network)\b/i,
    means: (_found, { server }) => network('Its package couldn’t be downloaded.', { do: 'restart', server }),
  },
];
