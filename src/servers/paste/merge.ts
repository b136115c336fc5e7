import { canonicalJson } from '../../base/json.ts';
import { programOf } from './commands/run-command.ts';
import type { Draft, Found, Rank } from './view.ts';

/** Heaviest first: where one of these was found, the lighter ones are only text around it. */
const RANKS: readonly Rank[] = ['config', 'command', 'prose', 'link', 'address', 'words'];

/** Keeps the heaviest findings, each distinct definition once, in the order of the text. */
export function mergeFound(found: readonly Found[], name: string | undefined): readonly Found[] {
  const rank = RANKS.find((candidate) => found.some((item) => item.rank === candidate));
  const merged: Found[] = [];
  const byEndpoint = new Map<string, number[]>();
  for (const item of found.filter((candidate) => candidate.rank === rank).toSorted((a, b) => a.at - b.at)) {
    const key = endpointKey(item.draft);
    const twins = byEndpoint.get(key) ?? [];
    const twin = twins.find((index) => isSame(merged[index], item));
    if (twin === undefined) {
      byEndpoint.set(key, [...twins, merged.length]);
      merged.push(item);
    } else {
      const kept = merged[twin];
      if (kept) merged[twin] = { ...kept, draft: fill(kept.draft, item.draft) };
    }
  }
  const only = merged.length === 1 ? merged[0] : undefined;
  if (!only) return merged;
  return [{ ...only, draft: { ...only.draft, name: only.draft.name ?? name ?? null } }];
}

/** What would run or be contacted; `npx x` and `npx -y x` are the same. */
function endpointKey({ command, args = [], url, ref, headers }: Draft): string {
  if (url !== undefined) return canonicalJson([url.replace(/\/$/, ''), headers ?? {}]);
  if (command === undefined) return canonicalJson(ref ?? null);
  const plain =
    /^(?:npx|bunx)$/.test(programOf(command)) && /^(?:-y|--yes)$/.test(args[0] ?? '') ? args.slice(1) : args;
  return canonicalJson([command, plain]);
}

function isSame(kept: Found | undefined, item: Found): boolean {
  if (!kept || kept.document === item.document) return false;
  const [a, b] = [kept.draft, item.draft];
  const [envA, envB] = [canonicalJson(a.env ?? {}), canonicalJson(b.env ?? {})];
  const nameless = a.name === null || b.name === null;
  if (envA === envB) return true;
  return nameless && (envA === '{}' || envB === '{}');
}

/** The first definition keeps its fields; what it lacks comes from its twin. */
function fill(kept: Draft, other: Draft): Draft {
  return {
    ...other,
    ...kept,
    name: kept.name ?? other.name,
    extra: { ...other.extra, ...kept.extra },
  };
}
