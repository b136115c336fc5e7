import { PlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';

/** What happens to a secret of ours in a server's result: hidden, the result refused, or left. */
export type SecretsInResults = 'mask' | 'block' | 'keep';

/** A server has no reason to send our own secrets back; whoever reads the result should not get them. */
export function maskSecrets(
  result: JsonObject,
  options: {
    readonly server: string;
    readonly tool: string;
    readonly mode: SecretsInResults;
    /** Hides what is surely a secret of ours; answers the very same value when there was none. */
    readonly redactForeign: <T>(value: T) => T;
  },
): JsonObject {
  if (options.mode === 'keep') return result;
  const masked = options.redactForeign(result);
  if (masked === result || options.mode === 'mask') return masked;
  const { server, tool } = options;
  throw new PlugError(
    'denied',
    `${server}/${tool} returned one of your secrets, so its result was held back.`,
    {
      owner: 'server',
      server,
      remedy: { do: 'show-logs', server },
      details: { tool, reason: 'secret_in_result' },
    },
  );
}
