import { toPlugError, type PlugError } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { PageLink } from '../api/listener-operations.ts';
import type { Hub, HubStatus } from '../hub/hub.ts';
import type { ExitCode } from './exit-codes.ts';
import { WARNING, type Output } from './output.ts';
import { cancelled, unknownWord } from './failures.ts';
import type { Terminal } from './terminal.ts';

/** What every command may use. */
export interface Session {
  readonly out: Output;
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  /** The folder in which the command was typed. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hubs: HubControl;
}

/** The hub as a process: whether it runs, and where. */
export interface HubControl {
  /** A hub to work on; starts one when none runs, which `whileStarting` may tell. */
  connect(signal: AbortSignal, whileStarting?: <T>(work: () => Promise<T>) => Promise<T>): Promise<Hub>;
  /** The hub that runs, to work on, if it is of this version. Never starts one. */
  running(): Promise<Hub | undefined>;
  /** Starts one in the background unless one runs. */
  start(signal: AbortSignal): Promise<RunningHub & { readonly started: boolean }>;
  /** Runs one in this process until the signal aborts or it is told to stop. */
  run(options: HubRun): Promise<void>;
  /** The hub that runs, if any. Never starts one. */
  find(): Promise<RunningHub | undefined>;
  /** A link that opens the page once, at a hub that is started when none runs. */
  pageLink(signal: AbortSignal): Promise<PageLink>;
  /** The same link, and whether it opens in the user's browser. */
  openPage(signal: AbortSignal): Promise<PageLink & { readonly opened: boolean }>;
  /** Opens an address in the user's browser; false when there is none to open. */
  openAddress(address: string): Promise<boolean>;
  /** Ends the hub and waits until its process is gone; undefined when none ran. */
  stop(): Promise<RunningHub | undefined>;
}

export interface HubRun {
  readonly signal: AbortSignal;
  readonly port: number | undefined;
  readonly onReady: (hub: Hub, running: RunningHub, pageLink: (() => PageLink) | undefined) => Promise<void>;
}

export interface RunningHub {
  readonly pid: number;
  readonly url: string;
  readonly socket: string;
  /** Where the token of its API is. */
  readonly tokenFile?: string;
  /** The switch for everything is on. */
  readonly readOnly?: boolean;
  /** Where the key of its vault is. */
  readonly vault?: HubStatus['vault'];
}

/**
 * Connects, does the work, and lets go of the hub again. Work that fails because the vault is locked
 * has done nothing yet that needs it: whoever sits at a terminal is asked once, and it begins anew.
 */
export async function withHub(session: Session, work: (hub: Hub) => Promise<ExitCode>): Promise<ExitCode> {
  const { hubs, signal, out } = session;
  await using hub = await hubs.connect(signal, (work) => out.working('Starting the hub', work));
  try {
    return await work(hub);
  } catch (error) {
    if (!session.terminal.interactive || session.out.json) throw error;
    const { isLockedVault } = await import('../vault/locked.ts');
    if (!isLockedVault(toPlugError(error))) throw error;
    const { unlockIfLocked } = await import('./commands/secrets-key.ts');
    session.out.note(WARNING, 'This needs the vault, which is locked.');
    await unlockIfLocked(hub, session);
    return await work(hub);
  }
}

/** Of one server, or of all. */
export interface OfServer {
  readonly server?: string;
}

/** Lists what there is of one server, which must be there, or of all. */
export async function listOf<T>(hub: Hub, { server }: OfServer, work: () => Promise<T>): Promise<T> {
  return await withServerName(hub, server, async () => {
    if (server !== undefined) await hub.servers.get({ id: server });
    return await work();
  });
}

/** Does something to a server by its name; a mistyped name is answered with the nearest ones. */
export async function withServerName<T>(
  hub: Hub,
  name: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failure = toPlugError(error);
    if (failure.code !== 'not_found' || name === undefined || name === '') throw error;
    const { servers } = await hub.servers.list();
    if (servers.some((server) => server.id === name)) throw error;
    throw unknownServer(
      name,
      servers.map((server) => server.id),
    );
  }
}

/** The same for a profile. */
export async function withProfileName<T>(
  hub: Hub,
  name: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (name === undefined || toPlugError(error).code !== 'not_found') throw error;
    const known = (await hub.profiles.list()).map((profile) => profile.name);
    if (known.includes(name)) throw error;
    throw unknownProfile(name, known);
  }
}

export function unknownServer(name: string, known: readonly string[]): PlugError {
  return unknownWord(`There is no server “${name}”.`, {
    word: name,
    known,
    remedy:
      known.length > 0 ? { do: 'show', what: 'servers' } : { do: 'type', line: 'plug add NAME -- COMMAND' },
  });
}

export function unknownProfile(name: string, known: readonly string[]): PlugError {
  const remedy = { do: 'show', what: 'profiles' } as const;
  return unknownWord(`There is no profile “${name}”.`, { word: name, known, remedy });
}

/** A yes from the person. Without a terminal the typed command itself is the yes. */
export async function confirm(session: Session, question: string, yes = false): Promise<boolean> {
  if (yes || !session.terminal.interactive) return true;
  return await askYesNo(session, question, 'no');
}

/** The same, where there is nothing to do without a yes; `refused` says what a no leaves as it is. */
export async function mustConfirm(
  session: Session,
  question: string,
  { yes, refused }: { readonly yes: boolean | undefined; readonly refused: string },
): Promise<void> {
  if (!(await confirm(session, question, yes))) throw cancelled(refused);
}

/** Asks on a terminal; Enter alone means the preset. */
export async function askYesNo(session: Session, question: string, preset: 'yes' | 'no'): Promise<boolean> {
  const choices = preset === 'yes' ? '[Y/n]' : '[y/N]';
  const answer = (await session.terminal.ask(`${question} ${choices} `, session.signal)).trim();
  return answer === '' ? preset === 'yes' : /^y(es)?$/i.test(answer);
}
