import type { Remedy } from '../base/remedy.ts';
import { PlugError } from '../base/errors.ts';
import type { Endpoint } from './definition.ts';
import { splitTemplate, type Placeholder, type PlaceholderKind } from './_template.ts';

export type { Placeholder, PlaceholderKind } from './_template.ts';

export function findPlaceholders(text: string): readonly Placeholder[] {
  return splitTemplate(text).filter((part) => typeof part !== 'string');
}

type MaybeValue = string | undefined | Promise<string | undefined>;

/** `undefined` means no value; a throw says why. */
export interface PlaceholderSources {
  env(name: string): MaybeValue;
  input(id: string): MaybeValue;
  /** An absolute path; see `readValueFile`. */
  file(path: string): MaybeValue;
  vault(name: string): MaybeValue;
  /** Asks a password manager; see `readCommand`. */
  command(line: string): MaybeValue;
}

export interface MissingValue {
  readonly placeholder: string;
  /** `env.API_KEY`, `args[2]`, `url`, `headers.Authorization`. */
  readonly where: string;
  readonly kind: PlaceholderKind;
  readonly reason: string;
  /** If it differs from the usual advice. */
  readonly remedy?: Remedy;
}

export type ResolvedEndpoint =
  | {
      readonly kind: 'ok';
      readonly endpoint: Endpoint;
      readonly secrets: readonly string[];
    }
  | { readonly kind: 'missing'; readonly missing: readonly MissingValue[] };

export type ResolvedTexts =
  | {
      readonly kind: 'ok';
      readonly values: Readonly<Record<string, string>>;
      readonly secrets: readonly string[];
    }
  | { readonly kind: 'missing'; readonly missing: readonly MissingValue[] };

export function missingInput(server: string, missing: readonly MissingValue[]): PlugError {
  const first = missing[0];
  const list = missing.map((value) => `${value.placeholder} in ${value.where} (${value.reason})`).join('; ');
  return new PlugError('missing_input', `“${server}” cannot start: ${list}.`, {
    owner: 'you',
    server,
    details: { missing },
    ...(first ? { remedy: first.remedy ?? { do: 'say', text: ADVICE[first.kind] } } : {}),
  });
}

const ADVICE: Readonly<Record<PlaceholderKind, string>> = {
  env: 'Set the variable, or give a default as in ${NAME:-default}, then start the server again.',
  input: 'Give the value that the placeholder stands for, then start the server again.',
  file: 'Create the file, or correct its path, then start the server again.',
  vault: 'Put the secret into the vault, then start the server again.',
  command: 'Run the command in a terminal, sign in there if it asks for it, then start the server again.',
  unknown: 'Correct the placeholder, or write $${ where a literal ${ is meant.',
};
