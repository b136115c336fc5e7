import { constants } from 'node:os';
import type { ProcessExit } from './server-process.ts';
import { LAUNCHER_NAME } from './supervisor-script.ts';

/** One sentence about how a server ended, for the person who has to do something about it. */
export function describeExit(exit: ProcessExit, stderr: readonly string[]): string {
  if (exit.signal !== null) return `It was ended by ${exit.signal}${SIGNALS[exit.signal] ?? ''}.`;
  // The launching shell speaks under its own name only when it could not become the server.
  const shell = stderr.find((line) => line.startsWith(`${LAUNCHER_NAME}:`));
  if (shell !== undefined && (exit.code === 126 || exit.code === 127)) {
    return exit.code === 127
      ? 'Its file could not be started: the file, or the interpreter that its first line names, is not there.'
      : 'Its file could not be started: it is not a program for this machine, or may not be executed.';
  }
  const signal = (exit.code ?? 0) > 128 ? signalOf((exit.code ?? 0) - 128) : undefined;
  return `It exited with code ${exit.code}${signal ? ` (${signal})` : ''}.`;
}

const SIGNALS: Partial<Record<NodeJS.Signals, string>> = {
  SIGKILL: ', perhaps by the system for lack of memory',
  SIGSEGV: ', a crash inside the program',
  SIGABRT: ', a crash inside the program',
  SIGILL: ': the program was built for another processor',
};

/** A shell between us and the program tells a signal as 128 and its number. */
function signalOf(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
}
