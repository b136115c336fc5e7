import { join } from 'node:path';
import type { Cancel } from '../../base/clock.ts';
import { ignore, messageOf, PlugError, toPlugError } from '../../base/errors.ts';
import { limits as defaultLimits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { Secret } from '../../base/secret.ts';
import { TaskGroup } from '../../base/tasks.ts';
import type { Storage } from '../../storage/open.ts';
import { SealedVault } from '../../vault/sealed-vault.ts';
import { teamLimits } from '../limits.ts';
import { ownerOf, TEAM_OWNER } from '../owners.ts';
import type { People, Person } from '../people.ts';
import { csvHead, exportedLine } from './lines.ts';
import { canReach, checkDestination, placeFor, type PlacesOptions } from './places.ts';
import { EVERY_MS, withoutSecret, type Bucket, type Destination, type GivenExport } from './settings.ts';
import { ExportRow, type ExportState, type PendingFile, type Range } from './state.ts';

export interface ExporterOptions extends Omit<PlacesOptions, 'signal'> {
  readonly people: Pick<People, 'rows' | 'list' | 'former' | 'find'>;
  readonly storage: Pick<Storage, 'audit' | 'vault'>;
  /** This process, among those of the team. */
  readonly replica: string;
  readonly folder: string;
  readonly logger: Logger;
}

/** What admins and auditors see of it. */
export interface ShownExport extends Pick<ExportState, 'last' | 'failure'> {
  readonly settings?: ExportState['settings'];
  readonly by?: { readonly name: string; readonly email: string };
  readonly withArguments: boolean;
  /** Absent while nothing is due. */
  readonly dueAt?: number;
}

/** Whose vault has the key of the bucket: nobody's servers can use it. */
const VAULT_OWNER = 'audit-export';
const SECRET_NAME = 'secret-access-key';

/**
 * Writes all records into files, each record into one. Which records a file has is kept before it is written,
 * and that they are written is kept afterwards: whoever goes on after a failure writes the same file again.
 */
export class Exporter implements AsyncDisposable {
  readonly #options: ExporterOptions;
  readonly #row: ExportRow;
  readonly #tasks: TaskGroup;
  readonly #stopPolling: Cancel;
  #running: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(options: ExporterOptions) {
    this.#options = options;
    this.#row = new ExportRow(options.people);
    this.#tasks = new TaskGroup(options.logger);
    this.#stopPolling = options.clock.every(teamLimits.exportPollMs, () =>
      ignore(this.#runIfDue(), 'it is logged, and tried again at the next turn'),
    );
  }

  async show(): Promise<ShownExport> {
    const { settings, by, dueAt, last, failure } = await this.#row.read();
    const person = by && (await this.#options.people.find(by.id));
    return {
      ...(settings ? { settings, dueAt } : {}),
      ...(person ? { by: { name: person.name, email: person.email } } : {}),
      withArguments: by?.asAuditor ?? false,
      ...(last ? { last } : {}),
      ...(failure ? { failure } : {}),
    };
  }

  /** Goes on where the last one ended. What an admin sets exports no arguments: those are for auditors. */
  async set(person: Person, given: GivenExport): Promise<ShownExport> {
    const { settings, secretAccessKey } = withoutSecret(given);
    checkDestination(settings.to, this.#options.env);
    const before = await this.#row.read();
    const isSame = sameBucket(before.settings?.to, settings.to);
    if (settings.to.kind === 's3' && secretAccessKey === undefined && !isSame) throw secretWanted();
    if (secretAccessKey !== undefined)
      await this.#vault().set(VAULT_OWNER, SECRET_NAME, new Secret(secretAccessKey));
    const by = { id: person.id, asAuditor: person.role === 'auditor' };
    await this.#row.change(({ pending, failure: _old, ...kept }) => ({
      ...kept,
      // A file that is on its way to the same place counts; at another one its records begin anew.
      ...(pending && samePlace(pending.to, settings.to) ? { pending: { ...pending, to: settings.to } } : {}),
      settings,
      by,
      dueAt: this.#options.clock.now(),
    }));
    this.#tasks.run('export', () => this.#runIfDue());
    return await this.show();
  }

  /** What comes later begins with the first record that is kept. */
  async remove(): Promise<void> {
    await this.#row.change(() => ({ through: {}, dueAt: 0 }));
    await this.#vault().delete(VAULT_OWNER, SECRET_NAME);
  }

  /** Waits for its end, whichever replica is at it. */
  async runNow(): Promise<ShownExport> {
    const { clock } = this.#options;
    const due = await this.#row.change((state) => state.settings && { ...state, dueAt: clock.now() });
    if (!due) throw notSet();
    const deadline = clock.monotonic() + teamLimits.exportWaitMs;
    for (;;) {
      await this.#runIfDue();
      const { claim, dueAt } = await this.#row.read();
      const isOver = dueAt > clock.now() || (claim === undefined && dueAt === 0);
      if (isOver || clock.monotonic() > deadline) return await this.show();
      await clock.sleep(teamLimits.exportWaitPollMs);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('the hub was asked to stop'));
    this.#stopPolling();
    await this.#running;
    await this.#tasks.close();
  }

  #runIfDue(): Promise<void> {
    this.#running ??= this.#runOnce()
      .catch((error: unknown) =>
        this.#options.logger.warn('the records were not exported', { error: messageOf(error) }),
      )
      .finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #runOnce(): Promise<void> {
    const { clock, replica, env } = this.#options;
    if (this.#closing.signal.aborted) return;
    const claimed = await this.#row.change((state) => {
      const { settings, claim, dueAt } = state;
      const isTaken = claim !== undefined && claim.replica !== replica && claim.until > clock.now();
      if (!settings || dueAt > clock.now() || isTaken || !canReach(settings.to, env)) return undefined;
      return { ...state, claim: this.#claim() };
    });
    if (!claimed) return;
    try {
      while (!this.#closing.signal.aborted && (await this.#oneFile()));
      await this.#release(({ failure: _mended, ...state }) => ({
        ...state,
        // Somebody may have wanted another one meanwhile.
        dueAt: state.dueAt === claimed.dueAt ? this.#nextAt(state) : state.dueAt,
      }));
    } catch (error) {
      // Another process writes the file that this one has not.
      if (this.#closing.signal.aborted) return await this.#release((state) => state);
      const failure = { at: clock.now(), error: toPlugError(error).toView() };
      const soon = clock.now() + teamLimits.exportRetryMs;
      await this.#release((state) => ({ ...state, failure, dueAt: Math.min(soon, this.#nextAt(state)) }));
      this.#options.logger.warn('the records were not exported', { error: messageOf(error) });
    }
  }

  /** False when nothing is left to write. */
  async #oneFile(): Promise<boolean> {
    const before = await this.#row.read();
    const { settings } = before;
    if (!settings || before.claim?.replica !== this.#options.replica) return false;
    await this.#checkSetter(before);
    const known = before.pending;
    const planned = known ? undefined : await this.#plan(before);
    const pending = known ?? planned?.pending;
    if (!pending) return false;
    if (planned) {
      const kept = await this.#row.change((state) => {
        const isStill = state.claim?.replica === this.#options.replica && sameWork(state, before);
        return isStill ? { ...state, pending, claim: this.#claim() } : undefined;
      });
      if (!kept) return false;
    }
    const { signal } = this.#closing;
    const place = placeFor(pending.to, await this.#secret(), { ...this.#options, signal });
    // One that was begun before may be there already, and only the word of it was lost.
    if (planned) await place.write(pending.name, planned.text);
    else if (!(await place.has(pending.name))) await place.write(pending.name, await this.#textOf(pending));
    const last = { at: this.#options.clock.now(), name: pending.name, records: pending.records };
    const done = await this.#row.change(({ pending: current, ...state }) => {
      if (current?.name !== pending.name) return undefined;
      const through = Object.fromEntries(pending.ranges.map(({ owner, through: to }) => [owner, to]));
      return { ...state, through: { ...state.through, ...through }, last };
    });
    return done !== undefined;
  }

  /** The next file, as long as it may be; undefined when there are no new records. */
  async #plan({
    settings,
    through,
    by,
  }: ExportState): Promise<{ pending: PendingFile; text: string } | undefined> {
    if (!settings) return undefined;
    const { format, to } = settings;
    const withArguments = by?.asAuditor ?? false;
    const lines: string[] = [];
    const ranges: Range[] = [];
    let chars = 0;
    for (const { owner, person } of await this.#owners()) {
      const after = through[owner] ?? 0;
      let last = after;
      for (let isMore = true; isMore && lines.length < LINES_MAX && chars < CHARS_MAX;) {
        const page = await this.#options.storage.audit.chainedRecords(owner, { after: last, limit: PAGE });
        for (const { seq, text } of page) {
          const line = exportedLine(person, text, { format, withArguments });
          lines.push(line);
          chars += line.length;
          last = seq;
        }
        isMore = page.length === PAGE;
      }
      if (last > after) ranges.push({ owner, person, after, through: last });
      if (lines.length >= LINES_MAX || chars >= CHARS_MAX) break;
    }
    if (lines.length === 0) return undefined;
    const { clock, ids } = this.#options;
    const at = new Date(clock.now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
    const name = `plugboard-audit-${at}-${ids.next('export').slice(-8)}.${format}`;
    const pending = { name, to, format, withArguments, records: lines.length, ranges };
    return { pending, text: whole(pending, lines) };
  }

  /** As it was planned: records never change. */
  async #textOf(pending: PendingFile): Promise<string> {
    const lines: string[] = [];
    for (const { owner, person, after, through } of pending.ranges) {
      for (let last = after; last < through;) {
        const page = await this.#options.storage.audit.chainedRecords(owner, { after: last, limit: PAGE });
        for (const { seq, text } of page) if (seq <= through) lines.push(exportedLine(person, text, pending));
        last = page.at(-1)?.seq ?? through;
      }
    }
    return whole(pending, lines);
  }

  /** Also those who have left: what they did stays on record. */
  async #owners(): Promise<readonly { readonly owner: string; readonly person: string }[]> {
    const { people } = this.#options;
    return await recordOwners(people);
  }

  /** What somebody set holds while they may still set it: else a removed person would go on reading. */
  async #checkSetter({ by }: ExportState): Promise<void> {
    const person = by && (await this.#options.people.find(by.id));
    const isAuditor = person?.role === 'auditor';
    const mayStill = by?.asAuditor ? isAuditor : person?.role === 'admin' || person?.role === 'owner';
    if (person?.active && (mayStill || isAuditor)) return;
    const message = 'The export stopped: the person who set it is no longer an admin or auditor.';
    const remedy = 'Check where the records go, then save the export again. It continues where it stopped.';
    throw new PlugError('denied', message, { owner: 'you', remedy });
  }

  async #release(change: (state: ExportState) => ExportState): Promise<void> {
    const { replica } = this.#options;
    await this.#row.change((state) => {
      if (state.claim?.replica !== replica) return undefined;
      const { claim: _done, ...rest } = change(state);
      return rest;
    });
  }

  #claim(): { readonly replica: string; readonly until: number } {
    const { clock, replica } = this.#options;
    return { replica, until: clock.now() + teamLimits.exportClaimMs };
  }

  #nextAt({ settings }: ExportState): number {
    return this.#options.clock.now() + (settings ? EVERY_MS[settings.every] : 0);
  }

  async #secret(): Promise<string | undefined> {
    return (await this.#vault().get(VAULT_OWNER, SECRET_NAME))?.reveal();
  }

  #vault(): SealedVault {
    const { storage, env, folder, clock, ids } = this.#options;
    const limits = defaultLimits;
    const sources = { keyring: undefined, env, folder: join(folder, 'vault'), clock, ids, limits };
    return new SealedVault({ store: storage.vault, owner: VAULT_OWNER, sources, tasks: this.#tasks });
  }
}

