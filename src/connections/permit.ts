import type { JsonObject } from '../base/json.ts';

/** The key to calling a tool. Only a decision makes one: a lint rule lets only `policy` import this file. */
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

  /** The very arguments that were decided on, not equal ones, and the same account. */
  static covers(permit: CallPermit, params: JsonObject, account: string | undefined): boolean {
    return (
      #tool in permit &&
      permit.#tool === params['name'] &&
      permit.#args === params['arguments'] &&
      permit.#account === account
    );
  }
}
