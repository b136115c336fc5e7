import { createHash } from 'node:crypto';
import { canonicalJson } from '../base/json.ts';
import { fingerprintOf, type ServerDefinition } from './definition.ts';
import { diffFields, type FieldChange } from './diff.ts';
import type { FileTrust } from './store.ts';

/** Why an entry of a project's file must not run yet. */
export interface Untrusted {
  readonly file: string;
  /** To be stored when the user agrees: it stands for the entry exactly as it reads now. */
  readonly fingerprint: string;
  /** True when an earlier text of the entry was trusted. */
  readonly changed: boolean;
  /** What is new: against the trusted text where that is known, else everything. */
  readonly diff: readonly FieldChange[];
}

/** Undefined when the user has trusted this entry of this very file, as it reads now. */
export function judgeTrust(definition: ServerDefinition, trust: readonly FileTrust[]): Untrusted | undefined {
  const file = definition.source.file ?? '';
  const rows = trust.filter((row) => row.file === file && row.server === definition.id);
  const fingerprint = trustFingerprintOf(definition);
  if (rows.some((row) => row.fingerprint === fingerprint)) return undefined;
  const last = rows.toSorted((a, b) => b.trustedAt - a.trustedAt)[0];
  return { file, fingerprint, changed: last !== undefined, diff: diffFields(last?.definition, definition) };
}

/**
 * What the user agrees to when they trust an entry: what runs or is contacted, and the bars
 * around it. Lifting a bar (read-only mode, a tool filter) needs their word again.
 */
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
