import { causeContext } from '../connections/causes/known-causes.ts';
import { toPlugError, type PlugError } from '../base/errors.ts';
import { explainFailure } from '../connections/causes/explain.ts';
import type { ServerDefinition } from '../servers/definition.ts';

/** A start that fails says as much about it as a call would: the cause, whose move it is, what to do. */
export async function explained<T>(definition: ServerDefinition, starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    throw explainedFailure(definition, error);
  }
}

export function explainedFailure(definition: ServerDefinition, error: unknown): PlugError {
  return explainFailure(toPlugError(error), { ...causeContext(definition), starting: true });
}
