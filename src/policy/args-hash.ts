import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '../base/json.ts';

/** Equal for equal arguments, whatever the order of their fields. */
export function hashArguments(args: JsonObject): string {
  return createHash('sha256').update(canonicalJson(args)).digest('hex');
}
