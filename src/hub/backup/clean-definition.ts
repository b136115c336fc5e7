import type { Json, JsonObject } from '../../base/json.ts';
import { takeKeys, type PlaintextKey } from '../../servers/clients/plaintext-keys.ts';
import type { ServerDefinition } from '../../servers/definition.ts';

export interface CleanDefinition {
  /** With references in place of the secrets that stood in it. */
  readonly definition: ServerDefinition;
  readonly keys: readonly Pick<PlaintextKey, 'name' | 'value'>[];
}

/**
 * Takes readable secrets out of a definition. What is added is sealed long before it gets here;
 * files, and values that were given for inputs, may still hold some.
 */
export function cleanDefinition(given: ServerDefinition): CleanDefinition {
  const { definition, keys } = takeKeys(given);
  // Values of inputs are walked like the fields of other clients: by their names and their looks.
  const inputs = takeKeys({ ...definition, extra: definition.config });
  if (inputs.keys.length === 0) return { definition, keys };
  return {
    definition: { ...definition, config: withoutTaken(inputs.definition.extra, definition.config) },
    keys: [...keys, ...inputs.keys],
  };
}

/**
 * An input that was taken out as a whole is asked for in the vault under the very name that it has
 * there now: it is simply not given any more. Deeper values become references.
 */
function withoutTaken(cleaned: JsonObject, before: ServerDefinition['config']): ServerDefinition['config'] {
  const kept = Object.entries(cleaned).filter(
    ([name, value]) => typeof value !== 'string' || value === before[name],
  );
  return Object.fromEntries(kept) as Readonly<Record<string, Json>>; // every value was there before
}
