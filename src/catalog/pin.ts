import { createHash } from 'node:crypto';
import { canonicalJson, type Json, type JsonObject } from '../base/json.ts';

export interface Pin {
  readonly server: string;
  readonly tool: string;
  /** Over name, title, description, schemas and annotations. */
  readonly hash: string;
  readonly definition: string;
  readonly pinnedAt: number;
}

export interface FieldDiff {
  readonly field: string;
  readonly before?: string;
  readonly after?: string;
}

/** What people and models see; icons and `_meta` may change. */
const PINNED = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

export function hashTool(tool: JsonObject): string {
  return createHash('sha256')
    .update(canonicalJson(pinnedPart(tool)))
    .digest('hex');
}

export function pinnedText(tool: JsonObject): string {
  return canonicalJson(pinnedPart(tool));
}

function pinnedPart(tool: JsonObject): JsonObject {
  return Object.fromEntries(PINNED.flatMap((field) => (field in tool ? [[field, tool[field] ?? null]] : [])));
}

export function diffFromPin(pin: Pick<Pin, 'definition'>, tool: JsonObject): readonly FieldDiff[] {
  const before = leavesOf(JSON.parse(pin.definition) as Json); // we wrote it
  const after = leavesOf(pinnedPart(tool));
  const fields = new Set([...before.keys(), ...after.keys()]);
  return [...fields]
    .filter((field) => before.get(field) !== after.get(field))
    .slice(0, DIFFS_MAX)
    .map((field) => diffOf(field, before.get(field), after.get(field)));
}

const DIFFS_MAX = 100;

/** Without quotes, unless only the quotes differ: "1" and 1. */
function diffOf(field: string, was: string | undefined, is: string | undefined): FieldDiff {
  const [before, after] = [was, is].map((json) => json && plain(json));
  const same = before === after;
  return {
    field,
    ...(was === undefined ? {} : { before: same ? was : (before ?? '') }),
    ...(is === undefined ? {} : { after: same ? is : (after ?? '') }),
  };
}

function plain(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json; // only a text begins with a quote
}

function leavesOf(value: Json, path = '', leaves = new Map<string, string>()): ReadonlyMap<string, string> {
  // Also for arrays.
  const inner = typeof value === 'object' && value !== null ? Object.entries(value as JsonObject) : [];
  for (const [key, item = null] of inner) leavesOf(item, pathTo(path, key), leaves);
  if (inner.length === 0) leaves.set(path, JSON.stringify(value));
  return leaves;
}

/** A key with a dot must not pass for two keys. */
function pathTo(path: string, key: string): string {
  const word = /[."]/.test(key) ? JSON.stringify(key) : key;
  return path === '' ? word : `${path}.${word}`;
}
