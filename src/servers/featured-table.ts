import { businessServers } from './featured-business.ts';
import { codeServers } from './featured-code.ts';
import { knowledgeServers } from './featured-knowledge.ts';
import { machineServers } from './featured-machine.ts';
import { workServers } from './featured-work.ts';
import type { FeaturedServer } from './featured.ts';

/** Facts only. A vendor's remote server is preferred to a package; versions are looked up later. */
export const featuredServers: readonly FeaturedServer[] = [
  ...workServers,
  ...codeServers,
  ...knowledgeServers,
  ...businessServers,
  ...machineServers,
];
