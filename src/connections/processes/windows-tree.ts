import { execFile, spawn, type ChildProcess } from 'node:child_process';
import type { ChildParts, ProcessOptions, ProcessTree } from './server-process.ts';
import { within } from './within.ts';

/** Batch files run only through cmd.exe; every other program is started without a shell. */
export function windowsSpawn(start: Pick<ProcessOptions, 'command' | 'args' | 'cwd' | 'env'>): ChildProcess {
  const { command, args, cwd, env } = start;
  const options = { cwd, env, shell: false, windowsHide: true, stdio: 'pipe' } as const;
  if (!/\.(cmd|bat)$/i.test(command)) return spawn(command, [...args], options);
  const line = [command, ...args].map(quoteForCmd).join(' ');
  const shell = env['ComSpec'] ?? env['COMSPEC'] ?? 'cmd.exe';
  return spawn(shell, ['/d', '/s', '/c', `"${line}"`], { ...options, windowsVerbatimArguments: true });
}

/**
 * First the quoting of the C runtime (backslashes before a quote are doubled), then a caret before each
 * character that cmd.exe reads. A batch file hands its arguments to cmd.exe once more, so the carets are
 * doubled. A caret escapes a percent sign only outside quotes; the caret before the quote ensures that.
 */
export function quoteForCmd(argument: string): string {
  const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
  const escape = (text: string): string => text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
  return escape(escape(quoted));
}

/** Windows has no process groups to signal: taskkill walks the tree. Not tried on a real Windows. */
export function windowsTree({ pid, clock, limits }: ChildParts): ProcessTree {
  return {
    end: async (exit, hasExited) => {
      if (hasExited()) return;
      const killed = new Promise<void>((resolve) => {
        execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => resolve());
      });
      await within(Promise.all([killed, exit]), limits.stopTermMs, clock);
    },
  };
}
