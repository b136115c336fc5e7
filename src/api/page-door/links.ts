import { timingSafeEqual } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cancel, Clock } from '../../base/clock.ts';
import { sha256 } from '../../base/digest.ts';
import { ignore } from '../../base/errors.ts';
import { secretBytes, type Ids } from '../../base/ids.ts';
import { createPrivateFile, isOurs } from '../../base/private-files.ts';
import type { PageLink } from '../listener-operations.ts';
import { doorLimits } from './limits.ts';

/** Links that open the page once. The token is in the fragment, which browsers send to no server. */
export class PageLinks {
  readonly #clock: Clock;
  #links: readonly Link[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  linkTo(url: string, onUsed?: () => void): PageLink {
    const token = secretBytes(32).toString('base64url');
    const digest = sha256(token);
    // Setting the machine's clock back must not extend it.
    const endsAt = this.#clock.monotonic() + doorLimits.linkMs;
    this.#links = [...this.#alive(), { digest, endsAt, onUsed }].slice(-doorLimits.linksMax);
    return { url: `${url}/#open=${token}`, expiresAt: this.#clock.now() + doorLimits.linkMs };
  }

  has(token: string): boolean {
    return this.#find(token) !== undefined;
  }

  /** Uses the token up. */
  take(token: string): boolean {
    const taken = this.#find(token);
    if (!taken) return false;
    this.#links = this.#links.filter((link) => link !== taken);
    taken.onUsed?.();
    return true;
  }

  #find(token: string): Link | undefined {
    const given = sha256(token);
    // In constant time: every link is compared, whichever matches.
    let found: Link | undefined;
    for (const link of this.#alive()) if (timingSafeEqual(link.digest, given)) found = link;
    return found;
  }

  #alive(): readonly Link[] {
    const now = this.#clock.monotonic();
    return this.#links.filter(({ endsAt }) => endsAt > now);
  }
}

interface Link {
  readonly digest: Buffer;
  readonly endsAt: number;
  readonly onUsed: (() => void) | undefined;
}

export interface LinkFilesOptions {
  /** A folder that the user's browser can read. */
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Every user can read a browser's arguments, but only the owner these files. They go with their link. */
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
    // Noted before it is there, so that close() removes it.
    const cancel = clock.after(doorLimits.linkMs, () => this.remove(file));
    this.#open.set(file, cancel);
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

  /** Removes files of a killed hub. Another hub of this user may have fresh ones in the folder. */
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

/** The link needs no escaping in HTML. */
function pageTo(url: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${url}">
<title>Plugboard</title>
<a href="${url}">Open Plugboard</a>
`;
}
