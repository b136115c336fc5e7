import { PlugError } from '../../../../src/base/errors.ts';
import type { Problems } from './check-fields.ts';

/** What the hub refused, by field, where it says which. */
export function fieldProblemsOf(error: unknown): Problems {
  if (!(error instanceof PlugError)) return {};
  const { field, missing } = error.details ?? {};
  const missed = Array.isArray(missing) ? missing.filter((id) => typeof id === 'string') : [];
  return {
    ...Object.fromEntries(missed.map((id) => [id, 'Fill this in.'])),
    ...(typeof field === 'string' ? { [field]: error.message } : {}),
  };
}
