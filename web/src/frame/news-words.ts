import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { counted } from '../parts/words.ts';
import type { NewsItem } from './news.ts';
import { places } from './places.ts';

/** One toast. */
export interface Word {
  readonly tone: 'good' | 'info';
  readonly title: string;
  readonly more?: string;
  readonly action?: { readonly label: string; readonly to: string };
}

/** One toast for each kind of news: many servers at once are named together. */
export function newsWords(items: readonly NewsItem[], names: ReadonlyMap<string, string>): readonly Word[] {
  const nameOf = (server: string): string => showHidden(names.get(server) ?? server);
  return (['failed', 'sign-in', 'changed', 'recovered'] as const).flatMap((kind) => {
    const found = items.filter((item) => item.kind === kind);
    const [only] = found;
    if (only === undefined) return [];
    return [found.length === 1 ? one(only, nameOf(only.server)) : many(kind, found, nameOf)];
  });
}

function one({ server, kind, reason, tools = 0 }: NewsItem, name: string): Word {
  switch (kind) {
    case 'failed':
      return { tone: 'info', title: `${name} failed`, more: reason, action: look('Look', server) };
    case 'recovered':
      return { tone: 'good', title: `${name} is back` };
    case 'sign-in':
      return {
        tone: 'info',
        title: `Sign in to ${name} again`,
        more: reason,
        action: look('Sign in', server, 'accounts'),
      };
    case 'changed':
      break;
  }
  return {
    tone: 'info',
    title: `${name} changed ${counted(tools, 'tool')}`,
    more: 'They stay hidden until you review them.',
    action: look('Review', server, 'tools'),
  };
}

const NAMED_MAX = 3;

function many(kind: NewsItem['kind'], items: readonly NewsItem[], nameOf: (server: string) => string): Word {
  const named = items.slice(0, NAMED_MAX).map(({ server }) => nameOf(server));
  const rest = items.length - named.length;
  const more = rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ');
  const title = `${items.length} servers ${MANY[kind]}`;
  if (kind === 'recovered') return { tone: 'good', title, more };
  return { tone: 'info', title, more, action: { label: 'Look', to: places.servers } };
}

const MANY: Readonly<Record<NewsItem['kind'], string>> = {
  failed: 'failed',
  recovered: 'are back',
  'sign-in': 'want you to sign in again',
  changed: 'changed their tools',
};

function look(label: string, server: string, tab?: string): NonNullable<Word['action']> {
  return { label, to: places.server(server, tab) };
}
