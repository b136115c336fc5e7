import { wordSet } from '../word-set.ts';

export { transportOf } from '../entry/kinds.ts';

/** Lower case, without punctuation. */
const CONTAINERS = wordSet(
  'mcpservers mcpserver servers contextservers extensions mcp modelcontextprotocolservers mcpconfig mcps',
);

export function isContainer(key: string): boolean {
  const plain = key.toLowerCase().replaceAll(/[^a-z.]/g, '');
  return CONTAINERS.has(plain) || /(?:^|\.)(?:mcpservers|mcp\.servers|contextservers)$/.test(plain);
}
