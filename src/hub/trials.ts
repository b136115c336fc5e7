import type { Secret } from '../base/secret.ts';
import type { Cancel } from '../base/clock.ts';
import type { OpenArguments, ServerOutput, SessionOpener } from '../connections/open-session.ts';
import type { Core } from './core.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import type { InstallProgress } from './plans.ts';
import { shownTarget } from './shown-endpoint.ts';
import type { ConnectionStore } from '../connections/store.ts';
import type { Redaction } from './redaction.ts';

interface Trial {
  readonly tell?: ((progress: InstallProgress) => void) | undefined;
  /** Keys that are lent for the start, by their names in the vault, and never put there. */
  readonly secrets?: ReadonlyMap<string, Secret> | undefined;
}

/** Starts that are watched before anything is saved. */
export class Trials {
  readonly #options: Omit<StderrFollowerOptions, 'tell'>;
  readonly #running = new Map<ServerDefinition, Running>();
  /** By id: the last trial that was asked for. */
  readonly #lastOf = new Map<string, Promise<unknown>>();

  constructor(options: Omit<StderrFollowerOptions, 'tell'>) {
    this.#options = options;
  }

  /** Two of the same server at once may be in each other's way: the second waits for the first to end. */
  async oneAtATime<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#lastOf.get(id);
    const mine = (async (): Promise<T> => {
      await Promise.allSettled([before]);
      return work();
    })();
    this.#lastOf.set(id, mine);
    try {
      return await mine;
    } finally {
      if (this.#lastOf.get(id) === mine) this.#lastOf.delete(id);
    }
  }

  /** The trial lasts as long as `work` does; the definition must be the very one that is started. */
  async during<T>(definition: ServerDefinition, trial: Trial, work: () => Promise<T>): Promise<T> {
    const { tell = (): void => undefined, secrets } = trial;
    const { redactText } = this.#options;
    const stderr = new StderrFollower({ ...this.#options, tell: (text) => tell({ kind: 'log', text }) });
    const step = (text: string): void => tell({ kind: 'step', text: redactText(text) });
    this.#running.set(definition, { secrets, stderr, step });
    try {
      return await work();
    } finally {
      stderr.end();
      this.#running.delete(definition);
    }
  }

  lent(definition: ServerDefinition, name: string): Secret | undefined {
    return this.#running.get(definition)?.secrets?.get(name);
  }

  isWatched(definition: ServerDefinition): boolean {
    return this.#running.has(definition);
  }

  /** Tells whoever watches this start, if anybody does, what is done for it now. */
  step(definition: ServerDefinition, text: string): void {
    this.#running.get(definition)?.step(text);
  }

  watched(open: SessionOpener): SessionOpener {
    return (args) => {
      const running = this.#running.get(args.server.definition);
      return running ? openTelling(open, args, running) : open(args);
    };
  }
}

interface Running {
  readonly secrets: Trial['secrets'];
  readonly stderr: StderrFollower;
  readonly step: (text: string) => void;
}

async function openTelling(
  open: SessionOpener,
  args: OpenArguments,
  { stderr, step }: Running,
): ReturnType<SessionOpener> {
  const { endpoint } = args.server.definition;
  step(`${endpoint.kind === 'stdio' ? 'Starting' : 'Connecting to'} ${shownTarget(endpoint)} …`);
  let attempts = 0;
  const opened = await open({
    ...args,
    onAttempt: () => {
      attempts += 1;
      if (attempts > 1) step('It exited on the first request. Starting it again with the older protocol …');
      args.onAttempt();
    },
    onBusy: (waitMs) => {
      step(`It is busy and asks to wait ${Math.ceil(waitMs / 1000)} s …`);
      args.onBusy(waitMs);
    },
    onSignIn: (address) => {
      step(`It waits for you to sign in. Open ${address}`);
      args.onSignIn(address);
    },
    onOutput: (output) => {
      stderr.follow(output);
      step('Handshake …');
      args.onOutput(output);
    },
  });
  step(`It speaks MCP ${opened.session.agreement.protocolVersion}. Listing tools …`);
  return opened;
}

/** No server's id holds an `@`, and no folder's place is called so. */
const TRIAL = '@try';

/** The key of a server while it is tried: whatever runs under its id already goes on. */
export function trialKey(id: string): string {
  return `${id}${TRIAL}`;
}

export function isTrial(key: string): boolean {
  return key.endsWith(TRIAL);
}

/** Nothing is stored with a secret of ours, and nothing at all of a server that is only tried. */
export function connectionStore(store: ConnectionStore, redaction: Redaction): ConnectionStore {
  const write = async (server: string, put: () => Promise<void>): Promise<void> => {
    if (!isTrial(server)) await put();
  };
  return {
    listManifests: (owner) => store.listManifests(owner),
    getManifest: (owner, server) => store.getManifest(owner, server),
    putManifest: (owner, manifest) =>
      write(manifest.server, () => store.putManifest(owner, redaction.redactForeign(manifest))),
    deleteManifest: (owner, server) => store.deleteManifest(owner, server),
    getVerdict: (owner, server) => store.getVerdict(owner, server),
    putVerdict: (owner, verdict) => write(verdict.server, () => store.putVerdict(owner, verdict)),
    deleteVerdict: (owner, server) => store.deleteVerdict(owner, server),
    appendEvent: (owner, event) =>
      write(event.server, () =>
        store.appendEvent(owner, { ...event, reason: redaction.redactText(event.reason) }),
      ),
    listEvents: (owner, query) => store.listEvents(owner, query),
    pruneEvents: (owner, keep) => store.pruneEvents(owner, keep),
    listProcesses: () => store.listProcesses(),
    putProcess: (record) => store.putProcess(record),
    deleteProcess: (hub, pid) => store.deleteProcess(hub, pid),
  };
}

interface StderrFollowerOptions extends Pick<Core, 'clock' | 'limits'> {
  readonly redactText: (text: string) => string;
  readonly tell: (line: string) => void;
}

/** Tells line by line what a starting server writes to stderr, as far as a person would read. */
export class StderrFollower {
  readonly #options: StderrFollowerOptions;
  #output: ServerOutput | undefined;
  #cancel: Cancel | undefined;
  #told = 0;
  #toldOfAll = 0;

  constructor(options: StderrFollowerOptions) {
    this.#options = options;
  }

  follow(output: ServerOutput): void {
    const { clock, limits } = this.#options;
    this.end();
    this.#output = output;
    this.#told = 0;
    this.#cancel = clock.every(limits.trialLogMs, () => this.#read(false));
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#read(true);
    this.#output = undefined;
  }

  /** The last line may be unfinished, and the one before it may hold half a key, which would not be recognized. */
  #read(all: boolean): void {
    const { limits, redactText, tell } = this.#options;
    const room = limits.trialLogLinesMax - this.#toldOfAll;
    if (!this.#output || room <= 0) return;
    const lines = this.#output.stderr(limits.trialLogLinesMax + 1);
    const fresh = lines.slice(this.#told, all ? undefined : -2);
    if (fresh.length === 0) return;
    this.#told += fresh.length;
    this.#toldOfAll += fresh.length;
    const shown = redactText(fresh.join('\n')).split('\n');
    for (const line of shown.slice(0, room)) tell(line);
    if (fresh.length >= room)
      tell(`… More output follows. At most ${limits.trialLogLinesMax} lines are shown here.`);
  }
}
