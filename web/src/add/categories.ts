import type { FeaturedCatalog } from '../hub/hub-context.tsx';

export type Category = keyof FeaturedCatalog;

export type FeaturedServer = FeaturedCatalog[Category][number];

export const CATEGORIES: readonly { readonly value: Category | ''; readonly label: string }[] = [
  { value: '', label: 'All categories' },
  { value: 'work', label: 'Work and notes' },
  { value: 'code', label: 'Code' },
  { value: 'knowledge', label: 'Search and knowledge' },
  { value: 'business', label: 'Business' },
  { value: 'machine', label: 'This machine' },
];

/** Of all categories, the first of each come first: nobody looks for the fortieth. */
export function featuredIn(catalog: FeaturedCatalog, category: Category | ''): readonly FeaturedServer[] {
  if (category !== '') return catalog[category];
  const lists = Object.values(catalog);
  const longest = Math.max(0, ...lists.map((list) => list.length));
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
