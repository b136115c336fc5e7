import { HIDDEN, namesSecret } from '../base/secret-names.ts';

export interface MaskedArguments {
  readonly args: readonly string[];
  /** Indexes of arguments with a secret, which the process list shows while the server runs. */
  readonly secretAt: readonly number[];
}

/** Hides known secrets and values of names such as `--api-key`, but not placeholders. */
export function maskArguments(args: readonly string[], secrets: readonly string[]): MaskedArguments {
  // A longer secret may contain a shorter one.
  const known = secrets.filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length);
  const masked = args.map((arg, index) => maskOne(arg, args[index - 1], known));
  return { args: masked, secretAt: masked.flatMap((arg, index) => (arg === args[index] ? [] : [index])) };
}

/** A warning for the person who starts the server; undefined when nothing is exposed. */
export function exposureOf(server: string, { secretAt }: MaskedArguments): string | undefined {
  if (secretAt.length === 0) return undefined;
  const what = secretAt.length === 1 ? 'a secret' : `${secretAt.length} secrets`;
  return (
    `“${server}” takes ${what} as an argument: while it runs, every user of this machine can ` +
    'see it in the process list. If the server can also read it from a variable, use “env” instead.'
  );
}

function maskOne(arg: string, before: string | undefined, known: readonly string[]): string {
  const shown = known.reduce((text, secret) => text.replaceAll(secret, () => HIDDEN), arg);
  if (shown !== arg) return shown;
  const [, name, value] = /^(-{1,2}[\w.-]+=|[A-Za-z_]\w*=)([^]+)$/.exec(arg) ?? [];
  if (name !== undefined && value !== undefined) {
    return namesSecret(name) && !isPlaceholder(value) ? name + HIDDEN : arg;
  }
  const named = before !== undefined && /^-{1,2}[A-Za-z][\w.-]*$/.test(before) && namesSecret(before);
  return named && !arg.startsWith('-') && !isPlaceholder(arg) ? HIDDEN : arg;
}

function isPlaceholder(text: string): boolean {
  return /^\$\{[^{}]*\}$/.test(text);
}
