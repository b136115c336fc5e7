import { PlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Risk } from './risk.ts';

/** A tool as the catalog knows it. */
export interface Tool {
  /** Canonical name, `server/tool`. */
  readonly ref: string;
  readonly server: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly risk: Risk;
  /** The tool exactly as the server sent it. */
  readonly definition: JsonObject;
}

export interface ToolRef {
  readonly server: string;
  readonly tool: string;
}

/** Server ids have no slash, so the first one parts server and tool, whatever the tool is called. */
export function parseToolRef(ref: string): ToolRef {
  const slash = ref.indexOf('/');
  if (slash > 0 && slash < ref.length - 1) {
    return { server: ref.slice(0, slash), tool: ref.slice(slash + 1) };
  }
  throw new PlugError('usage', `“${ref.slice(0, 100)}” does not name a tool.`, {
    owner: 'you',
    next: 'Write server/tool, as in: plug call everything/echo message=hi',
  });
}
