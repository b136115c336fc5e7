import type { ServerState, ServerView } from '../hub/hub-context.tsx';
import { counted, shortNumber } from '../parts/words.ts';

export type StateFilter = 'all' | 'ready' | 'asleep' | 'needs-you' | 'failed' | 'off';

export const FILTERS: readonly { readonly value: StateFilter; readonly label: string }[] = [
  { value: 'all', label: 'All states' },
  { value: 'needs-you', label: 'Needs you' },
  { value: 'failed', label: 'Failed' },
  { value: 'ready', label: 'Ready' },
  { value: 'asleep', label: 'Asleep' },
  { value: 'off', label: 'Off' },
];

/** In which of a person's groups a server is: what to do about it, rather than how it came to be. */
function groupOf({ state, untrusted }: ServerView): Exclude<StateFilter, 'all'> {
  if (untrusted !== undefined) return 'needs-you';
  return GROUPS[state.kind];
}

const GROUPS: Readonly<Record<ServerState['kind'], Exclude<StateFilter, 'all'>>> = {
  failed: 'failed',
  'needs-sign-in': 'needs-you',
  'needs-input': 'needs-you',
  quarantined: 'needs-you',
  degraded: 'ready',
  starting: 'ready',
  ready: 'ready',
  asleep: 'asleep',
  disabled: 'off',
};

/**
 * Failed and waiting ones first, then by name. A server that is being started keeps the place that
 * it had: one that fails and is tried again all day would else jump up and down. `places` remembers.
 */
export function inOrder(servers: readonly ServerView[], places: Map<string, number>): readonly ServerView[] {
  for (const server of servers) {
    if (server.state.kind !== 'starting') places.set(server.id, placeOf(server));
  }
  const place = (id: string): number => places.get(id) ?? LAST;
  return servers.toSorted((a, b) => place(a.id) - place(b.id) || a.name.localeCompare(b.name));
}

function placeOf(server: ServerView): number {
  const group = groupOf(server);
  if (group === 'failed') return 0;
  return group === 'needs-you' || server.state.kind === 'degraded' ? 1 : LAST;
}

const LAST = 2;

export function matching(
  servers: readonly ServerView[],
  words: string,
  filter: StateFilter,
): readonly ServerView[] {
  const wanted = words.trim().toLowerCase();
  return servers.filter(
    (server) =>
      (filter === 'all' || groupOf(server) === filter) &&
      (wanted === '' || `${server.name} ${server.id} ${server.target}`.toLowerCase().includes(wanted)),
  );
}

/** “6 ready · 1 asleep · 1 needs you · 0.9k tokens”. */
export function overallLine(servers: readonly ServerView[]): string {
  const counts = new Map<string, number>();
  for (const server of servers) counts.set(groupOf(server), (counts.get(groupOf(server)) ?? 0) + 1);
  const some = (group: StateFilter, one: string, many = one): readonly string[] => {
    const count = counts.get(group) ?? 0;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  };
  const tokens = servers.reduce((sum, server) => sum + (server.enabled ? (server.tokens ?? 0) : 0), 0);
  const words = [
    ...some('failed', 'failed'),
    ...some('needs-you', 'needs you', 'need you'),
    ...some('ready', 'ready'),
    ...some('asleep', 'asleep'),
    ...some('off', 'off'),
    ...(tokens > 0 ? [`${shortNumber(tokens)} tokens`] : []),
  ];
  return words.length === 0
    ? counted(servers.length, 'server')
    : words.map((each) => each.replaceAll(' ', '\u00a0')).join(' · ');
}
