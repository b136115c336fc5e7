import type { Json, JsonObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import { sizeInWords } from '../../base/size-in-words.ts';
import { jsonParts } from './render.ts';

export interface StructuredOptions {
  readonly limits: Limits;
  /** The tool declares an output schema. */
  readonly isDeclared: boolean;
}

/**
 * A preview whose structured content and `_meta` are whole, up to a bound. Beyond it, a host that checks
 * results against the declared schema would refuse an excerpt: it takes only an error without
 * structured content. (`decisions/2026-11-18-large-structured-results.md`)
 */
export function withStructured(
  preview: JsonObject,
  { structuredContent, _meta }: JsonObject,
  { limits, isDeclared }: StructuredOptions,
): JsonObject {
  const max = limits.resultStructuredBytesMax;
  const bytes = jsonBytes(structuredContent, max);
  const meta = _meta !== undefined && bytes + jsonBytes(_meta, max) <= max ? { _meta } : {};
  if (structuredContent === undefined) return { ...preview, ...meta };
  if (bytes <= max) return { ...preview, ...meta, structuredContent };
  if (!isDeclared) return { ...preview, ...meta };
  const { structuredContent: _excerpt, content, ...rest } = preview;
  const text =
    `The call succeeded: do not repeat it. Its structured content is larger than ${sizeInWords(max)} and was ` +
    'left out. This is the beginning of the result:';
  return {
    ...rest,
    ...meta,
    isError: true,
    content: [{ type: 'text', text }, ...(Array.isArray(content) ? content : [])],
  };
}

/** Stops soon after `enough`. */
function jsonBytes(value: Json | undefined, enough: number): number {
  if (value === undefined) return 0;
  let bytes = 0;
  for (const part of jsonParts(value)) {
    bytes += Buffer.byteLength(part);
    if (bytes > enough) break;
  }
  return bytes;
}
