import type { JsonObject } from '../base/json.ts';

/** Something a server asks of the host while it works: the host fills what it can. */
export type HostRequestKind = 'elicitation' | 'sampling' | 'roots';

export interface HostRequest {
  /** The server that asks; its words bear its name already. */
  readonly server: string;
  readonly kind: HostRequestKind;
  /** Parameters of elicitation/create, sampling/createMessage or roots/list, as a person may see them. */
  readonly params: JsonObject;
  /** Under which a modern server asked it, beside others. */
  readonly key?: string;
}

/** Who a host is and where it works. */
export interface HostPlace {
  readonly id: string;
  readonly cwd?: string;
}

/** Answers with the MCP result object of the request. */
export type HostHandler = (
  request: HostRequest,
  options: { readonly signal: AbortSignal },
) => Promise<JsonObject>;

/** What a face can do for servers. Only what is given here is declared to them. */
export interface HostHandlers {
  readonly elicitation?: HostHandler;
  readonly sampling?: HostHandler;
  readonly roots?: HostHandler;
  /** What the host declared of itself, in its own words; modern servers are told exactly this. */
  readonly capabilities?: JsonObject;
}
