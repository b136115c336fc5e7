import { join } from 'node:path';
import { PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { isObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import { JsonFile } from './json-file.ts';
import type { SettingsChange } from './hub.ts';
import type { Core } from './core.ts';
import { isRemoteOnly } from '../base/remote-only.ts';
import type { Retention, Settings } from './maintenance.ts';
import type { Implementations } from './operations/table.ts';

export class SettingsFile {
  readonly #file: JsonFile;
  readonly #limits: Limits;
  #retention: Retention;
  /** Fail closed: only reads run when the file can't be read. */
  #readOnly = true;
  readonly #onReadOnly = new Set<(on: boolean) => void>();

  private constructor(file: JsonFile, limits: Limits) {
    this.#file = file;
    this.#limits = limits;
    this.#retention = defaultsOf(limits);
  }

  /** A file that cannot be read keeps no hub from starting: `read` says what is wrong with it. */
  static async open(options: {
    readonly folder: string;
    readonly ids: Ids;
    readonly limits: Limits;
    readonly onProblem: (problem: unknown) => void;
  }): Promise<SettingsFile> {
    const { ids, limits, onProblem } = options;
    const file = new JsonFile(join(options.folder, 'settings.json'), { what: 'settings', ids });
    const settings = new SettingsFile(file, limits);
    await settings.read().catch(onProblem);
    return settings;
  }

  get retention(): Retention {
    return this.#retention;
  }

  get readOnly(): boolean {
    return this.#readOnly;
  }

  onReadOnly(listener: (on: boolean) => void): void {
    this.#onReadOnly.add(listener);
  }

  get callKeepMs(): number {
    return this.#retention.callDays * DAY_MS;
  }

  get resultKeepMs(): number {
    return this.#retention.resultDays * DAY_MS;
  }

  async read(): Promise<Retention> {
    const content = await this.#file.read();
    this.#switch(this.#readOnlyIn(content));
    this.#retention = this.#retentionIn(content);
    return this.#retention;
  }

  /** Kept before it is said to hold. */
  async setReadOnly(on: boolean): Promise<void> {
    await this.#file.change((before) => ({ ...before, readOnly: on }));
    this.#switch(on);
  }

  /** What else stands in the file stays. */
  async change({ retention = {} }: SettingsChange): Promise<Retention> {
    const given = Object.entries(retention).filter(([, value]) => value !== undefined);
    for (const [name, value] of given) this.#checkDays(name, value);
    const changed = await this.#file.change((before) => {
      const known = isObject(before['retention']) ? before['retention'] : {};
      return { ...before, retention: { ...known, ...Object.fromEntries(given) } };
    });
    this.#retention = this.#retentionIn(changed);
    return this.#retention;
  }

  #switch(on: boolean): void {
    if (on === this.#readOnly) return;
    this.#readOnly = on;
    for (const tell of this.#onReadOnly) tell(on);
  }

  #readOnlyIn({ readOnly = false }: Readonly<Record<string, unknown>>): boolean {
    if (typeof readOnly === 'boolean') return readOnly;
    throw this.#file.bad('“readOnly” is neither true nor false');
  }

  #retentionIn({ retention = {} }: Readonly<Record<string, unknown>>): Retention {
    if (!isObject(retention)) throw this.#file.bad('“retention” is not an object');
    const { callDays, resultDays } = { ...defaultsOf(this.#limits), ...retention };
    return {
      callDays: this.#checkDays('callDays', callDays),
      resultDays: this.#checkDays('resultDays', resultDays),
    };
  }

  #checkDays(name: string, value: unknown): number {
    if (typeof value === 'number' && value > 0 && value <= DAYS_MAX) return value;
    const remedy = `Write a number from 1 to ${DAYS_MAX}.`;
    const why = `“${name}” in ${this.#file.path} is not a number of days.`;
    throw new PlugError('bad_config', why, { owner: 'you', remedy });
  }
}

const DAY_MS = 24 * 60 * 60_000;
const DAYS_MAX = 3_650;

function defaultsOf(limits: Limits): Retention {
  return { callDays: limits.auditKeepMs / DAY_MS, resultDays: limits.resultKeepMs / DAY_MS };
}

export function settingsOf(core: Core): Implementations['settings'] {
  const { settings, decisions, tasks } = core;
  const shown = (retention: Retention): Settings => ({
    retention,
    readOnly: settings.readOnly,
    remoteOnly: isRemoteOnly(core.options.env),
  });
  return {
    get: async () => shown(await settings.read()),
    change: async ({ readOnly, ...change }) => {
      if (readOnly !== undefined) await settings.setReadOnly(readOnly);
      if (change.retention === undefined) return shown(settings.retention);
      const retention = await settings.change(change);
      // Records that are now too old need not wait for the next round.
      tasks.run('remove what is kept no longer', async () => {
        await decisions.audit.prune();
        await decisions.results.prune();
      });
      return shown(retention);
    },
  };
}
