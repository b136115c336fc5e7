import { defined } from '../../base/defined.ts';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type {
  NamedInput,
  RegistryArgument,
  RegistryEntry,
  RegistryInput,
  RegistryPackage,
  RegistryRemote,
  RegistryStatus,
} from './entry.ts';
import { flagOf, listOf, objectsOf, restOf, scalarOf, shortTextOf, filledText, timeOf } from './_read.ts';
import { isVerified } from './maker.ts';

export type ReadDocument =
  | { readonly kind: 'ok'; readonly entry: RegistryEntry }
  | { readonly kind: 'bad'; readonly name: string; readonly reason: string };

/** Reads `{ server, _meta }` of the official API, or a bare server.json. Only a missing name is an error. */
export function readDocument(document: unknown, registry: string): ReadDocument {
  const wrapped = isObject(document) && isObject(document['server']) ? document['server'] : document;
  if (!isObject(wrapped)) return bad('?', 'it is not an object');
  const name = filledText(wrapped['name']);
  if (name === undefined) return bad('?', 'it has no name');
  if (name.length > limits.serverNameCharsMax || !NAME.test(name))
    return bad(JSON.stringify(name.slice(0, 80)), 'its name holds characters that no name has');
  if (JSON.stringify(document).length > limits.registryEntryBytesMax) return bad(name, 'it is too large');
  const meta = metaOf(document, wrapped);
  const entry: RegistryEntry = {
    registry,
    kind: 'official',
    name,
    description: (filledText(wrapped['description']) ?? '').slice(0, DESCRIPTION_CHARS_MAX),
    status: statusOf(meta['status'] ?? wrapped['status']),
    isLatest: meta['isLatest'] !== false,
    verified: false,
    useCount: 0,
    packages: objectsOf(wrapped['packages']).flatMap(readPackage),
    remotes: objectsOf(wrapped['remotes']).flatMap((remote) => readRemote(remote) ?? []),
    detail: 'full',
    ...defined({
      title: shortTextOf(wrapped['title']),
      version: shortTextOf(wrapped['version']),
      statusMessage: shortTextOf(meta['statusMessage']),
      updatedAt: timeOf(meta['updatedAt']) ?? timeOf(meta['publishedAt']),
      websiteUrl: shortTextOf(wrapped['websiteUrl']),
      repository: repositoryOf(wrapped['repository']),
    }),
    extra: restOf(isObject(document) && wrapped !== document ? { ...wrapped, ...document } : wrapped, KNOWN),
  };
  return { kind: 'ok', entry: { ...entry, verified: isVerified(entry) } };
}

const NAME = /^[A-Za-z0-9@][\w .@/+~-]*$/;
export const DESCRIPTION_CHARS_MAX = 2_000;
const META = 'io.modelcontextprotocol.registry/official';
const KNOWN = 'name title description version repository websiteUrl packages remotes server status'.split(
  ' ',
);

function bad(name: string, reason: string): ReadDocument {
  return { kind: 'bad', name, reason };
}

function metaOf(document: unknown, server: Record<string, unknown>): Record<string, unknown> {
  for (const place of [document, server]) {
    const meta = isObject(place) && isObject(place['_meta']) ? place['_meta'][META] : undefined;
    if (isObject(meta)) return meta;
  }
  return {};
}

function statusOf(value: unknown): RegistryStatus {
  return value === 'deprecated' || value === 'deleted' ? value : 'active';
}

function repositoryOf(value: unknown): RegistryEntry['repository'] {
  const url = shortTextOf(isObject(value) ? value['url'] : value);
  if (url === undefined) return undefined;
  return { url, ...defined({ subfolder: isObject(value) ? shortTextOf(value['subfolder']) : undefined }) };
}

