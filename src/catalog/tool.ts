import type { NextStep } from '../base/remedy.ts';
import { PlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { FieldDiff } from './pin.ts';
import type { Risk, RiskSource } from './risk.ts';

export interface Tool {
  /** `server/tool`. */
  readonly ref: string;
  readonly server: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly risk: Risk;
  readonly riskFrom: RiskSource;
  /** A flagged tool always asks. */
  readonly flags: readonly Flag[];
  readonly pinned: boolean;
  readonly tokens?: number;
  readonly repairs?: readonly string[];
  /** As repaired; absent when the original is fine. */
  readonly schema?: JsonObject;
  readonly definition: JsonObject;
}

export type WithheldCause = 'changed' | 'bad_schema' | 'switched_off' | 'filtered' | 'read_only' | 'gone';

/** Known but not offered: nothing vanishes silently. */
export interface WithheldTool extends NextStep {
  readonly ref: string;
  readonly server: string;
  readonly name: string;
  readonly cause: WithheldCause;
  readonly reason: string;
  readonly diff?: readonly FieldDiff[];
  /** Approving this diff approves only this definition. */
  readonly hash?: string;
}

export interface ToolRef {
  readonly server: string;
  readonly tool: string;
}

/** Server ids have no slash: the first one splits. */
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

/** A flagged tool is never approved by default. */
export type FlagKind =
  | 'hidden_characters' // tags, zero-width, bidi, variation selectors
  | 'instructions' // talks to the model instead of describing the tool
  | 'look_alike' // a name that reads like another one
  | 'shadowing'; // speaks about tools of other servers, or takes their names

export interface Flag {
  readonly kind: FlagKind;
  /** Such as `name` or `inputSchema.properties.path.description`. */
  readonly field: string;
  /** With hidden characters written as U+XXXX. */
  readonly detail: string;
}
