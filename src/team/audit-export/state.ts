import type { ErrorView } from '../../base/errors.ts';
import { PlugError } from '../../base/errors.ts';
import type { People } from '../people.ts';
import type { ExportFormat } from './lines.ts';
import type { Destination, ExportSettings } from './settings.ts';

/** Everything about the scheduled export, as one row: what changes together is written together. */
export interface ExportState {
  readonly settings?: ExportSettings;
  /** Who set it, and whether as an auditor: only then arguments are exported. */
  readonly by?: { readonly id: string; readonly asAuditor: boolean };
  /** By owner, the last record that is in a file. */
  readonly through: Readonly<Record<string, number>>;
  /** A file that is being written. Until it is known to be there, nothing else is. */
  readonly pending?: PendingFile;
  /** When the next file is due, epoch milliseconds. */
  readonly dueAt: number;
  /** The replica that is at work, for as long as it says so. */
  readonly claim?: { readonly replica: string; readonly until: number };
  readonly last?: { readonly at: number; readonly name: string; readonly records: number };
  readonly failure?: { readonly at: number; readonly error: ErrorView };
}

/** Exactly which records are in it: written again, it is the same file. */
export interface PendingFile {
  readonly name: string;
  readonly to: Destination;
  readonly format: ExportFormat;
  readonly withArguments: boolean;
  readonly records: number;
  readonly ranges: readonly Range[];
}

export interface Range {
  readonly owner: string;
  readonly person: string;
  /** Places in the order of the records: without the first, with the last. */
  readonly after: number;
  readonly through: number;
}

const EMPTY: ExportState = { through: {}, dueAt: 0 };
const MODEL = 'auditExport';
const PLACE = { field: 'place', value: 'team' } as const;
const ATTEMPTS_MAX = 20;

interface Row {
  readonly version: number;
  readonly body: string;
}

/** The row of the export. Several replicas change it at once: each change is made on what it has read. */
export class ExportRow {
  readonly #people: Pick<People, 'rows'>;

  constructor(people: Pick<People, 'rows'>) {
    this.#people = people;
  }

  async read(): Promise<ExportState> {
    return stateIn(await this.#row());
  }

  /** Undefined where `change` finds that there is nothing to change. */
  async change(change: (before: ExportState) => ExportState | undefined): Promise<ExportState | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const row = await this.#row();
      const after = change(stateIn(row));
      if (after === undefined) return undefined;
      if (await this.#replace(row, JSON.stringify(after))) return after;
    }
    const message = 'Others changed the scheduled export all the time.';
    throw new PlugError('unavailable', message, { owner: 'plugboard', remedy: { do: 'retry' } });
  }

  async #row(): Promise<Row | undefined> {
    const rows = await this.#people.rows();
    return (await rows.findOne<Row>({ model: MODEL, where: [PLACE] })) ?? undefined;
  }

  async #replace(before: Row | undefined, body: string): Promise<boolean> {
    const rows = await this.#people.rows();
    if (before) {
      const { version } = before;
      const where = [PLACE, { field: 'version', value: version }];
      return (await rows.updateMany({ model: MODEL, where, update: { version: version + 1, body } })) > 0;
    }
    try {
      await rows.create({ model: MODEL, data: { place: PLACE.value, version: 1, body } });
      return true;
    } catch (error) {
      // Another replica was first; what else is wrong shows when it is read.
      if (await this.#row()) return false;
      throw error;
    }
  }
}

function stateIn(row: Row | undefined): ExportState {
  return row ? (JSON.parse(row.body) as ExportState) : EMPTY; // only `change` writes it
}
