import type { ServerView } from '../hub/hub.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';

/** Whether servers that somebody waited for can be used now, as an exit code. */
export function exitCodeOfServers(servers: readonly ServerView[]): ExitCode {
  const codes = servers.map(exitCodeOfServer);
  // What a person must do comes before what merely failed.
  return (
    codes.find((code) => code === exitCodes.approvalRequired || code === exitCodes.signInRequired) ??
    codes.find((code) => code !== exitCodes.ok) ??
    exitCodes.ok
  );
}

function exitCodeOfServer({ state, untrusted }: ServerView): ExitCode {
  return untrusted ? exitCodes.approvalRequired : EXIT_CODE[state.kind];
}

const EXIT_CODE: Readonly<Record<ServerView['state']['kind'], ExitCode>> = {
  ready: exitCodes.ok,
  degraded: exitCodes.ok,
  asleep: exitCodes.ok,
  'needs-sign-in': exitCodes.signInRequired,
  quarantined: exitCodes.approvalRequired,
  starting: exitCodes.serverNotAvailable,
  disabled: exitCodes.serverNotAvailable,
  'needs-input': exitCodes.serverNotAvailable,
  failed: exitCodes.serverNotAvailable,
};
