import type { NextStep } from '../base/remedy.ts';
import { PlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { FieldDiff } from './pin.ts';
import type { Risk, RiskSource } from './risk.ts';

/** A tool as the catalog knows it. */
export interface Tool {
  /** Canonical name, `server/tool`. */
  readonly ref: string;
  readonly server: string;
  readonly name: string;
  readonly title?: string;
  /** The server's own text, unmarked. */
  readonly description?: string;
  readonly risk: Risk;
  readonly riskFrom: RiskSource;
  /** What speaks against it: it never runs without being asked for. */
  readonly flags: readonly Flag[];
  /** Whether somebody has approved the definition as it is now. */
  readonly pinned: boolean;
  /** What it costs a model to be shown this tool; absent until it was counted. */
  readonly tokens?: number;
  /** What was mended in its schema, in sentences. */
  readonly repairs?: readonly string[];
  /** As it was mended; absent when the definition's own is good. */
  readonly schema?: JsonObject;
  /** The tool exactly as the server sent it. */
  readonly definition: JsonObject;
}

/** Why a tool of a known server is not offered. */
export type WithheldCause = 'changed' | 'bad_schema' | 'switched_off' | 'filtered' | 'read_only' | 'gone';

/** A tool that is known and not offered: nothing vanishes silently. */
export interface WithheldTool extends NextStep {
  readonly ref: string;
  readonly server: string;
  readonly name: string;
  readonly cause: WithheldCause;
  /** A sentence. */
  readonly reason: string;
  /** What changed since it was approved. */
  readonly diff?: readonly FieldDiff[];
  /** Of the definition that the diff shows: whoever approves it approves no other. */
  readonly hash?: string;
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
    remedy: 'Write server/tool, as in everything/echo.',
  });
}

/** What speaks against a text or a name of a server. A flagged tool is never approved by default. */
export type FlagKind =
  | 'hidden_characters' // tags, zero-width, bidi, variation selectors
  | 'instructions' // talks to the model instead of describing the tool
  | 'look_alike' // a name that reads like another one
  | 'shadowing'; // speaks about tools of other servers, or takes their names

export interface Flag {
  readonly kind: FlagKind;
  /** Where: `name`, `description`, `inputSchema.properties.path.description`. */
  readonly field: string;
  /** A sentence that shows what was found, hidden characters written as U+XXXX. */
  readonly detail: string;
}
