import type { JsonObject } from '../base/json.ts';

/**
 * The key to calling a tool. Only a decision makes one (a lint rule keeps everybody but `policy`
 * from importing this file), and a session calls no tool without it: what `decide` has not let
 * through cannot be invoked from any face.
 */
export class CallPermit {
  /** Private, so that nothing of the same shape passes for a permit. */
  readonly #tool: string;
  readonly #args: JsonObject;
  readonly #account: string | undefined;

  private constructor(tool: string, args: JsonObject, account: string | undefined) {
    this.#tool = tool;
    this.#args = args;
    this.#account = account;
  }

  /** `account` is the identity that the call is made as; undefined where there is none. */
  static mint(tool: string, args: JsonObject, account: string | undefined): CallPermit {
    return new CallPermit(tool, args, account);
  }

  /** The very arguments that were decided on, not their like, and the very account. */
  static covers(permit: CallPermit, params: JsonObject, account: string | undefined): boolean {
    return (
      #tool in permit &&
      permit.#tool === params['name'] &&
      permit.#args === params['arguments'] &&
      permit.#account === account
    );
  }
}
