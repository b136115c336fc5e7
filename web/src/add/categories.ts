import { businessServers } from '../../../src/servers/featured-business.ts';
import { codeServers } from '../../../src/servers/featured-code.ts';
import { knowledgeServers } from '../../../src/servers/featured-knowledge.ts';
import { machineServers } from '../../../src/servers/featured-machine.ts';
import { workServers } from '../../../src/servers/featured-work.ts';
import type { FeaturedServer } from '../../../src/servers/featured.ts';

export type Category = 'work' | 'code' | 'knowledge' | 'business' | 'machine';

const SERVERS: Readonly<Record<Category, readonly FeaturedServer[]>> = {
  work: workServers,
  code: codeServers,
  knowledge: knowledgeServers,
  business: businessServers,
  machine: machineServers,
};

export const CATEGORIES: readonly { readonly value: Category | ''; readonly label: string }[] = [
  { value: '', label: 'All categories' },
  { value: 'work', label: 'Work and notes' },
  { value: 'code', label: 'Code' },
  { value: 'knowledge', label: 'Search and knowledge' },
  { value: 'business', label: 'Business' },
  { value: 'machine', label: 'This machine' },
];

/** Of all categories, the first of each come first: nobody looks for the fortieth. */
export function featuredIn(category: Category | ''): readonly FeaturedServer[] {
  if (category !== '') return SERVERS[category];
  const lists = Object.values(SERVERS);
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

/** Every word must begin a word of its name, of what it is for, or of what people ask for. */
export function featuredMatching(
  servers: readonly FeaturedServer[],
  text: string,
): readonly FeaturedServer[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return servers;
  return servers.filter(({ title, about, words, topics }) => {
    const all = ` ${[title, about, ...words, ...topics].join(' ').toLowerCase()}`;
    return wanted.every((word) => all.includes(` ${word}`));
  });
}
