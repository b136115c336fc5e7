import { businessServers } from './featured-business.ts';
import { codeServers } from './featured-code.ts';
import { knowledgeServers } from './featured-knowledge.ts';
import { machineServers } from './featured-machine.ts';
import { workServers } from './featured-work.ts';
import type { FeaturedServer } from './featured.ts';

/** Facts only. A vendor's remote server is preferred to a package; versions are looked up later. */
export const featuredByCategory = {
  work: workServers,
  code: codeServers,
  knowledge: knowledgeServers,
  business: businessServers,
  machine: machineServers,
} as const satisfies Readonly<Record<string, readonly FeaturedServer[]>>;

export type FeaturedCategory = keyof typeof featuredByCategory;

export const featuredServers: readonly FeaturedServer[] = Object.values(featuredByCategory).flat();
