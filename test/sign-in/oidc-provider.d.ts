/** As much of the package as the fixture uses; it brings no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Details {
    readonly prompt: { readonly name: string };
    readonly params: Readonly<Record<string, unknown>>;
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  export interface Context {
    readonly path: string;
    readonly method: string;
    readonly status: number;
    readonly oidc?: { readonly params?: Readonly<Record<string, unknown>> };
  }

  interface Client {
    readonly clientId: string;
  }

  export interface GrantContext {
    status: number;
    body: unknown;
    readonly oidc: { readonly params: Readonly<Record<string, unknown>>; readonly client: Client };
  }

  interface AccessToken {
    resourceServer: object;
    save(): Promise<string>;
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly AccessToken: new (of: object) => AccessToken;
    readonly ResourceServer: new (identifier: string, info: object) => object;
    registerGrantType(
      name: string,
      handler: (context: GrantContext) => Promise<void>,
      params: readonly string[],
    ): void;
    readonly Grant: new (of: { accountId: string; clientId: string }) => Grant;
    readonly Client: { readonly adapter: { upsert(id: string, metadata: object): Promise<void> } };
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Details>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }
}