function readPackage(given: Record<string, unknown>): readonly RegistryPackage[] {
  const identifier = shortTextOf(given['identifier']) ?? shortTextOf(given['name']);
  // Older documents use underscores.
  const type = shortTextOf(given['registryType'] ?? given['registry_type'] ?? given['registry_name']);
  if (identifier === undefined || type === undefined) return [];
  const transport = isObject(given['transport']) ? given['transport'] : {};
  return [
    {
      type: type.toLowerCase(),
      identifier,
      runtimeArguments: readArguments(given['runtimeArguments'] ?? given['runtime_arguments']),
      packageArguments: readArguments(given['packageArguments'] ?? given['package_arguments']),
      environment: readInputs(given['environmentVariables'] ?? given['environment_variables']),
      transport: readRemote(transport) ?? { kind: 'stdio' },
      ...defined({
        version: shortTextOf(given['version']),
        baseUrl: shortTextOf(given['registryBaseUrl']),
        sha256: shortTextOf(given['fileSha256'] ?? given['file_sha256'])?.toLowerCase(),
        runtimeHint: shortTextOf(given['runtimeHint'] ?? given['runtime_hint']),
      }),
      extra: restOf(given, PACKAGE_KNOWN),
    },
  ];
}

const PACKAGE_KNOWN = (
  'registryType registry_type registry_name identifier version registryBaseUrl fileSha256 file_sha256 ' +
  'runtimeHint runtime_hint runtimeArguments runtime_arguments packageArguments package_arguments ' +
  'environmentVariables environment_variables transport'
).split(' ');

function readRemote(given: Record<string, unknown>): RegistryRemote | undefined {
  const type = filledText(given['type']) ?? filledText(given['transport_type']);
  const url = shortTextOf(given['url']);
  if (type === 'stdio' || url === undefined) return undefined;
  return {
    kind: type === 'sse' ? 'sse' : 'http',
    url,
    headers: readInputs(given['headers']),
    variables: readVariables(given['variables']),
    extra: restOf(given, ['type', 'transport_type', 'url', 'headers', 'variables']),
  };
}

function readInputs(value: unknown): readonly NamedInput[] {
  return objectsOf(value).flatMap((given) => {
    const name = shortTextOf(given['name']);
    return name === undefined ? [] : [{ ...readInput(given), name }];
  });
}

function readArguments(value: unknown): readonly RegistryArgument[] {
  return objectsOf(value).map((given) => {
    const name = shortTextOf(given['name']);
    const named = given['type'] === 'named' || (given['type'] !== 'positional' && name !== undefined);
    return {
      ...readInput(given),
      kind: named && name !== undefined ? 'named' : 'positional',
      repeated: given['isRepeated'] === true || given['is_repeated'] === true,
      ...defined({
        name: named ? name : undefined,
        hint: shortTextOf(given['valueHint'] ?? given['value_hint']) ?? (named ? undefined : name),
      }),
    };
  });
}

function readVariables(value: unknown): Readonly<Record<string, RegistryInput>> {
  if (!isObject(value)) return {};
  const entries = Object.entries(value).slice(0, limits.registryItemsMax);
  return Object.fromEntries(
    entries.flatMap(([name, given]) => (isObject(given) ? [[name, readInput(given)]] : [])),
  );
}

function readInput(given: Record<string, unknown>): RegistryInput {
  const choices = listOf(given['choices']).flatMap((choice) => scalarOf(choice) ?? []);
  return {
    required: (given['isRequired'] ?? given['is_required']) === true,
    format: formatOf(given['format']),
    variables: readVariables(given['variables']),
    ...defined({
      description: filledText(given['description']),
      secret: flagOf(given['isSecret'] ?? given['is_secret']),
      // Publishers write "" where the user should be asked.
      value: filledText(scalarOf(given['value'])),
      default: filledText(scalarOf(given['default'])),
      placeholder: filledText(given['placeholder']),
      choices: choices.length === 0 ? undefined : choices,
    }),
  };
}

function formatOf(value: unknown): RegistryInput['format'] {
  if (value === 'number' || value === 'boolean' || value === 'filepath') return value;
  return value === 'file_path' ? 'filepath' : 'string';
}
