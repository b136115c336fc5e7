import type * as hub from '../hub/hub.ts';

/** Input and output of the operations that the page brought along. */
export interface PageOperations {
  /** A link that opens the page once; only over the socket. */
  'page.link': Operation<Nothing, PageLink>;

  'servers.setApps': Operation<{ readonly id: string; readonly shown: boolean }, hub.ServerView>;
  'servers.credentials': Operation<{ readonly id: string }, hub.ServerCredentials>;
  'servers.icon': Operation<{ readonly id: string }, hub.ServerIcon>;

  'registries.list': Operation<Nothing, readonly hub.RegistryView[]>;
  'registries.save': Operation<hub.NewRegistry, readonly hub.RegistryView[]>;
  'registries.remove': Operation<{ readonly name: string }, readonly hub.RegistryView[]>;

  'plans.recognise': Operation<{ readonly text: string }, hub.Recognised>;
  'plans.readImage': Operation<{ readonly image: string }, { readonly text: string }>;
  /** Its progress is InstallProgress. */
  'plans.try': Operation<hub.InstallRequest, hub.TryOutcome>;

  'audit.summary': Operation<hub.AuditSpan, hub.AuditSummary>;

  /** Its progress is ConfiguringEvents. */
  'configuring.turn': Operation<hub.ConfiguringRequest, hub.ConfiguringOutcome>;

  'settings.get': Operation<Nothing, hub.Settings>;
  'settings.change': Operation<hub.SettingsChange, hub.Settings>;
}

export interface PageLink {
  /** Good for one visit, and for a few minutes. */
  readonly url: string;
  readonly expiresAt: number;
}

interface Operation<In, Out> {
  readonly input: In;
  readonly output: Out;
}

type Nothing = Readonly<Record<string, never>>;
