import { readdir, realpath, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PlugError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { readClientText } from '../servers/clients/client-text.ts';
import type { Syntax } from '../servers/clients/documents/document.ts';
import type { FileJournal } from '../servers/clients/file-journal.ts';
import { editText } from './edit.ts';
import type { EntryEdit } from './layout.ts';
import { BACKUP, bytesOf, rewriteFile } from './write-file.ts';

type WriteContext = Parameters<typeof rewriteFile>[2];

interface TakeOutContext extends WriteContext {
  readonly edited: (text: string) => string;
  readonly foldersMadeFor: FileJournal['foldersMadeFor'];
}

/** A file with our entry, and what it is without it. */
export interface Removal {
  readonly before: string;
  readonly after: string;
  readonly how:
    | { readonly kind: 'same' }
    | { readonly kind: 'edit' }
    /** The copies hold the text from before, or that with our entry: they go with it. */
    | { readonly kind: 'remove' | 'restore'; readonly copies: readonly string[] };
}

/**
 * An entry that was put into a file can't always be taken out so that every byte is as before: a list may have
 * been made for it. Where nobody wrote the file since, the copy that was made then tells how it was.
 */
export async function planRemoval(path: string, syntax: Syntax, edit: EntryEdit): Promise<Removal> {
  const read = await readClientText(path);
  if (read.kind === 'unreadable') {
    throw new PlugError('bad_config', `${path} cannot be read: ${read.reason}.`, { owner: 'you' });
  }
  const before = read.kind === 'ok' ? read.text : '';
  let ours: JsonObject | undefined;
  const check = (found: unknown): void => {
    edit.check?.(found);
    if (isObject(found)) ours = found as JsonObject; // a part of a JSON document
  };
  const after = editText(path, syntax, before, { ...edit, check, entry: null });
  if (after === before || ours === undefined) return { before, after, how: { kind: 'same' } };
  const file: EditedFile = { path, syntax, edit };
  const past = pastOf(file, { path, text: before, entry: ours }, await copiesOf(file));
  const copies = past.map((version) => version.path).filter((each) => each !== path);
  const original = past.find(({ entry }) => entry === undefined);
  if (original) return { before, after: original.text, how: { kind: 'restore', copies } };
  // Our connect made the file, and nobody else wrote it since.
  const isMade = past.some(({ text, entry }) => entry && withEntry(file, '', entry) === text);
  if (isMade) return { before, after: '', how: { kind: 'remove', copies } };
  return { before, after, how: { kind: 'edit' } };
}

interface EditedFile {
  readonly path: string;
  readonly syntax: Syntax;
  readonly edit: EntryEdit;
}

/** The file at one time, there or in a copy. */
interface Version {
  readonly path: string;
  readonly text: string;
  readonly entry: JsonObject | undefined;
}

/** The file as it is, and every copy from which our own edits, and nothing else, lead to it. */
function pastOf(file: EditedFile, now: Version, copies: readonly Version[]): readonly Version[] {
  const past = [now];
  for (const later of past) {
    const { entry, text } = later;
    if (entry === undefined) continue;
    for (const copy of copies)
      if (!past.includes(copy) && withEntry(file, copy.text, entry) === text) past.push(copy);
  }
  return past;
}

function withEntry({ path, syntax, edit }: EditedFile, text: string, entry: JsonObject): string | undefined {
  try {
    return editText(path, syntax, text, { ...edit, entry, check: () => undefined });
  } catch {
    return undefined; // a copy that is no config file any more
  }
}

/** Carries it out, unless the file was written since. */
export async function takeOut(
  path: string,
  { before, after, how }: Removal,
  { edited, foldersMadeFor, ...context }: TakeOutContext,
): ReturnType<typeof rewriteFile> {
  if (how.kind === 'same') return { changed: false };
  const now = await readClientText(path);
  if (how.kind === 'edit' || now.kind !== 'ok' || now.text !== before)
    return await rewriteFile(path, edited, context);
  if (how.kind === 'remove') {
    const target = await realpath(path);
    await context.note({ path: target, before: { bytes: bytesOf(now), mode: now.mode }, folders: [] });
    for (const gone of [target, ...how.copies]) await rm(gone, { force: true });
    await removeMade(await foldersMadeFor(target));
    return { changed: true };
  }
  const written = await rewriteFile(path, (text) => (text === before ? after : edited(text)), context);
  const done = await readClientText(path);
  if (done.kind !== 'ok' || done.text !== after) return written;
  for (const copy of [...how.copies, written.backup ?? []].flat()) await rm(copy, { force: true });
  return { changed: true };
}

async function copiesOf(file: EditedFile): Promise<readonly Version[]> {
  // People keep their dotfiles elsewhere: the copies are beside what a link points at.
  const target = await realpath(file.path);
  const folder = dirname(target);
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${basename(target)}${BACKUP}`));
  const copies = names.toSorted().map(async (name): Promise<readonly Version[]> => {
    const path = join(folder, name);
    const read = await readClientText(path);
    return read.kind === 'ok' ? [{ path, text: read.text, entry: entryIn(file, read.text) }] : [];
  });
  return (await Promise.all(copies)).flat();
}

function entryIn({ path, syntax, edit }: EditedFile, text: string): JsonObject | undefined {
  let found: JsonObject | undefined;
  const check = (entry: unknown): void => {
    if (isObject(entry)) found = entry as JsonObject; // a part of a JSON document
  };
  try {
    editText(path, syntax, text, { ...edit, entry: null, check });
  } catch {
    return undefined;
  }
  return found;
}

/** Folders that hold nothing but what was made in them. */
async function removeMade(folders: readonly string[]): Promise<void> {
  for (const folder of folders.toReversed()) {
    try {
      await rmdir(folder);
    } catch {
      return; // there is something else in it
    }
  }
}
