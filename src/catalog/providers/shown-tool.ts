import { createHash } from 'node:crypto';
import type { JsonObject } from '../../base/json.ts';
import type { Tool } from '../tool.ts';
import type { ProviderLimits } from './provider-limits.ts';

export interface ShownTool {
  readonly tool: Pick<Tool, 'ref' | 'title' | 'definition'>;
  /** After `checkSchema`. */
  readonly schema: JsonObject;
  readonly name: string;
  readonly description: string;
}

export function fitName(
  name: string,
  ref: string,
  limits: Pick<ProviderLimits, 'name' | 'nameCharsMax'>,
): string {
  return limits.name.test(name) ? name : suffixName(name, ref, limits.nameCharsMax);
}

export function suffixName(name: string, ref: string, charsMax: number): string {
  const clean = name.replaceAll(/[^a-zA-Z0-9_-]+/g, '_').replace(/^(?![a-zA-Z_])/, '_');
  return `${clean.slice(0, charsMax - 9)}_${shortHash(ref)}`;
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
