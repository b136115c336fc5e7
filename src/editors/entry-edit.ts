import type { JsonObject } from '../base/json.ts';
import type { KeyPath } from '../servers/clients/documents/document.ts';

export interface EntryEdit {
  readonly container: KeyPath;
  /** Entries of a list carry their name themselves. */
  readonly list: boolean;
  readonly key: string;
  readonly entry: JsonObject | null;
  /** Looks at what stands there now, and throws when it must stay. */
  readonly check?: (found: unknown) => void;
}
