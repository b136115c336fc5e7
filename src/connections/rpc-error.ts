import type { Json } from '../base/json.ts';

/** An error as it crosses a JSON-RPC link. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: Json | undefined;

  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }

  get json(): { readonly code: number; readonly message: string; readonly data?: Json } {
    const { code, message, data } = this;
    return { code, message, ...(data === undefined ? {} : { data }) };
  }
}
