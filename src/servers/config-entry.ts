import { dirname } from 'node:path';
import { defined } from '../base/defined.ts';
import { nextStep } from '../base/remedy-command.ts';
import { type JsonObject, isObject } from '../base/json.ts';
import { type ErrorView, PlugError, toPlugError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { type ServerDefinition, type Source, defineServer, isServerId } from './definition.ts';
import { EntryFields, holdsPrototypeName, wrong } from './_entry-fields.ts';
import { readEndpoint } from './_entry-endpoint.ts';
import {
  readAuth,
  readConfig,
  readEnabled,
  readPackage,
  readTimeouts,
  readTools,
} from './_entry-settings.ts';
import { plainId } from './plain-id.ts';

export type EntryOutcome =
  | { readonly kind: 'ok'; readonly definition: ServerDefinition; readonly warnings: readonly string[] }
  /** The key as written if no id could be derived. */
  | { readonly kind: 'error'; readonly id: string; readonly error: ErrorView };

export interface EntryContext {
  readonly source: Source;
  /** All names in the map: a derived id must not collide. */
  readonly keys?: readonly string[];
  readonly line?: number;
  readonly column?: number;
}

export function parseEntry(key: string, value: unknown, context: EntryContext): EntryOutcome {
  let id = key;
  try {
    const name = idOfEntry(key, context.keys);
    id = name.id;
    return { kind: 'ok', ...readEntry(name, value, context.source) };
  } catch (error) {
    const { message, details, remedy, ...view } = toPlugError(error).toView();
    const { line, column, source } = context;
    const { file } = source;
    const at = file === undefined ? '' : `${file}${line === undefined ? '' : `, line ${line}`}: `;
    return {
      kind: 'error',
      id,
      error: {
        ...view,
        server: id,
        message: `${at}“${id}”: ${message}`,
        ...nextStep(
          remedy ?? {
            do: 'say',
            text: file === undefined ? 'Correct the entry.' : `Correct the entry in ${file} and save it.`,
          },
        ),
        details: { ...details, ...defined({ file, line, column }) },
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
  const definition = defineServer({
    id: name.id,
    name: given ?? name.original ?? name.id,
    endpoint,
    source,
    auth: readAuth(fields),
    enabled: readEnabled(fields),
    config: readConfig(fields),
    timeouts: timeouts.value,
    tools: tools.value,
    readOnly: fields.flag('readOnly') ?? false,
    keepAlive: fields.flag('keepAlive') ?? false,
    sharing: fields.oneOf('sharing', ['auto', 'shared', 'per-host']) ?? 'auto',
    ...defined({ package: packageRef.value, allowDangerousEnv: fields.texts('allowDangerousEnv') }),
    // Last, when all known fields have been taken.
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
  const { id, endpoint, extra } = definition;
  const renamed = name.original === undefined ? [] : [`“${name.original}” is used under the id “${id}”.`];
  const unknown = Object.keys(extra).filter((field) => !ENDPOINT_FIELDS.has(field));
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

interface EntryName {
  readonly id: string;
  /** The name in the file, if the id was derived from it. */
  readonly original?: string;
}

/** “My Server” becomes `my-server`. A name that would lose more, or would collide, is refused. */
function idOfEntry(key: string, allKeys: readonly string[] = [key]): EntryName {
  if (isServerId(key)) return { id: key };
  const id = slugOf(key);
  if (id === undefined) throw refused(key);
  const twin = allKeys.find((other) => other !== key && (other === id || slugOf(other) === id));
  if (twin !== undefined) throw refused(key, `it would share the id “${id}” with “${shown(twin)}”`);
  return { id, original: key };
}

const PLAIN = /^@?[A-Za-z0-9][A-Za-z0-9 ._/()+&:@-]*$/;

function slugOf(key: string): string | undefined {
  if (isServerId(key)) return key;
  if (key.length > 64 || !PLAIN.test(key) || key.includes('..')) return undefined;
  return plainId(key);
}

function refused(key: string, why = 'it cannot be made into an id'): PlugError {
  return new PlugError('bad_config', `“${shown(key)}” cannot be a server's name: ${why}.`, {
    owner: 'you',
    remedy: 'Use 1 to 64 of a–z, 0–9, dot, dash and underscore, starting with a letter or a digit.',
    details: { field: 'name' },
  });
}

/** Names from foreign files: control characters are escaped. */
function shown(key: string): string {
  return JSON.stringify(key.slice(0, 80)).slice(1, -1);
}
