import { PlugError } from '../../base/errors.ts';
import { createHash } from 'node:crypto';

/** JSON escapes what a text column cannot hold, such as NUL characters in a server's output. */
export function toBody(value: object): string {
  return JSON.stringify(value);
}

/** The stores alone write rows, so that each may take its own type back out of its table. */
export function fromBody(table: string, body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new PlugError('storage_failed', `A row of the table “${table}” is not readable.`, {
      owner: 'plugboard',
      remedy: 'Restore the database from a backup, or delete the damaged row.',
      details: { table },
      cause,
    });
  }
}

/** A text as it is where the column can hold it, else as a JSON string: large ones are not copied for nothing. */
export function toText(text: string): { readonly escaped: number; readonly piece: string } {
  const fits = text.isWellFormed() && !text.includes('\0');
  return fits ? { escaped: 0, piece: text } : { escaped: 1, piece: JSON.stringify(text) };
}

export function fromText(
  table: string,
  { escaped, piece }: { readonly escaped: number; readonly piece: string },
): string {
  return escaped === 0 ? piece : (fromBody(table, piece) as string); // toText() wrote a string
}

/**
 * A key that every database can hold and index: short printable text stays readable, anything
 * else (control characters, long paths, broken surrogates) becomes its hash.
 */
export function columnKey(text: string): string {
  if (/^[ -~]{1,200}$/.test(text) && !text.startsWith(HASHED)) return text;
  return HASHED + createHash('sha256').update(JSON.stringify(text)).digest('hex');
}

const HASHED = 'sha256:';
