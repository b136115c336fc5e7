import type { FieldSpec } from '../../parts/form/field-spec.ts';

/** Whether a value is nothing but a reference: it names a secret and is none. */
export function onlyReference(value: string): boolean {
  return /^(?:bearer |basic |token )?\$\{(?:vault|input|env|file):[^}$]+\}$/i.test(value);
}

export interface MissingSecret {
  /** Under which the hub looks for it in the vault. */
  readonly secret: string;
  readonly field: FieldSpec;
}

/** What can be filled in here: inputs and secrets. A variable of the machine is set on the machine. */
export function missingSecrets(server: string, missing: readonly string[]): readonly MissingSecret[] {
  return [...new Set(missing)].flatMap((placeholder): readonly MissingSecret[] => {
    const [, kind, name] = /^\$\{(input|vault):([^}]+)\}$/.exec(placeholder) ?? [];
    if (kind === undefined || name === undefined) return [];
    const secret = kind === 'vault' ? name : `${server}/${name}`;
    return [{ secret, field: { id: secret, label: name, kind: 'secret', required: true } }];
  });
}
