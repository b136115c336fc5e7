import { createHash } from 'node:crypto';
import { canonicalJson, type Json, type JsonObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { ArgumentChange } from '../approval.ts';
import { leavesOf } from './leaves.ts';

/** Arguments as they were given, and as they are shown. */
export interface ShownArguments {
  readonly args: JsonObject;
  readonly masked: JsonObject;
}

/**
 * What the last approved call of each tool was made with, so that the next question can say what is
 * new. Secrets are kept as hashes only: a change is seen, the value is not.
 */
export class LastApproved {
  readonly #limits: Limits;
  readonly #kept = new Map<string, ReadonlyMap<string, Remembered>>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  remember(serverKey: string, tool: string, shown: ShownArguments): void {
    const key = keyOf(serverKey, tool);
    this.#kept.delete(key);
    if (canonicalJson(shown.masked).length > this.#limits.approvalLastArgsBytesMax) return;
    this.#kept.set(key, remembered(shown));
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > this.#limits.approvalLastToolsMax && !oldest.done) this.#kept.delete(oldest.value);
  }

  /** Undefined when no call of this tool was approved before. */
  changes(serverKey: string, tool: string, shown: ShownArguments): readonly ArgumentChange[] | undefined {
    const before = this.#kept.get(keyOf(serverKey, tool));
    return before && differences(before, remembered(shown)).slice(0, this.#limits.approvalChangesMax);
  }

  clear(): void {
    this.#kept.clear();
  }
}

interface Remembered {
  readonly value: Json;
  /** Equal for equal values, also where the value itself is hidden. */
  readonly mark: string;
}

function keyOf(serverKey: string, tool: string): string {
  return JSON.stringify([serverKey, tool]);
}

function remembered({ args, masked }: ShownArguments): ReadonlyMap<string, Remembered> {
  const given = new Map(leavesOf(args).map(({ path, value }) => [path, canonicalJson(value)]));
  return new Map(
    leavesOf(masked).map(({ path, value }) => {
      const shown = canonicalJson(value);
      const real = given.get(path);
      const hidden = real !== undefined && real !== shown;
      return [path, { value, mark: hidden ? createHash('sha256').update(real).digest('hex') : shown }];
    }),
  );
}

function differences(
  before: ReadonlyMap<string, Remembered>,
  after: ReadonlyMap<string, Remembered>,
): readonly ArgumentChange[] {
  const changes: ArgumentChange[] = [];
  for (const [path, { value, mark }] of after) {
    const old = before.get(path);
    if (!old) changes.push({ path, after: value });
    else if (old.mark !== mark) changes.push({ path, before: old.value, after: value });
  }
  for (const [path, { value }] of before) if (!after.has(path)) changes.push({ path, before: value });
  return changes;
}
