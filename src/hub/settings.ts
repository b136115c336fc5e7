/** What a person sets once, for all faces. */
export interface SettingsApi {
  get(): Promise<Settings>;
  /** Holds at once. */
  change(change: SettingsChange): Promise<Settings>;
}

export interface Settings {
  readonly retention: Retention;
  /** Local servers are declined; set where the hub is started, not here. */
  readonly remoteOnly: boolean;
}

/** For how many days things are kept. */
export interface Retention {
  readonly callDays: number;
  readonly resultDays: number;
}

export interface SettingsChange {
  readonly retention?: Partial<Retention>;
}
