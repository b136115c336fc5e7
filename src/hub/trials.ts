import type { Clock } from '../base/clock.ts';
import type { Limits } from '../base/limits.ts';
import type { Secret } from '../base/secret.ts';
import type { OpenArguments, SessionOpener } from '../connections/open-session.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import type { InstallProgress } from './plans.ts';
import { shownTarget } from './shown-endpoint.ts';
import { StderrFollower } from './stderr-follower.ts';
import type { ConnectionStore } from '../connections/store.ts';

interface Trial {
  readonly tell?: ((progress: InstallProgress) => void) | undefined;
  /** Keys that are lent for the start, by their names in the vault, and never put there. */
  readonly secrets?: ReadonlyMap<string, Secret> | undefined;
}

/** Starts that somebody looks at before anything is saved. */
export class Trials {
  readonly #parts: { readonly clock: Clock; readonly limits: Limits };
  readonly #redactText: (text: string) => string;
  readonly #running = new Map<ServerDefinition, Running>();

  constructor(options: {
    readonly clock: Clock;
    readonly limits: Limits;
    readonly redactText: (text: string) => string;
  }) {
    const { clock, limits, redactText } = options;
    this.#parts = { clock, limits };
    this.#redactText = redactText;
  }

  /** The trial lasts as long as `work` does; the definition must be the very one that is started. */
  async during<T>(definition: ServerDefinition, trial: Trial, work: () => Promise<T>): Promise<T> {
    const { tell = (): void => undefined, secrets } = trial;
    const redactText = this.#redactText;
    const stderr = new StderrFollower({
      ...this.#parts,
      redactText,
      tell: (text) => tell({ kind: 'log', text }),
    });
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
      if (attempts > 1) step('It ended at the first question. Starting it again, the older way …');
      args.onAttempt();
    },
    onBusy: (waitMs) => {
      step(`It is busy and asks to wait ${Math.ceil(waitMs / 1000)} s …`);
      args.onBusy(waitMs);
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

/** A server that is only tried leaves nothing in the database: neither manifest, verdict nor event. */
export function unwrittenTrials(store: ConnectionStore): ConnectionStore {
  const write = async (server: string, put: () => Promise<void>): Promise<void> => {
    if (!server.endsWith(TRIAL)) await put();
  };
  return {
    ...store,
    putManifest: (owner, manifest) => write(manifest.server, () => store.putManifest(owner, manifest)),
    putVerdict: (owner, verdict) => write(verdict.server, () => store.putVerdict(owner, verdict)),
    appendEvent: (owner, event) => write(event.server, () => store.appendEvent(owner, event)),
  };
}
