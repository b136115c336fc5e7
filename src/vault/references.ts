import { PlugError } from '../base/errors.ts';
import type { Redactor } from '../base/redact.ts';
import { Secret } from '../base/secret.ts';
import { readValueFile } from '../servers/value-file.ts';
import { readCommand, type RunCommand } from './command-reference.ts';
import type { Vault } from './vault.ts';

/** Where a value comes from. A definition holds references, never values. */
export type Reference =
  | { readonly kind: 'vault'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'environment'; readonly name: string }
  /** A password manager: `op read op://…`, `pass show …`. */
  | { readonly kind: 'command'; readonly line: string };

export interface ReferenceSources {
  readonly vault: Vault;
  readonly owner: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly runCommand: RunCommand;
  readonly redactor?: Pick<Redactor, 'learn'>;
  readonly signal?: AbortSignal;
}

/** Looks a value up each time it is needed: values of files, variables and commands are never kept. */
export async function resolveReference(
  reference: Reference,
  sources: ReferenceSources,
): Promise<Secret | undefined> {
  const secret = await find(reference, sources);
  if (secret) sources.redactor?.learn(secret.reveal());
  return secret;
}

async function find(reference: Reference, sources: ReferenceSources): Promise<Secret | undefined> {
  if (reference.kind === 'vault') return sources.vault.get(sources.owner, reference.name);
  if (reference.kind === 'file') return secretOf(await readValueFile(reference.path));
  if (reference.kind === 'command') return secretOf(await askCommand(reference.line, sources));
  const { name } = reference;
  return secretOf(Object.hasOwn(sources.env, name) ? sources.env[name] : undefined);
}

async function askCommand(line: string, { runCommand, signal }: ReferenceSources): Promise<string> {
  const argv = readCommand(line);
  const output = await runCommand(argv, signal ? { signal } : {});
  const value = output.replace(/\r?\n$/, '');
  if (value !== '') return value;
  throw new PlugError('missing_input', `${argv[0]} ended well, but it printed no secret.`, {
    owner: 'you',
    remedy: `Try it in a terminal: ${line}`,
  });
}

function secretOf(value: string | undefined): Secret | undefined {
  return value === undefined || value === '' ? undefined : new Secret(value);
}
