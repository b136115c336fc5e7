import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { NamedInput, RegistryArgument, RegistryInput } from './entry.ts';
import { defined, flagOf, listOf, objectsOf, scalarOf, shortTextOf, textOf } from './_read.ts';

/** Environment variables and headers: a list of inputs with names. */
export function readInputs(value: unknown): readonly NamedInput[] {
  return objectsOf(value).flatMap((given) => {
    const name = shortTextOf(given['name']);
    return name === undefined ? [] : [{ ...readInput(given), name }];
  });
}

export function readArguments(value: unknown): readonly RegistryArgument[] {
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

export function readVariables(value: unknown): Readonly<Record<string, RegistryInput>> {
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
      description: textOf(given['description']),
      secret: flagOf(given['isSecret'] ?? given['is_secret']),
      // An empty value stands for no value: publishers write "" where they mean “ask”.
      value: textOf(scalarOf(given['value'])),
      default: textOf(scalarOf(given['default'])),
      placeholder: textOf(given['placeholder']),
      choices: choices.length === 0 ? undefined : choices,
    }),
  };
}

function formatOf(value: unknown): RegistryInput['format'] {
  if (value === 'number' || value === 'boolean' || value === 'filepath') return value;
  return value === 'file_path' ? 'filepath' : 'string';
}
