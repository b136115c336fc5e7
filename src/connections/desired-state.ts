import { ignore } from '../base/errors.ts';
import type { Session } from './session.ts';

/** Subscriptions and log level that hosts asked for. They outlive a session. */
export class DesiredState {
  #uris = new Set<string>();
  #logLevel: string | undefined;

  get hasSubscriptions(): boolean {
    return this.#uris.size > 0;
  }

  subscribe(uri: string): void {
    this.#uris.add(uri);
  }

  /** False when it was not subscribed to. */
  unsubscribe(uri: string): boolean {
    return this.#uris.delete(uri);
  }

  setLogLevel(level: string): void {
    this.#logLevel = level;
  }

  clearSubscriptions(): void {
    this.#uris.clear();
  }

  applyTo(session: Session, timeoutMs: number): void {
    for (const uri of this.#uris) {
      ignore(session.subscribe(uri, timeoutMs), 'a server that cannot subscribe any more has no updates');
    }
    if (this.#logLevel) ignore(session.setLogLevel(this.#logLevel, timeoutMs), 'logging is a courtesy');
  }
}
