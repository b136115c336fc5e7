import type { CatalogTool } from '../catalog/catalog.ts';
import type { CallQuestion } from './decision.ts';

export function callQuestion({
  entry: { tool, hash, withheld },
  ...asked
}: Omit<CallQuestion, 'action' | 'tool'> & { readonly entry: CatalogTool }): CallQuestion {
  const { name, risk, flags } = tool;
  const quarantined = withheld?.cause === 'changed';
  return { action: 'call', ...asked, tool: { name, risk, hash, flags, quarantined } };
}
