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

  private constructor(tool: string, args: JsonObject) {
    this.#tool = tool;
    this.#args = args;
  }

  static mint(tool: string, args: JsonObject): CallPermit {
    return new CallPermit(tool, args);
  }

  /** The very arguments that were decided on, not their like. */
  static covers(permit: CallPermit, tool: unknown, args: unknown): boolean {
    return #tool in permit && permit.#tool === tool && permit.#args === args;
  }
}
