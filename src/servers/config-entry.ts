import { dirname } from 'node:path';
import { defined } from '../base/defined.ts';
import { type ErrorView, toPlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { nextStep } from '../base/remedy-command.ts';
import type { ServerDefinition, Source } from './definition.ts';
import { holdsPrototypeName, wrong } from './entry/checks.ts';
import { readFields, type FieldsOptions, type ServerFields } from './entry/fields.ts';
import type { DeclaredInput } from './entry/inputs.ts';
import { idInFile } from './entry/names.ts';
import { normalize, warningsOf } from './entry/normalize.ts';
import type { JsonObject } from '../base/json.ts';

export type EntryOutcome =
  | { readonly kind: 'ok'; readonly definition: ServerDefinition; readonly warnings: readonly string[] }
  /** The key as written if no id could be derived. */
  | { readonly kind: 'error'; readonly id: string; readonly error: ErrorView };

export interface EntryContext {
  readonly source: Source;
  /** All names in the map: a derived id must not collide. */
  readonly keys?: readonly string[];
  /** Declared at the top of the file. */
  readonly inputs?: readonly DeclaredInput[];
  readonly line?: number;
  readonly column?: number;
}

/** Reads one entry of an `mcpServers` map. A wrong entry is an outcome and doesn't affect others. */
export function parseEntry(key: string, value: unknown, context: EntryContext): EntryOutcome {
  const { source, keys, inputs = [] } = context;
  const folder = source.file === undefined ? undefined : dirname(source.file);
  return outcomeOf(key, context, (found) => {
    const id = found(idInFile(key, keys));
    const fields = fieldsOf(value, { strict: true });
    const workspace = source.scope === 'project' ? folder : undefined;
    const where = { source, folder, workspace, inputs, escapes: true, strict: true };
    const read = normalize(fields, { id, name: key, ...where });
    const renamed = id === key ? [] : [`“${key}” is used under the id “${id}”.`];
    const warnings = warningsOf(read).map((warning) => `“${id}”: ${warning}`);
    return { definition: read.definition, warnings: [...renamed, ...warnings] };
  });
}

/** A wrong field, or no server at all, is thrown. */
export function fieldsOf(value: unknown, options: FieldsOptions): ServerFields {
  if (!isObject(value)) return wrong('entry', 'an object, {"command": …} or {"url": …}', value);
  if (holdsPrototypeName(value)) return wrong('__proto__', 'left out: this name is never accepted');
  const reading = readFields(value as JsonObject, options); // parsed from JSON, YAML or TOML text
  if (reading.kind === 'server') return reading.fields;
  if (reading.kind === 'built-in')
    return wrong('type', 'stdio, http, sse or ws: this one runs inside its own client');
  return wrong('command', 'given, or “url”: nothing says how to reach this server');
}

/** `read` is told how to name the server in an error as soon as that is known. */
export function outcomeOf(
  key: string,
  context: Pick<EntryContext, 'source' | 'line' | 'column'>,
  read: (found: (id: string) => string) => Omit<Extract<EntryOutcome, { kind: 'ok' }>, 'kind'>,
): EntryOutcome {
  let id = key;
  try {
    return { kind: 'ok', ...read((found) => (id = found)) };
  } catch (error) {
    const { message, details, remedy, ...view } = toPlugError(error).toView();
    const { line, column } = context;
    const { file } = context.source;
    const at = file === undefined ? '' : `${file}${line === undefined ? '' : `, line ${line}`}: `;
    const text = file === undefined ? 'Correct the entry.' : `Correct the entry in ${file} and save it.`;
    return {
      kind: 'error',
      id,
      error: {
        ...view,
        server: id,
        message: `${at}“${id}”: ${message}`,
        ...nextStep(remedy ?? { do: 'say', text }),
        details: { ...details, ...defined({ file, line, column }) },
      },
    };
  }
}
