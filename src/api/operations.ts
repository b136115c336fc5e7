import type { JsonObject } from '../base/json.ts';
import type { HostRequestKind } from '../connections/host.ts';
import type { ServerEvent } from '../connections/state.ts';
import type * as adding from '../hub/adding.ts';
import type * as hub from '../hub/hub.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import type { ChatOperations } from './chat-operations.ts';
import type { DecidingOperations } from './deciding-operations.ts';
import type { PageOperations } from './page-operations.ts';
import type { Profile } from '../servers/profile.ts';
import type { SearchOutcome } from '../servers/registry/search.ts';

/** What a caller must give of a definition; the rest has defaults, which `defineServer` fills in. */
export type GivenDefinition = Pick<ServerDefinition, 'id' | 'endpoint'> & Partial<ServerDefinition>;

/** Input and output of every operation, as types: the client needs nothing more at run time. */
interface Operations extends DecidingOperations, ChatOperations, PageOperations {
  health: Operation<Nothing, { readonly ok: true }>;
  openapi: Operation<Nothing, JsonObject>;
  status: Operation<Nothing, hub.HubStatus>;
  /** Streams HubEvents. */
  watch: Operation<Nothing, hub.HubEvent>;
  shutdown: Operation<Nothing, void>;

  'servers.list': Operation<Nothing, hub.ServerList>;
  'servers.add': Operation<
    { readonly definition: GivenDefinition; readonly test?: boolean; readonly replace?: boolean },
    hub.AddOutcome
  >;
  'servers.apply': Operation<{ readonly definitions: readonly GivenDefinition[] }, hub.ApplyOutcome>;
  'servers.reload': Operation<Nothing, hub.ApplyOutcome>;
  'servers.restartFailed': Operation<Nothing, readonly string[]>;
  'servers.stopAll': Operation<Nothing, readonly string[]>;
  'servers.ensureStarted': Operation<{ readonly ids?: readonly string[] }, readonly string[]>;
  'servers.waitUntilReady': Operation<
    { readonly ids?: readonly string[]; readonly timeoutMs?: number },
    hub.ServerList
  >;
  'servers.get': Operation<OneServer, hub.ServerView>;
  'servers.definition': Operation<OneServer, ServerDefinition>;
  'servers.remove': Operation<OneServer, void>;
  'servers.enable': Operation<OneServer, hub.ServerView>;
  'servers.disable': Operation<OneServer, hub.ServerView>;
  'servers.setReadOnly': Operation<OneServer & { readonly readOnly: boolean }, hub.ServerView>;
  'servers.trust': Operation<
    OneServer & { readonly fingerprint?: string; readonly session?: boolean },
    hub.ServerView
  >;
  'servers.untrust': Operation<OneServer, hub.ServerView>;
  'servers.start': Operation<OneServer, hub.ServerView>;
  'servers.stop': Operation<OneServer, hub.ServerView>;
  'servers.restart': Operation<OneServer, hub.ServerView>;
  'servers.reconnect': Operation<OneServer, hub.ServerView>;
  'servers.logs': Operation<OneServer & { readonly lines?: number }, hub.ServerLog>;
  'servers.events': Operation<
    { readonly server?: string; readonly since?: number; readonly limit?: number },
    readonly ServerEvent[]
  >;

  'tools.list': Operation<hub.ToolQuery, hub.ToolList>;
  'tools.call': Operation<hub.CallRequest, hub.CallResult>;

  'resources.list': Operation<
    OfServer,
    { readonly resources: readonly hub.Offered[]; readonly templates: readonly hub.Offered[] }
  >;
  'resources.read': Operation<Resource & { readonly host?: string }, JsonObject>;
  'resources.subscribe': Operation<Resource, void>;
  'resources.unsubscribe': Operation<Resource, void>;

  'prompts.list': Operation<OfServer, { readonly prompts: readonly hub.Offered[] }>;
  'prompts.get': Operation<Parameters<hub.PromptsApi['get']>[0], JsonObject>;
  'prompts.complete': Operation<Parameters<hub.PromptsApi['complete']>[0], JsonObject>;
  'prompts.setLogLevel': Operation<{ readonly server: string; readonly level: string }, void>;

  'profiles.list': Operation<Nothing, readonly Profile[]>;
  'profiles.save': Operation<Profile, void>;
  'profiles.remove': Operation<{ readonly name: string }, void>;

  'accounts.list': Operation<OfServer, readonly hub.AccountView[]>;
  'accounts.signIn': Operation<hub.SignInRequest, hub.AccountView>;
  'accounts.answer': Operation<{ readonly id: string; readonly address: string }, void>;
  'accounts.signOut': Operation<{ readonly server: string; readonly account?: string }, void>;
  'accounts.setDefault': Operation<{ readonly server: string; readonly account: string }, void>;

  'secrets.list': Operation<Nothing, readonly string[]>;
  'secrets.set': Operation<{ readonly name: string; readonly value: string }, void>;
  'secrets.remove': Operation<{ readonly name: string }, void>;
  'secrets.rotate': Operation<hub.RotateRequest, hub.RotateOutcome>;
  'secrets.unlock': Operation<{ readonly passphrase: string }, void>;

  'imports.scan': Operation<adding.ImportQuery, adding.ImportPreview>;
  'imports.run': Operation<adding.ImportRequest, adding.ImportOutcome>;

  'registries.search': Operation<adding.RegistryQuery, SearchOutcome>;
  'registries.sync': Operation<{ readonly registries?: readonly string[] }, adding.SyncAnswers>;

  'plans.make': Operation<adding.PlanRequest, adding.PlanOffer>;
  'plans.unpack': Operation<{ readonly plan: string }, adding.OfferedPlan>;
  'plans.install': Operation<adding.InstallRequest, adding.InstallOutcome>;

  'hosts.attach': Operation<
    { readonly name: string; readonly cwd?: string; readonly answers: readonly HostRequestKind[] },
    { readonly id: string }
  >;
  /** Streams HostMessages. */
  'hosts.requests': Operation<{ readonly id: string }, HostMessage>;
  'hosts.answer': Operation<HostAnswer & { readonly id: string; readonly requestId: string }, void>;
  'hosts.detach': Operation<{ readonly id: string }, void>;
}

export type OperationName = keyof Operations;
export type OperationInput<Name extends OperationName> = Operations[Name]['input'];
export type OperationOutput<Name extends OperationName> = Operations[Name]['output'];

/** What travels to an attached host: a request of a server, or that it is no longer wanted. */
export type HostMessage =
  | {
      readonly kind: 'request';
      readonly requestId: string;
      readonly server: string;
      readonly asks: HostRequestKind;
      readonly params: JsonObject;
    }
  | { readonly kind: 'cancel'; readonly requestId: string };

/** The result of a host's handler, or why there is none. */
export type HostAnswer = { readonly result: JsonObject } | { readonly problem: string };

interface Operation<In, Out> {
  readonly input: In;
  readonly output: Out;
}

type Nothing = Readonly<Record<string, never>>;

interface OneServer {
  readonly id: string;
}

interface OfServer {
  readonly server?: string;
}

interface Resource {
  readonly server: string;
  readonly uri: string;
}
