import { canonicalJson } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { programOf } from './commands/run-command.ts';
import type { Draft, Finding, Rank } from './view.ts';

/** Strongest first: weaker findings beside them are only prose. */
const RANKS: readonly Rank[] = ['config', 'command', 'prose', 'link', 'address', 'words'];

const TWINS_MAX = 50;

/** Keeps the strongest findings, each definition once, in text order. */
export function mergeFound(found: readonly Finding[], name: string | undefined): readonly Finding[] {
  const rank = RANKS.find((candidate) => found.some((item) => item.rank === candidate));
  const merged: Finding[] = [];
  const seen = new Map<string, Seen[]>();
  for (const item of found.filter((candidate) => candidate.rank === rank).toSorted((a, b) => a.at - b.at)) {
    const key = endpointKey(item.draft);
    const env = canonicalJson(item.draft.env ?? {});
    const twins = seen.get(key) ?? [];
    const twin = twins.find((other) => isSame(merged[other.index], other.env, item, env));
    const kept = twin && merged[twin.index];
    if (twin && kept) merged[twin.index] = { ...kept, draft: fill(kept.draft, item.draft) };
    else {
      // So many variants of one endpoint are an attack on our time.
      if (twins.length < TWINS_MAX) twins.push({ index: merged.length, env });
      seen.set(key, twins);
      merged.push(item);
    }
    if (merged.length >= limits.pasteServersMax) break;
  }
  const only = merged.length === 1 ? merged[0] : undefined;
  if (!only) return merged;
  return [{ ...only, draft: { ...only.draft, name: only.draft.name ?? name ?? null } }];
}

function endpointKey({ command, args = [], url, ref, headers }: Draft): string {
  if (url !== undefined) return canonicalJson([url.replace(/\/$/, ''), headers ?? {}]);
  if (command === undefined) return canonicalJson(ref ?? null);
  const plain =
    /^(?:npx|bunx)$/.test(programOf(command)) && /^(?:-y|--yes)$/.test(args[0] ?? '') ? args.slice(1) : args;
  return canonicalJson([command, plain]);
}

/** With its variables as text, for cheap comparison. */
interface Seen {
  readonly index: number;
  readonly env: string;
}

function isSame(kept: Finding | undefined, envKept: string, item: Finding, env: string): boolean {
  if (!kept || kept.document === item.document) return false;
  if (envKept === env) return true;
  const nameless = kept.draft.name === null || item.draft.name === null;
  return nameless && (envKept === '{}' || env === '{}');
}

function fill(kept: Draft, other: Draft): Draft {
  return { ...other, ...kept, name: kept.name ?? other.name, extra: { ...other.extra, ...kept.extra } };
}
