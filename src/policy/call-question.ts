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
export function callQuestion(asked: AskedCall): CallQuestion {
  const { tool, hash, withheld } = asked.entry;
  const { name, risk, flags } = tool;
  return {
    action: 'call',
    principal: asked.principal,
    requester: asked.requester,
    now: asked.now,
    server: asked.server,
    tool: { name, risk, hash, flags, quarantined: withheld?.cause === 'changed' },
    args: asked.args,
    origins: asked.origins,
  };
}
