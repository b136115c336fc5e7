import type { JsonObject } from '../../base/json.ts';
import type { Flag } from '../../catalog/flag.ts';
import type { Risk } from '../../catalog/risk.ts';
import type { Approval } from '../approval.ts';
import type { Decision, Requester } from '../decision.ts';

/** A call that may not run before somebody has said so. */
export interface ApprovalRequest {
  readonly requester: Requester;
  readonly server: {
    readonly id: string;
    readonly key: string;
    /** It runs on this machine, so the files it writes can be looked at. */
    readonly local?: boolean;
  };
  readonly account?: string | undefined;
  /** The server's own name of the tool. */
  readonly tool: string;
  readonly risk: Risk;
  readonly flags?: readonly Flag[] | undefined;
  readonly args: JsonObject;
  readonly decision: Decision;
  /** Whatever the caller counts as one, such as the calls of one turn of a model. */
  readonly batch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Throws what is wrong with edited arguments. */
  readonly check?: ((args: JsonObject) => Promise<void> | void) | undefined;
  /** Told once the question waits. */
  readonly onWaiting?: ((approval: Approval) => void) | undefined;
}
