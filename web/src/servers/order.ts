import type { ServerState, ServerView } from '../hub/hub-context.tsx';
import { counted, shortNumber } from '../parts/words.ts';
import { attentionOf, type Attention } from '../repair/repair.ts';

export type StateFilter = 'all' | 'ready' | 'starting' | 'asleep' | 'needs-you' | 'failed' | 'off';

export const FILTERS: readonly { readonly value: StateFilter; readonly label: string }[] = [
  { value: 'all', label: 'All states' },
  { value: 'needs-you', label: 'Needs you' },
  { value: 'failed', label: 'Failed' },
  { value: 'ready', label: 'Ready' },
  { value: 'starting', label: 'Starting' },
  { value: 'asleep', label: 'Asleep' },
  { value: 'off', label: 'Off' },
];

/** In which of a person's groups a server is: what to do about it, rather than how it came to be. */
function groupOf(server: ServerView): Exclude<StateFilter, 'all'> {
  const attention = attentionOf(server);
  if (attention === 'failed') return 'failed';
  if (attention === 'waiting' || attention === 'review') return 'needs-you';
  return GROUPS[server.state.kind];
}

const GROUPS: Readonly<Record<ServerState['kind'], Exclude<StateFilter, 'all'>>> = {
  failed: 'failed',
  'needs-sign-in': 'needs-you',
  'needs-input': 'needs-you',
  quarantined: 'needs-you',
  degraded: 'ready',
  starting: 'starting',
  ready: 'ready',
  asleep: 'asleep',
  disabled: 'off',
};

/** Servers as the page lists them: those that need a person first. */
export interface Section {
  readonly title?: string;
  readonly servers: readonly ServerView[];
}

/**
 * The most serious first, then by name. A server that is being started keeps the place that it had: one
 * that fails and is tried again all day would else jump up and down. `places` remembers.
 */
export function inSections(servers: readonly ServerView[], places: Map<string, number>): readonly Section[] {
  for (const server of servers) {
    if (server.state.kind !== 'starting') places.set(server.id, placeOf(server));
  }
  const place = ({ id }: ServerView): number => places.get(id) ?? LAST;
  const sorted = servers.toSorted((a, b) => place(a) - place(b) || BY_NAME.compare(a.name, b.name));
  const needy = sorted.filter((server) => place(server) < LAST);
  const others = sorted.slice(needy.length);
  if (needy.length === 0) return [{ servers: others }];
  const first: Section = { title: 'Needs attention', servers: needy };
  return others.length === 0 ? [first] : [first, { title: 'Other servers', servers: others }];
}

/** As people count: 2 comes before 10. */
const BY_NAME = new Intl.Collator('en', { numeric: true });

function placeOf(server: ServerView): number {
  const attention = attentionOf(server);
  return attention === undefined ? LAST : RANKS[attention];
}

const RANKS: Readonly<Record<Attention, number>> = { failed: 0, waiting: 1, degraded: 2, review: 3 };
const LAST = 4;

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
    ...some('starting', 'starting'),
    ...some('asleep', 'asleep'),
    ...some('off', 'off'),
    ...(tokens > 0 ? [`${shortNumber(tokens)} tokens`] : []),
  ];
  return words.length === 0
    ? counted(servers.length, 'server')
    : words.map((each) => each.replaceAll(' ', '\u00a0')).join(' · ');
}
