import type { JsonObject } from '../base/json.ts';
import type { Entry } from '../catalog/catalog.ts';
import type { AskedServer, CallQuestion, DataOrigin, Requester } from './decision.ts';

export interface AskedCall {
  readonly principal: string;
  readonly requester: Requester;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly server: AskedServer;
  readonly entry: Entry;
  readonly args: JsonObject;
  readonly origins: readonly DataOrigin[];
}

/** The question that a call of this tool puts, whether it is made or only explained. */
export function callQuestion({ entry: { tool, hash, withheld }, ...asked }: AskedCall): CallQuestion {
  const { name, risk, flags } = tool;
  const quarantined = withheld?.cause === 'changed';
  return { ...asked, action: 'call', tool: { name, risk, hash, flags, quarantined } };
}
