import { dirname } from 'node:path';
import { type EntryOutcome, fieldsOf, outcomeOf } from '../config-entry.ts';
import type { Source } from '../definition.ts';
import { readInputList } from '../entry/inputs.ts';
import { idFrom } from '../entry/names.ts';
import { normalize, warningsOf } from '../entry/normalize.ts';
import type { Client } from './client.ts';
import type { FileContext } from './dialect.ts';

export interface EntryPlace extends FileContext {
  readonly source: Source;
  readonly line?: number;
  readonly column?: number;
}

/** An entry of a client's file. A wrong one is an outcome and doesn't affect others. */
export function readEntry(client: Client, raw: unknown, place: EntryPlace): EntryOutcome {
  const { key, source, workspace } = place;
  return outcomeOf(key, place, (found) => {
    const id = found(idFrom(key));
    const fields = fieldsOf(raw, { strict: true, client: client.name });
    const read = normalize(fields, {
      id,
      name: key,
      source,
      folder: workspace ?? (source.file === undefined ? undefined : dirname(source.file)),
      workspace,
      inputs: readInputList(place.inputs),
      syntax: client.dialect.placeholders,
      escapes: client.name === 'mcp-json',
      strict: true,
    });
    return { definition: read.definition, warnings: warningsOf(read) };
  });
}
