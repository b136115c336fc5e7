import { basename } from 'node:path';
import type { Limits } from '../base/limits.ts';
import type { ServerDefinition } from '../servers/definition.ts';

/** Programs that fetch a package before they run it. */
const RUNNERS = new Set(['npx', 'bunx', 'pnpm', 'yarn', 'uvx', 'uv', 'pipx', 'docker', 'podman', 'dnx']);

/**
 * How long a server may take to be ready. The very first start of a package that has to be
 * fetched takes as long as the network does: a limit made for programs would refuse it for good.
 */
export function startLimitMs(
  { timeouts, endpoint }: Pick<ServerDefinition, 'timeouts' | 'endpoint'>,
  { known, limits }: { readonly known: boolean; readonly limits: Limits },
): number {
  if (timeouts.startMs !== undefined) return timeouts.startMs;
  const fetches = endpoint.kind === 'stdio' && RUNNERS.has(nameOf(endpoint.command));
  return fetches && !known ? limits.firstStartTimeoutMs : limits.startTimeoutMs;
}

/** Windows writes `npx.cmd` and backslashes. */
function nameOf(command: string): string {
  return basename(command.replaceAll('\\', '/')).replace(/\.(cmd|exe|bat)$/i, '');
}
