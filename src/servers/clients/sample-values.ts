import type { JsonObject } from '../../base/json.ts';
import type { ServerDefinition } from '../definition.ts';
import { textsOf } from '../outside-references.ts';
import { findPlaceholders } from '../placeholders.ts';

/**
 * Where an entry holds a sample such as `<YOUR_TOKEN>`: `env.API_KEY`, `headers.Authorization`, `args[3]`.
 * The reader asks for those as inputs, and neither the file nor the entry names these inputs.
 */
export function sampleFields(
  { endpoint }: ServerDefinition,
  entry: unknown,
  inputs: readonly JsonObject[],
): readonly string[] {
  const written = JSON.stringify(entry);
  const isNamed = (name: string): boolean =>
    inputs.some(({ id }) => id === name) || written.includes(`input:${name}`);
  return textsOf(endpoint)
    .filter(({ text }) => findPlaceholders(text).some(({ kind, name }) => kind === 'input' && !isNamed(name)))
    .map(({ where }) => where);
}
