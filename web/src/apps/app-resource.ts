import { PlugError } from '../../../src/base/errors.ts';
import { isObject } from '../../../src/base/json.ts';
import type { JsonObject } from '../hub/hub-context.tsx';

/** An app as its server sent it: one document, and the origins that it wants to reach. */
export interface AppResource {
  readonly html: string;
  readonly csp?: JsonObject;
}

/** Takes the document out of the answer to resources/read (MCP Apps, 2026-01-26). */
export function appResource(answer: JsonObject, uri: string): AppResource {
  const contents: readonly unknown[] = Array.isArray(answer['contents']) ? answer['contents'] : [];
  const found = contents.find((each) => isObject(each) && each['uri'] === uri) ?? contents[0];
  const { mimeType, text, blob, _meta: meta } = isObject(found) ? found : {};
  const html = typeof text === 'string' ? text : typeof blob === 'string' ? decode(blob) : undefined;
  if (html === undefined || typeof mimeType !== 'string' || !/^text\/html\b/.test(mimeType)) {
    throw new PlugError('protocol_error', `${uri.slice(0, 200)} is no page that can be shown.`, {
      owner: 'server',
    });
  }
  if (html.length > HTML_CHARS_MAX) {
    throw new PlugError('too_large', 'The server’s UI is too large to show.', {
      owner: 'server',
    });
  }
  const ui = isObject(meta) && isObject(meta['ui']) ? meta['ui'] : {};
  return { html, ...(isObject(ui['csp']) ? { csp: ui['csp'] as JsonObject } : {}) }; // JSON, as sent
}

const HTML_CHARS_MAX = 8 * 1024 * 1024;

function decode(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(window.atob(base64), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined; // no base64
  }
}
