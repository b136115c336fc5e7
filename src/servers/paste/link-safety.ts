import { programOf } from './commands/run-command.ts';
import type { PastedServer, PasteProblem } from './paste.ts';

/** Variables that change what code runs. */
const DANGEROUS =
  /^(?:PATH|LD_PRELOAD|LD_LIBRARY_PATH|DYLD_\w+|NODE_OPTIONS|PYTHONPATH|PYTHONSTARTUP|PERL5OPT|RUBYOPT|BASH_ENV|ENV|PROMPT_COMMAND|GIT_SSH_COMMAND|npm_config_\w+)$/i;

/** Warnings before a pasted server runs: pastes are untrusted. */
export function linkWarnings(servers: readonly PastedServer[]): readonly PasteProblem[] {
  return servers.flatMap((server) =>
    reasons(server).map((message): PasteProblem => ({
      message,
      severity: 'warning',
      owner: 'you',
      ...(server.line === undefined ? {} : { line: server.line }),
    })),
  );
}

function reasons({ name, command, args = [], env = {} }: PastedServer): readonly string[] {
  if (command === undefined) return [];
  const who = name === null ? 'The command' : `“${name.slice(0, 80)}”`;
  const program = programOf(command);
  const found: string[] = [];
  if (
    /^(?:sh|bash|zsh|fish|powershell|pwsh)$/.test(program) &&
    args.some((arg) => /^-(?:c|\w*c|Command|EncodedCommand)$/i.test(arg))
  ) {
    found.push(`${who} runs a whole shell script; read it before you add it.`);
  }
  if (program === 'npx' && args.some((arg) => arg === '-c' || arg === '--call'))
    found.push(`${who} makes npx run a shell script (-c); read it before you add it.`);
  const names = Object.keys(env).filter((key) => DANGEROUS.test(key));
  if (names.length > 0)
    found.push(`${who} sets ${names.slice(0, 5).join(', ')}, which can change what code runs.`);
  return found;
}
