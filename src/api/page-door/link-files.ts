import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cancel, Clock } from '../../base/clock.ts';
import { ignore } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import { createPrivateFile, isOurs } from '../../base/private-files.ts';
import { doorLimits } from './limits.ts';

export interface LinkFilesOptions {
  /** Where the user's browser can read files. */
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Files that take a browser to the page. A browser is started with an address as its argument, and every
 * user of the machine can read arguments; only the owner can read these files. Each goes when its link
 * was used, when the link's time is over, or with the hub.
 */
export class LinkFiles {
  readonly #options: LinkFilesOptions;
  readonly #open = new Map<string, Cancel>();

  constructor(options: LinkFilesOptions) {
    this.#options = options;
  }

  async write(url: string): Promise<string> {
    const { folder, clock, ids } = this.#options;
    ignore(this.#sweep(), 'a file that stays leads nowhere any more');
    const file = join(folder, `${ids.next(PREFIX)}${SUFFIX}`);
    // Known before it is there, so that the end of the hub takes it along.
    this.#open.set(
      file,
      clock.after(doorLimits.linkMs, () => this.remove(file)),
    );
    await createPrivateFile(file, pageTo(url));
    return file;
  }

  remove(file: string): void {
    ignore(this.#delete(file), 'its link is worth nothing any more');
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#open.keys()].map((file) => this.#delete(file)));
  }

  async #delete(file: string): Promise<void> {
    this.#open.get(file)?.();
    this.#open.delete(file);
    await rm(file, { force: true });
  }

  /** What a hub left behind that was killed. Another hub of this user may have fresh ones in the folder. */
  async #sweep(): Promise<void> {
    const { folder, clock } = this.#options;
    const names = (await readdir(folder)).filter((name) => name.startsWith(PREFIX) && name.endsWith(SUFFIX));
    for (const name of names) {
      const file = join(folder, name);
      const found = await lstat(file);
      const isOld = clock.now() - found.mtimeMs > doorLimits.linkMs;
      if (isOld && found.isFile() && isOurs(found.uid)) await this.#delete(file);
    }
  }
}

const PREFIX = 'plugboard-open';
const SUFFIX = '.html';

/** The link has nothing in it that HTML would read in another way. */
function pageTo(url: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${url}">
<title>Plugboard</title>
<a href="${url}">Open Plugboard</a>
`;
}
