import { toPlugError, type PlugError } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { Remedy } from '../base/remedy.ts';
import type { PageLink } from '../api/listener-operations.ts';
import type { Hub, HubStatus, ServerView } from '../hub/hub.ts';
import type { ExitCode } from './exit-codes.ts';
import { WARNING, type Output } from './output.ts';
import { cancelled, unknownWord } from './failures.ts';
import type { Terminal } from './terminal.ts';

export interface Session {
  readonly out: Output;
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hubs: HubControl;
}

export interface HubSession extends Session {
  readonly hub: Hub;
}

export interface HubControl {
  /** A hub to work on; starts one when none runs, which `whileStarting` may tell. */
  connect(signal: AbortSignal, whileStarting?: <T>(work: () => Promise<T>) => Promise<T>): Promise<Hub>;
  /** The hub that runs, to work on, if it is of this version. Never starts one. */
  running(): Promise<Hub | undefined>;
  start(signal: AbortSignal): Promise<RunningHub & { readonly started: boolean }>;
  /** Runs one in this process until the signal aborts or it is told to stop. */
  run(options: HubRun): Promise<void>;
  /** Runs one for a team in this process, until the signal aborts. */
  runTeam(options: TeamRun): Promise<void>;
  find(): Promise<RunningHub | undefined>;
  /** A link that opens the page once, at a hub that is started when none runs. */
  pageLink(signal: AbortSignal): Promise<PageLink>;
  openPage(signal: AbortSignal): Promise<PageLink & { readonly opened: boolean }>;
  /** Opens an address in the user's browser; false when there is none to open. */
  openAddress(address: string): Promise<boolean>;
  stop(): Promise<RunningHub | undefined>;
}

export interface HubRun {
  readonly signal: AbortSignal;
  readonly port: number | undefined;
  readonly onReady: (hub: Hub, running: RunningHub, pageLink: (() => PageLink) | undefined) => Promise<void>;
}

export interface TeamRun {
  readonly signal: AbortSignal;
  readonly port: number | undefined;
  readonly database: string | undefined;
  readonly url: string | undefined;
  readonly behindProxy: boolean;
  readonly onReady: (team: { readonly url: string; readonly setUpLink: string | undefined }) => void;
}

export interface RunningHub {
  readonly pid: number;
  readonly url: string;
  readonly socket: string;
  readonly tokenFile?: string;
  readonly readOnly?: boolean;
  readonly vault?: HubStatus['vault'];
}

/** Work that fails on a locked vault has done nothing yet: the person unlocks it, and the work reruns. */
export async function withHub(
  session: Session,
  work: (session: HubSession) => Promise<ExitCode | void>,
): Promise<ExitCode | void> {
  const { hubs, signal, out } = session;
  await using hub = await hubs.connect(signal, (work) => out.working('Starting the hub', work));
  const onHub = { ...session, hub };
  try {
    return await work(onHub);
  } catch (error) {
    if (!session.terminal.interactive || out.json) throw error;
    const { isLockedVault } = await import('../vault/locked.ts');
    if (!isLockedVault(toPlugError(error))) throw error;
    const { unlockIfLocked } = await import('./commands/secrets.ts');
    out.note(WARNING, 'This needs the vault, which is locked.');
    await unlockIfLocked(onHub);
    return await work(onHub);
  }
}

export type OfServer = Texts<'server'>;

export type Flags<Name extends string> = { readonly [Key in Name]?: boolean };
export type Texts<Name extends string> = { readonly [Key in Name]?: string };

export interface Named {
  readonly name: string;
}
export interface Names {
  readonly names: readonly string[];
}

export async function listOf<T>(hub: Hub, { server }: OfServer, work: () => Promise<T>): Promise<T> {
  return await withServerName(hub, server, async () => {
    if (server !== undefined) await hub.servers.get({ id: server });
    return await work();
  });
}

/** Does something to a server by its name; a mistyped name is answered with the nearest ones. */
export async function withServerName<T>(hub: Hub, name = '', work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (toPlugError(error).code !== 'not_found' || name === '') throw error;
    await serversWith(hub, [name]);
    throw error;
  }
}

/** Every server, once those named are known to be there. */
export async function serversWith(hub: Hub, names: readonly string[]): Promise<readonly ServerView[]> {
  const { servers } = await hub.servers.list();
  const missing = names.find((name) => !servers.some(({ id }) => id === name));
  if (missing !== undefined) throw unknownServer(missing, servers);
  return servers;
}

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

export function unknownServer(word: string, servers: readonly Pick<ServerView, 'id'>[]): PlugError {
  const known = servers.map(({ id }) => id);
  const remedy: Remedy =
    known.length > 0 ? { do: 'show', what: 'servers' } : { do: 'type', line: 'plug add NAME -- COMMAND' };
  return unknownWord(`There is no server “${word}”.`, { word, known, remedy });
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

export async function askYesNo(session: Session, question: string, preset: 'yes' | 'no'): Promise<boolean> {
  const choices = preset === 'yes' ? '[Y/n]' : '[y/N]';
  const answer = (await session.terminal.ask(`${question} ${choices} `, session.signal)).trim();
  return answer === '' ? preset === 'yes' : /^y(es)?$/i.test(answer);
}
