import { messageOf, PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';

export function notCalled(cause: unknown, folder: string): PlugError {
  const message = `The tool was not called, because the call cannot be recorded: ${reasonOf(cause)}.`;
  const remedy = `${adviceOn(cause, folder)}, then call it again.`;
  return new PlugError('storage_failed', message, { owner: 'you', remedy, details: { folder }, cause });
}

export function endNotRecorded(cause: unknown, folder: string): PlugError {
  const message = `The tool was called, but its end cannot be recorded: ${reasonOf(cause)}. Its result was withheld; the record has only its start.`;
  const remedy = `${adviceOn(cause, folder)}, and look what the call has done before you repeat it.`;
  const details = { folder, called: true };
  return new PlugError('storage_failed', message, { owner: 'you', remedy, details, cause });
}

/** Without a disk: the database keeps the journal. */
export function notCalledUnrecorded(cause: unknown): PlugError {
  const message = `The tool was not called, because the call cannot be recorded: ${messageOf(cause).replace(/\.$/, '')}.`;
  return new PlugError('storage_failed', message, { owner: 'plugboard', remedy: { do: 'retry' }, cause });
}

export function endNotStored(cause: unknown): PlugError {
  const message =
    'The tool was called, but its end cannot be recorded. Its answer was held back; the record says that it began.';
  const remedy = 'Look what the call has done before you repeat it.';
  const details = { called: true };
  return new PlugError('storage_failed', message, { owner: 'plugboard', remedy, details, cause });
}

export function notStored(cause: unknown): PlugError {
  const why = cause === undefined ? '' : `: ${messageOf(cause).replace(/\.$/, '')}`;
  const message = `Calls can’t be recorded because the database can’t be written${why}.`;
  const remedy = 'Check the disk and the database, then try again.';
  return new PlugError('storage_failed', message, { owner: 'plugboard', remedy, cause });
}

export function stopping(): PlugError {
  return new PlugError('unavailable', 'The hub is stopping.', { owner: 'you', remedy: { do: 'start-hub' } });
}

function reasonOf(cause: unknown): string {
  return REASONS[codeOf(cause)] ?? messageOf(cause).replace(/\.$/, '');
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'no space left in your quota on the disk',
  EFBIG: 'file too large for the limit of this system',
  EROFS: 'the disk is read-only',
  EACCES: 'the folder of the journal may not be written to',
  EPERM: 'the folder of the journal may not be written to',
  EIO: 'the disk failed',
};

function adviceOn(cause: unknown, folder: string): string {
  const code = codeOf(cause);
  if (code === 'ENOSPC' || code === 'EDQUOT') return `Free disk space for ${folder}`;
  return `Make ${folder} writable`;
}

function codeOf(cause: unknown): string {
  return isObject(cause) && typeof cause['code'] === 'string' ? cause['code'] : '';
}
