import { ignore } from '../base/errors.ts';
import type { Session } from './session.ts';

/** What hosts asked of a session for good: it belongs to the connection, and outlives the session. */
export class Wishes {
  #uris = new Set<string>();
  #logLevel: string | undefined;

  get any(): boolean {
    return this.#uris.size > 0;
  }

  subscribed(uri: string): void {
    this.#uris.add(uri);
  }

  unsubscribed(uri: string): boolean {
    return this.#uris.delete(uri);
  }

  logs(level: string): void {
    this.#logLevel = level;
  }

  /** Whoever stops a server ends its subscriptions, too. */
  clear(): void {
    this.#uris.clear();
  }

  /** A new session knows nothing of what the old one was told. */
  tell(session: Session, timeoutMs: number): void {
    for (const uri of this.#uris) {
      ignore(session.subscribe(uri, timeoutMs), 'a server that cannot subscribe any more has no updates');
    }
    if (this.#logLevel) ignore(session.setLogLevel(this.#logLevel, timeoutMs), 'logging is a courtesy');
  }
}
