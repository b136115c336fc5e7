import { PlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';

/** A secret of ours in a result: masked, the result blocked, or kept. */
export type SecretsInResults = 'mask' | 'block' | 'keep';

export function maskSecrets(
  result: JsonObject,
  options: {
    readonly server: string;
    readonly tool: string;
    readonly mode: SecretsInResults;
    /** Returns the same object when nothing was masked. */
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
