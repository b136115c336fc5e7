import { PlugError } from '../base/errors.ts';
import { isRemoteOnly } from '../base/remote-only.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import { declinedRemotely } from '../servers/paste/remote-only.ts';
import type { Core } from './core.ts';

/** Why this hub does not take a server, and what to give instead; undefined when it does. */
export function declinedHere(
  core: Pick<Core, 'options'>,
  { name, endpoint }: Pick<ServerDefinition, 'name' | 'endpoint'>,
): string | undefined {
  if (!isRemoteOnly(core.options.env)) return undefined;
  const given =
    endpoint.kind === 'stdio'
      ? { command: endpoint.command, args: endpoint.args }
      : { url: endpoint.url, headers: endpoint.headers };
  return declinedRemotely({ name, transport: endpoint.kind, ...given, needs: [], extra: {} });
}

/** Invariant: a remote-only hub starts no program, wherever its definition comes from. */
export function checkRemoteOnly(
  core: Pick<Core, 'options'>,
  definition: Pick<ServerDefinition, 'id' | 'name' | 'endpoint'>,
): void {
  const declined = declinedHere(core, definition);
  if (declined === undefined) return;
  throw new PlugError('denied', declined, { owner: 'you', server: definition.id });
}
