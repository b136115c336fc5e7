import { dirname } from 'node:path';
import { isObject, type JsonObject } from '../base/json.ts';
import { toPlugError, type ErrorView } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { defineServer, type ServerDefinition, type Source } from './definition.ts';
import { EntryFields, holdsPrototypeName, wrong } from './_entry-fields.ts';
import { readEndpoint } from './_entry-endpoint.ts';
import { idOfEntry, type EntryName } from './_entry-id.ts';
import {
  readAuth,
  readConfig,
  readEnabled,
  readPackage,
  readTimeouts,
  readTools,
} from './_entry-settings.ts';

export type EntryOutcome =
  | { readonly kind: 'ok'; readonly definition: ServerDefinition; readonly warnings: readonly string[] }
  /** `id` is the name as written where none could be derived. */
  | { readonly kind: 'error'; readonly id: string; readonly error: ErrorView };

export interface EntryContext {
  readonly source: Source;
  /** All names of the map that the entry stands in: a derived id must not meet another. */
  readonly keys?: readonly string[];
  readonly line?: number;
  readonly column?: number;
}

/** Reads one entry of an `mcpServers` map. A wrong entry is an outcome, and harms no neighbour. */
export function parseEntry(key: string, value: unknown, context: EntryContext): EntryOutcome {
  let id = key;
  try {
    const name = idOfEntry(key, context.keys);
    id = name.id;
    return { kind: 'ok', ...readEntry(name, value, context.source) };
  } catch (error) {
    const { message, details, next, ...view } = toPlugError(error).toView();
    const { file } = context.source;
    const at =
      file === undefined ? '' : `${file}${context.line === undefined ? '' : `, line ${context.line}`}: `;
    return {
      kind: 'error',
      id,
      error: {
        ...view,
        server: id,
        message: `${at}“${id}”: ${message}`,
        next:
          next ?? (file === undefined ? 'Correct the entry.' : `Correct the entry in ${file} and save it.`),
        details: {
          ...details,
          ...(file === undefined ? {} : { file }),
          ...(context.line === undefined ? {} : { line: context.line }),
          ...(context.column === undefined ? {} : { column: context.column }),
        },
      },
    };
  }
}

type Read = Pick<Extract<EntryOutcome, { kind: 'ok' }>, 'definition' | 'warnings'>;

function readEntry(name: EntryName, value: unknown, source: Source): Read {
  if (!isObject(value)) return wrong('entry', 'an object, {"command": …} or {"url": …}', value);
  if (holdsPrototypeName(value)) return wrong('__proto__', 'left out: this name is never accepted');
  const fields = new EntryFields(value);
  const endpoint = readEndpoint(fields, source.file === undefined ? undefined : dirname(source.file));
  const given = fields.text('name', limits.serverNameCharsMax);
  const timeouts = readTimeouts(fields);
  const tools = readTools(fields);
  const packageRef = readPackage(fields);
  const allowDangerousEnv = fields.texts('allowDangerousEnv');
  const definition = defineServer({
    id: name.id,
    name: given ?? name.original ?? name.id,
    endpoint,
    source,
    auth: readAuth(fields),
    enabled: readEnabled(fields),
    ...(packageRef.value ? { package: packageRef.value } : {}),
    config: readConfig(fields),
    timeouts: timeouts.value,
    tools: tools.value,
    readOnly: fields.flag('readOnly') ?? false,
    keepAlive: fields.flag('keepAlive') ?? false,
    sharing: fields.oneOf('sharing', ['auto', 'shared', 'per-host']) ?? 'auto',
    ...(allowDangerousEnv ? { allowDangerousEnv } : {}),
    // Read last: by now every field that means something has been taken.
    extra: {
      ...fields.rest(),
      ...keep('timeouts', timeouts.extra),
      ...keep('tools', tools.extra),
      ...keep('package', packageRef.extra),
    },
  });
  return { definition, warnings: [...timeouts.warnings, ...warningsOf(name, definition)] };
}

function keep(field: string, extra: JsonObject): JsonObject {
  return Object.keys(extra).length > 0 ? { [field]: extra } : {};
}

const ENDPOINT_FIELDS = new Set(['args', 'env', 'cwd', 'headers']);

function warningsOf(name: EntryName, definition: ServerDefinition): readonly string[] {
  const { id, endpoint, extra, package: pack } = definition;
  const renamed = name.original === undefined ? [] : [`“${name.original}” is used under the id “${id}”.`];
  const unknown = Object.keys(extra).filter(
    // The checksum of a package is compared before it is started.
    (field) => !ENDPOINT_FIELDS.has(field) && !(field === 'integrity' && pack !== undefined),
  );
  const misplaced = Object.keys(extra).filter((field) => ENDPOINT_FIELDS.has(field));
  const sort = endpoint.kind === 'stdio' ? 'a local' : 'a remote';
  return [
    ...renamed,
    ...(unknown.length > 0 ? [`“${id}”: ${quoted(unknown)} not known; kept, without effect.`] : []),
    ...(misplaced.length > 0
      ? [`“${id}”: ${quoted(misplaced)} without effect on ${sort} server; kept.`]
      : []),
  ];
}

function quoted(names: readonly string[]): string {
  return `${names.map((name) => `“${name}”`).join(', ')} ${names.length === 1 ? 'is' : 'are'}`;
}
