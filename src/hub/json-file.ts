import { readFile } from 'node:fs/promises';
import { hasCode, messageOf, PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { isObject } from '../base/json.ts';
import { checkOwnPlace } from '../base/own-places.ts';
import { replaceFile } from '../policy/rules/write-file.ts';

type Content = Readonly<Record<string, unknown>>;

/** A small file of one JSON object, written by hand and by us. */
export class JsonFile {
  readonly path: string;
  readonly #options: { readonly what: string; readonly ids: Ids };
  /** One change at a time: each begins with the result of the one before. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(path: string, options: { readonly what: string; readonly ids: Ids }) {
    this.path = path;
    this.#options = options;
  }

  /** `{}` when there is no file. */
  async read(): Promise<Content> {
    checkOwnPlace(this.path);
    let value: unknown;
    try {
      value = JSON.parse(await readFile(this.path, 'utf8'));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return {};
      throw this.bad(messageOf(error));
    }
    if (isObject(value)) return value;
    throw this.bad('it is not a JSON object');
  }

  /** Replaces the file in one step. One that cannot be read is not written over. */
  async change(edit: (before: Content) => Content): Promise<Content> {
    const before = this.#changing;
    const mine = (async (): Promise<Content> => {
      await Promise.allSettled([before]); // whoever came first hears of their own failure
      const changed = edit(await this.read());
      await replaceFile(this.path, `${JSON.stringify(changed, null, 2)}\n`, this.#options.ids);
      return changed;
    })();
    this.#changing = mine;
    return mine;
  }

  bad(why: string): PlugError {
    return new PlugError('bad_config', `The ${this.#options.what} in ${this.path} cannot be read: ${why}.`, {
      owner: 'you',
      remedy: `Correct ${this.path}, or move it away.`,
      details: { where: this.path },
    });
  }
}
