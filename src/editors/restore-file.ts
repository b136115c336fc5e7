import { hash } from 'node:crypto';
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { defined } from '../base/defined.ts';
import { hasCode, PlugError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import type { FilePart } from '../hub/changes/change.ts';
import type { RestoreOptions } from '../hub/client-files.ts';
import type { UndoneFile } from '../hub/hub.ts';
import { readClientText, type ClientText } from '../servers/clients/client-text.ts';
import { parseText } from '../servers/clients/documents/parse.ts';
import { isOurs } from '../servers/clients/our-entry.ts';
import { editText } from './edit.ts';
import { textDifference } from './text-difference.ts';
import { bytesOf, keepCopy, swapFile, TEMPORARY } from './write-file.ts';

/**
 * Undoes the writing of a file. As it was left, it gets its old bytes back, or goes if it was made by us. Where
 * its owner wrote it since, only our entry is put back; where somebody changed that, it is a conflict.
 */
export async function restoreFile(part: FilePart, options: RestoreOptions): Promise<UndoneFile> {
  for (let attempt = 0; attempt < limits.clientEditAttemptsMax; attempt += 1) {
    const now = await readClientText(part.path);
    const plan = planOf(part, now, options);
    const { outcome, bytes, why } = plan;
    const { client, path } = part;
    const view: UndoneFile = { client, path, outcome, ...defined({ change: shown(now, plan), why }) };
    if (options.dryRun || outcome === 'conflict') return view;
    if (outcome === 'same') return await tidied(part, options, view);
    const backup =
      plan.keep && now.kind === 'ok' ? await keepCopy(path, bytesOf(now), keptFor(options)) : undefined;
    if (!(await written(part, bytes, now, options))) continue;
    return await tidied(part, options, { ...view, ...defined({ backup }) });
  }
  throw new PlugError('unavailable', `${part.path} was not changed: its owner keeps writing it.`, {
    owner: 'you',
    remedy: { do: 'retry' },
  });
}

const keptFor = ({ clock }: RestoreOptions) => ({ mode: 0o600, clock });

interface Plan {
  readonly outcome: UndoneFile['outcome'];
  /** What the file will hold; absent: it goes, or nothing happens to it. */
  readonly bytes?: Buffer;
  readonly why?: string;
  /** What is there now would be lost: a copy of it is kept. */
  readonly keep?: true;
}

function planOf(part: FilePart, now: ClientText, { before, force }: RestoreOptions): Plan {
  if (now.kind === 'unreadable') return { outcome: 'conflict', why: `It can't be read: ${now.reason}.` };
  const whole: Plan = before ? { outcome: 'restored', bytes: before } : { outcome: 'removed' };
  if (now.kind === 'missing') {
    if (!before) return { outcome: 'same' };
    const isOurDoing = part.afterHash === undefined;
    return force || isOurDoing ? whole : { ...whole, outcome: 'conflict', why: 'It was deleted since.' };
  }
  const found = hash('sha256', bytesOf(now));
  if (found === part.before?.hash && now.mode === part.before.mode) return { outcome: 'same' };
  if (found === part.afterHash || found === part.before?.hash) return whole;
  const entry = withEntryBack(part, now, before);
  if (typeof entry !== 'string') return entry;
  return force ? { ...whole, keep: true } : { ...whole, outcome: 'conflict', why: entry };
}

/** The file as it is now with our entry as it was; a text says why that cannot be. */
function withEntryBack(
  { path, entry: place }: FilePart,
  now: Extract<ClientText, { kind: 'ok' }>,
  before: Buffer | undefined,
): Plan | string {
  const { syntax, container, list, key } = place;
  const old = before && entryIn(place, before.toString('utf8').replace(/^\uFEFF/, ''));
  const check = (found: unknown): void => {
    if (!isOurs(found)) throw new PlugError('denied', 'not ours', { owner: 'you' });
  };
  try {
    const edit = { container, list, key, entry: isObject(old) ? (old as JsonObject) : null, check };
    const text = editText(path, syntax, now.text, edit);
    if (text === now.text) return { outcome: 'same' };
    const parsed = parseText(syntax, text);
    // Nothing is left but what we had made.
    if (!before && parsed.kind === 'ok' && isHollow(parsed.document.value([]))) return { outcome: 'removed' };
    return { outcome: 'entry', bytes: bytesOf({ text, bom: now.bom }) };
  } catch {
    return 'Its part that is ours was changed since, or the file is broken.';
  }
}

function entryIn({ syntax, container, list, key }: FilePart['entry'], text: string): unknown {
  const parsed = parseText(syntax, text);
  if (parsed.kind !== 'ok') return undefined;
  if (!list) return parsed.document.value([...container, key]);
  const items = parsed.document.value(container);
  return Array.isArray(items)
    ? items.find((item: unknown) => isObject(item) && item['name'] === key)
    : undefined;
}

function isHollow(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.values(value).every(isHollow);
}

/** For a conflict: what `force` would do. */
function shown(now: ClientText, { outcome, bytes }: Plan): UndoneFile['change'] {
  if (outcome === 'same') return undefined;
  return textDifference(
    now.kind === 'ok' ? now.text : '',
    bytes?.toString('utf8').replace(/^\uFEFF/, '') ?? '',
  );
}

async function written(
  { path, before }: FilePart,
  bytes: Buffer | undefined,
  now: ClientText,
  { ids }: RestoreOptions,
): Promise<boolean> {
  if (now.kind === 'unreadable') return false;
  const kept = now.kind === 'ok' ? now.mode : 0o600;
  if (bytes && now.kind === 'missing') await mkdir(dirname(path), { recursive: true });
  if (bytes) return await swapFile(path, bytes, { mode: before?.mode ?? kept, before: now, ids });
  await rm(path, { force: true });
  return true;
}

/** Takes away what was made beside the file: the copy, a half-written file, folders that are empty now. */
async function tidied(part: FilePart, { before }: RestoreOptions, view: UndoneFile): Promise<UndoneFile> {
  const { path, backups, folders, afterHash } = part;
  const folder = dirname(path);
  const half = `${basename(path)}.${TEMPORARY}_`;
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith(half)) await rm(join(folder, name), { force: true });
  }
  for (const backup of backups) {
    const copy = await readClientText(backup);
    if (copy.kind !== 'ok') continue;
    const bytes = bytesOf(copy);
    // A crash may have cut it off; one that somebody wrote in stays.
    const isCopy = before?.subarray(0, bytes.length).equals(bytes) === true;
    if (isCopy || hash('sha256', bytes) === afterHash) await rm(backup, { force: true });
  }
  for (const made of folders.toReversed()) {
    try {
      await rmdir(made);
    } catch (error) {
      if (hasCode(error, 'ENOTEMPTY') || hasCode(error, 'ENOENT') || hasCode(error, 'EEXIST')) break;
      throw error;
    }
  }
  return view;
}
