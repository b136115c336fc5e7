import type { CatalogTool } from '../catalog/catalog.ts';
import type { CallQuestion } from './decision.ts';

export function callQuestion(
  asked: Omit<CallQuestion, 'action' | 'tool'> & { readonly entry: CatalogTool },
): CallQuestion {
  // Field by field: rest and spread would cost every call more than the decision.
  const { principal, requester, now, server, account, entry, args, origins, bar, consent } = asked;
  const { name, risk, flags } = entry.tool;
  const quarantined = entry.withheld?.cause === 'changed';
  const { hash, told } = entry;
  const tool = { name, risk, told, hash, flags, quarantined };
  return { action: 'call', principal, requester, now, server, account, tool, args, origins, bar, consent };
}
