import { hash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { secretBytes, type Ids } from '../../base/ids.ts';
import { isObject } from '../../base/json.ts';
import { readPrivateFile, writePrivateFile } from '../../base/private-files.ts';
import { doorLimits } from './limits.ts';

/** A browser sends the cookie to every port of this address, but keeps the key for our origin and port. */
export interface Halves {
  readonly cookie: string;
  readonly key: string;
}

/** A stored session: SHA-256 of both halves, in hexadecimal. */
interface KeptSession extends Halves {
  /** A session is valid only where it was opened: another port is another origin. */
  readonly port: number;
  readonly openedAt: number;
}

export interface SessionsOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The browsers that have come in. Only digests are kept, in a private file. */
export class PageSessions {
  readonly #options: SessionsOptions;
  #kept: readonly KeptSession[];
  #saved: Promise<void> = Promise.resolve();

  private constructor(options: SessionsOptions, kept: readonly KeptSession[]) {
    this.#options = options;
    this.#kept = kept;
  }

  static async open(options: SessionsOptions): Promise<PageSessions> {
    const text = await readPrivateFile(options.file);
    return new PageSessions(options, text === undefined ? [] : parseSessions(text));
  }

  /** Where the page was opened last: it looks for the hub only there. */
  lastPort(): number | undefined {
    return this.#alive().at(-1)?.port;
  }

  admits(given: Halves, port: number): boolean {
    return this.#find(given, port) !== undefined;
  }

  /** A new session, or the given one renewed, so that other tabs keep working. */
  async begin(given: Halves | undefined, port: number): Promise<Halves> {
    const before = given && this.#find(given, port);
    const halves = before ? given : { cookie: draw(), key: draw() };
    const others = this.#alive().filter((each) => each !== before);
    const openedAt = this.#options.clock.now();
    const session = { cookie: digestOf(halves.cookie), key: digestOf(halves.key), port, openedAt };
    this.#kept = [...others, session].slice(-doorLimits.sessionsMax);
    await this.#save();
    return halves;
  }

  /** Another program listens at that port now, and gets what our page still sends there. */
  async forgetPort(port: number): Promise<void> {
    this.#kept = this.#kept.filter((each) => each.port !== port);
    await this.#save();
  }

  #find({ cookie, key }: Halves, port: number): KeptSession | undefined {
    const [cookieDigest, keyDigest] = [digestOf(cookie), digestOf(key)];
    return this.#alive().find((each) => {
      // Both are always compared, so that the time tells nothing about one half.
      const [first, second] = [isSame(each.cookie, cookieDigest), isSame(each.key, keyDigest)];
      return first && second && each.port === port;
    });
  }

  #alive(): readonly KeptSession[] {
    const now = this.#options.clock.now();
    return this.#kept.filter(({ openedAt }) => now - openedAt < doorLimits.sessionMs);
  }

  /** One after the other; each writes the state at its turn. */
  #save(): Promise<void> {
    const { file, ids } = this.#options;
    const write = (): Promise<void> =>
      writePrivateFile(file, `${JSON.stringify({ sessions: this.#alive() }, undefined, 2)}\n`, ids);
    this.#saved = this.#saved.then(write, write);
    return this.#saved;
  }
}

function draw(): string {
  return secretBytes(32).toString('base64url');
}

function digestOf(text: string): string {
  return hash('sha256', text, 'hex');
}

function isSame(kept: string, given: string): boolean {
  return timingSafeEqual(Buffer.from(kept, 'hex'), Buffer.from(given, 'hex'));
}

/** Unreadable sessions are dropped: their users open the page again. */
function parseSessions(text: string): readonly KeptSession[] {
  try {
    const value: unknown = JSON.parse(text);
    const sessions: unknown = isObject(value) ? value['sessions'] : undefined;
    return Array.isArray(sessions) ? sessions.filter(isSession).slice(-doorLimits.sessionsMax) : [];
  } catch {
    return [];
  }
}

function isSession(value: unknown): value is KeptSession {
  if (!isObject(value)) return false;
  const { cookie, key, port, openedAt } = value;
  return isDigest(cookie) && isDigest(key) && Number.isInteger(port) && typeof openedAt === 'number';
}

function isDigest(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}
