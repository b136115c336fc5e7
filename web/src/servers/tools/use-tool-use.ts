import { useMemo } from 'react';
import { useHubQuery } from '../../hub/queries.ts';
import { ago, counted } from '../../parts/words.ts';
import type { ListedTool } from './tool-list.ts';

/** How often a tool was called, and when last. */
export interface ToolUse {
  readonly calls: number;
  readonly lastAt: number;
}

/** By name; a tool that is missing was never called in that time. */
export type ToolUses = ReadonlyMap<string, ToolUse>;

/** As long as calls are kept unless somebody changes it. */
const LOOKED_BACK_MS = 90 * 86_400_000;

/** Undefined until it is known: “never used” must not be said of what was not counted. */
export function useToolUses(server: string): ToolUses | undefined {
  const { data } = useHubQuery(
    ['server', server, 'use'],
    (hub) => {
      const until = Date.now();
      return hub.audit.summary({ since: until - LOOKED_BACK_MS, until, parts: 1, server, byTool: true });
    },
    { refetchOnMount: 'always' },
  );
  return useMemo(
    () =>
      data &&
      new Map(data.rows.map(({ tool = '', calls, lastAt }): [string, ToolUse] => [tool, { calls, lastAt }])),
    [data],
  );
}

/** “Never used”, or “12 calls, last 3 days ago”. */
export function wordsOfUse(use: ToolUse, now: number): string {
  return use.calls === 0 ? 'Never used' : `${counted(use.calls, 'call')}, last ${ago(use.lastAt, now)}`;
}

export type ToolOrder = 'name' | 'use' | 'tokens';

export const ORDERS: readonly { readonly value: ToolOrder; readonly label: string }[] = [
  { value: 'name', label: 'By name' },
  { value: 'use', label: 'Least used first' },
  { value: 'tokens', label: 'Most tokens first' },
];

/** Of tools that were called equally seldom, the costliest comes first: it is the first to go. */
export function inOrder(
  tools: readonly ListedTool[],
  order: ToolOrder,
  uses: ToolUses | undefined,
): readonly ListedTool[] {
  if (order === 'name') return tools;
  const cost = ({ tool }: ListedTool): number => tool?.tokens ?? 0;
  const calls = ({ name }: ListedTool): number => uses?.get(name)?.calls ?? 0;
  return tools.toSorted((a, b) => (order === 'use' ? calls(a) - calls(b) : 0) || cost(b) - cost(a));
}
