import { isObject, type JsonObject } from '../base/json.ts';
import { riskOfDefinition } from './risk-definition.ts';
import { riskOfName } from './risk-name.ts';

export type Risk = 'read' | 'write' | 'destructive' | 'unknown';

/** What told the risk; `definition` is its description and its parameters. */
export type RiskSource = 'name' | 'definition' | 'annotations' | 'override' | 'nothing';

export interface ToolRisk {
  readonly risk: Risk;
  readonly from: RiskSource;
}

export interface RiskContext {
  /** Whether the user trusts the server, so that its annotations may also lower the risk. */
  readonly trusted?: boolean;
  /** What the user said of this tool. */
  readonly override?: Risk | undefined;
  /** Id of the server: names that repeat it are read without it. */
  readonly server?: string;
}

/**
 * What a tool may do. The user's word wins. Else the name decides; description and parameters may
 * only raise it, and so may the annotations of a server that is not trusted, because they are
 * its own hints (spec 2026-07-28, tool annotations).
 */
export function riskOf(tool: JsonObject & { readonly name: string }, context: RiskContext = {}): ToolRisk {
  if (context.override !== undefined) return { risk: context.override, from: 'override' };
  const name = riskOfName(tool.name, context.server);
  const named: ToolRisk = { risk: name, from: name === 'unknown' ? 'nothing' : 'name' };
  const known = raise(named, riskOfDefinition(tool), 'definition');
  const hints = isObject(tool['annotations']) ? tool['annotations'] : {};
  return context.trusted === true ? believe(known, name, hints) : doubt(known, hints);
}

/** `readOnlyHint: true` is not looked at here: it must change nothing, not even another hint. */
function doubt(known: ToolRisk, hints: Record<string, unknown>): ToolRisk {
  if (hints['destructiveHint'] === true) return raise(known, 'destructive', 'annotations');
  return hints['readOnlyHint'] === false ? raise(known, 'write', 'annotations') : known;
}

/** `destructiveHint` says nothing of a tool that only reads (spec 2026-07-28, tool annotations). */
function believe(known: ToolRisk, name: Risk, hints: Record<string, unknown>): ToolRisk {
  const { readOnlyHint, destructiveHint } = hints;
  if (readOnlyHint === true) {
    return name === 'destructive' ? { risk: name, from: 'name' } : { risk: 'read', from: 'annotations' };
  }
  if (destructiveHint === true) return { risk: 'destructive', from: 'annotations' };
  if (destructiveHint === false && (readOnlyHint === false || known.risk === 'destructive')) {
    return { risk: 'write', from: 'annotations' };
  }
  return readOnlyHint === false ? raise(known, 'write', 'annotations') : known;
}

function raise(known: ToolRisk, risk: Risk, from: RiskSource): ToolRisk {
  return ORDER.indexOf(risk) > ORDER.indexOf(known.risk) ? { risk, from } : known;
}

const ORDER: readonly Risk[] = ['read', 'unknown', 'write', 'destructive'];
