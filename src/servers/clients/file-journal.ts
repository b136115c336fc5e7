import type { KeyPath, Syntax } from './documents/document.ts';

/** Where our entry stands in a client's file. */
export interface EntryPlace {
  readonly syntax: Syntax;
  readonly container: KeyPath;
  readonly list: boolean;
  readonly key: string;
}

/** All that is needed to undo the writing of a file. */
export interface WrittenFile {
  readonly client: string;
  /** Links are followed: the file that is written. */
  readonly path: string;
  /** Absent: there was no file. */
  readonly before?: { readonly bytes: Buffer; readonly mode: number };
  /** Folders that are made for it, outermost first. */
  readonly folders: readonly string[];
  /** Absent: the file goes. */
  readonly after?: Buffer;
  /** The copy beside it. */
  readonly backup?: string;
  readonly entry: EntryPlace;
}

/** Told before a client's file is written; what it could not note is not written. */
export interface FileJournal {
  readonly note: (file: WrittenFile) => Promise<void>;
  /** The folders that were made with this file, outermost first; every other was there before. */
  readonly foldersMadeFor: (path: string) => Promise<readonly string[]>;
}
