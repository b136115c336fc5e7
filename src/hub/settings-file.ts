import { join } from 'node:path';
import { PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { isObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import { JsonFile } from './json-file.ts';
import type { Retention, SettingsChange } from './settings.ts';

/** Written by us when somebody changes a setting, and by hand as well: `settings.json` beside mcp.json. */
export class SettingsFile {
  readonly #file: JsonFile;
  readonly #limits: Limits;
  #retention: Retention;

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
    const path = join(options.folder, 'settings.json');
    const settings = new SettingsFile(
      new JsonFile(path, { what: 'settings', ids: options.ids }),
      options.limits,
    );
    await settings.read().catch((error: unknown) => options.onProblem(error));
    return settings;
  }

  /** As last read or changed. */
  get retention(): Retention {
    return this.#retention;
  }

  get callKeepMs(): number {
    return this.#retention.callDays * DAY_MS;
  }

  get resultKeepMs(): number {
    return this.#retention.resultDays * DAY_MS;
  }

  async read(): Promise<Retention> {
    this.#retention = this.#retentionIn(await this.#file.read());
    return this.#retention;
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

  #retentionIn(settings: Readonly<Record<string, unknown>>): Retention {
    const { retention = {} } = settings;
    if (!isObject(retention)) throw this.#file.bad('“retention” is not an object');
    const { callDays, resultDays } = { ...defaultsOf(this.#limits), ...retention };
    return {
      callDays: this.#checkDays('callDays', callDays),
      resultDays: this.#checkDays('resultDays', resultDays),
    };
  }

  #checkDays(name: string, value: unknown): number {
    if (typeof value === 'number' && value > 0 && value <= DAYS_MAX) return value;
    throw new PlugError('bad_config', `“${name}” in ${this.#file.path} is not a number of days.`, {
      owner: 'you',
      next: `Write a number from 1 to ${DAYS_MAX}.`,
    });
  }
}

const DAY_MS = 24 * 60 * 60_000;
const DAYS_MAX = 3_650;

function defaultsOf(limits: Limits): Retention {
  return { callDays: limits.auditKeepMs / DAY_MS, resultDays: limits.resultKeepMs / DAY_MS };
}
