import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { toPlugError } from '../../../src/base/errors.ts';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { ServerView } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import { textOf, type FieldSpec, type FieldValues } from '../parts/form/field-spec.ts';
import { FieldsForm } from '../parts/form/fields-form.tsx';
import { SecretField } from '../parts/secret-field.tsx';
import { withValues } from './mend-definition.ts';
import type { Repair, RepairInput } from './repair.ts';
import { useMend, type Mending } from './use-mend.ts';
import styles from './repair.module.css';

interface ValuesFormProps {
  readonly server: ServerView;
  readonly repair: Extract<Repair, { form: 'values' }>;
}

/** Asks for keys and other values that are missing. Keys go into the vault. */
export function ValuesForm({ server, repair: { inputs } }: ValuesFormProps): ReactNode {
  const [values, setValues] = useState<FieldValues>({});
  const mend = useMend(server);
  const fields = inputs.map(fieldOf);
  return (
    <FieldsForm
      fields={fields}
      values={values}
      onChange={setValues}
      submitLabel="Save and start"
      busy={mend.isPending}
      error={mend.error ?? undefined}
      onSubmit={() => mend.mutate(mendingOf(inputs, (at) => textOf(values[String(at)]).trim()))}
    />
  );
}

/** One key in the line of a card: paste it, and press Enter. */
export function KeyLine({
  server,
  input,
}: {
  readonly server: ServerView;
  readonly input: RepairInput;
}): ReactNode {
  const [value, setValue] = useState('');
  const mend = useMend(server);
  const problem = useId();
  const label = showHidden(input.title);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (value.trim() !== '') mend.mutate(mendingOf([input], () => value.trim()));
  };
  return (
    <form className={styles['line']} onSubmit={save} noValidate autoComplete="off">
      <SecretField
        label={label}
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={setValue}
        disabled={mend.isPending}
        aria-invalid={mend.error !== null}
        aria-describedby={mend.error ? problem : undefined}
      />
      <Button type="submit" look="primary" busy={mend.isPending} disabled={value.trim() === ''}>
        Save
      </Button>
      {mend.error && (
        <p id={problem} role="alert" className={styles['problem']}>
          {showHidden(toPlugError(mend.error).message)}
        </p>
      )}
    </form>
  );
}

function fieldOf({ title, kind }: RepairInput, at: number): FieldSpec {
  return {
    id: String(at),
    label: showHidden(title),
    kind: kind === 'folder' ? 'file' : kind,
    required: true,
    ...(kind === 'folder' ? { paths: true, folder: true } : {}),
  };
}

function mendingOf(inputs: readonly RepairInput[], valueAt: (at: number) => string): Mending {
  const given = inputs.map((input, at) => ({ input, value: valueAt(at) }));
  const isSecretsAlone = inputs.every(({ to }) => to.in === 'vault');
  if (!isSecretsAlone) return { kind: 'definition', change: (before) => withValues(before, given) };
  const secrets = given.flatMap(({ input: { to }, value }) =>
    to.in === 'vault' ? [[to.secret, value]] : [],
  );
  return { kind: 'secrets', secrets: Object.fromEntries(secrets) as Record<string, string> }; // as made above
}
