import { createHash } from 'node:crypto';
import { canonicalJson, isObject } from '../base/json.ts';
import { HIDDEN } from '../base/secret-names.ts';
import { fingerprintOf, type ServerDefinition } from './definition.ts';
import { diffFields, type FieldChange } from './diff.ts';
import type { FileTrust } from './store.ts';

export interface Untrusted {
  readonly file: string;
  /** Stands for the entry exactly as it reads now. */
  readonly fingerprint: string;
  readonly changed: boolean;
  /** What is new: against the trusted text where that is known, else everything. */
  readonly diff: readonly FieldChange[];
}

/** Undefined when this entry of this file is trusted as it reads now. */
export function judgeTrust(definition: ServerDefinition, trust: readonly FileTrust[]): Untrusted | undefined {
  const file = definition.source.file ?? '';
  const rows = trust.filter((row) => row.file === file && row.server === definition.id);
  const fingerprint = trustFingerprintOf(definition);
  if (rows.some((row) => row.fingerprint === fingerprint)) return undefined;
  const last = rows.toSorted((a, b) => b.trustedAt - a.trustedAt)[0];
  const before = last?.definition && unmask(last.definition, last.fingerprint, definition);
  return { file, fingerprint, changed: last !== undefined, diff: diffFields(before, definition) };
}

/** The trusted entry is stored without secrets: if today's restore its fingerprint, they haven't changed. */
function unmask(kept: ServerDefinition, fingerprint: string, now: ServerDefinition): ServerDefinition {
  const filled = fillHidden(kept, now) as ServerDefinition; // only texts in it differ
  return trustFingerprintOf(filled) === fingerprint ? filled : kept;
}

function fillHidden(kept: unknown, now: unknown): unknown {
  if (typeof kept === 'string') return typeof now === 'string' && hides(kept, now) ? now : kept;
  if (Array.isArray(kept)) {
    const items: readonly unknown[] = Array.isArray(now) ? now : [];
    return kept.map((item: unknown, index) => fillHidden(item, items[index]));
  }
  if (!isObject(kept) || !isObject(now)) return kept;
  return Object.fromEntries(Object.entries(kept).map(([key, item]) => [key, fillHidden(item, now[key])]));
}

function hides(kept: string, now: string): boolean {
  const head = kept.indexOf(HIDDEN);
  const end = kept.lastIndexOf(HIDDEN) + HIDDEN.length;
  return head >= 0 && now.startsWith(kept.slice(0, head)) && now.endsWith(kept.slice(end));
}

/** What runs or is contacted, and its restrictions: lifting one needs consent again. */
function trustFingerprintOf(definition: ServerDefinition): string {
  const { tools, readOnly, sharing, allowDangerousEnv } = definition;
  const text = canonicalJson({
    runs: fingerprintOf(definition),
    tools,
    readOnly,
    sharing,
    allowDangerousEnv,
  });
  return createHash('sha256').update(text).digest('hex');
}