const PAGE = 500;
/** One file is in memory while it is written. */
const LINES_MAX = 20_000;
const CHARS_MAX = 16 * 1_024 * 1_024;

/** Whose records there are, and what they are called in a file. */
export async function recordOwners(
  people: Pick<People, 'list' | 'former'>,
): Promise<readonly { readonly owner: string; readonly person: string }[]> {
  const [list, former] = await Promise.all([people.list(), people.former()]);
  const persons = [...list, ...former].map(({ id, email }) => ({ owner: ownerOf({ id }), person: email }));
  return [...persons, { owner: TEAM_OWNER, person: 'team' }];
}

function whole({ format, withArguments }: PendingFile, lines: readonly string[]): string {
  return (format === 'csv' ? csvHead({ withArguments }) : '') + lines.join('');
}

/** Nothing that the file rests on was changed while it was planned. */
function sameWork(now: ExportState, before: ExportState): boolean {
  const parts = ({ settings, by, through, pending }: ExportState): string =>
    JSON.stringify([settings, by, through, pending]);
  return parts(now) === parts(before);
}

/** A key is for the bucket that it was given for. */
function sameBucket(before: Destination | undefined, now: Destination): boolean {
  if (before?.kind !== 's3' || now.kind !== 's3') return false;
  const { address, bucket, accessKeyId } = before;
  return address === now.address && bucket === now.bucket && accessKeyId === now.accessKeyId;
}

function samePlace(before: Destination, now: Destination): boolean {
  if (before.kind === 'folder' || now.kind === 'folder') return before.kind === now.kind;
  const of = ({ address, bucket, prefix }: Bucket): string => JSON.stringify([address, bucket, prefix]);
  return of(before) === of(now);
}

function secretWanted(): PlugError {
  return new PlugError('usage', 'Give the secret access key of this bucket.', { owner: 'you' });
}

function notSet(): PlugError {
  return new PlugError('not_found', 'No scheduled export is set.', { owner: 'you' });
}
