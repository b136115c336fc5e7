import { useState, type ReactNode } from 'react';
import type { ServerCredentials } from '../hub/hub-context.tsx';
import { keys, useHubAction } from '../hub/queries.ts';
import { textOf, type FieldSpec, type FieldValues } from '../parts/form/field-spec.ts';
import { FieldsForm } from '../parts/form/fields-form.tsx';
import { useToast } from '../parts/toasts.tsx';

interface KeyAccountProps {
  readonly server: string;
  readonly account: string;
  readonly fields: ServerCredentials['keys'];
  readonly onDone: () => void;
}

/** The keys of one account: tried at the server first, and kept only if they work. */
export function KeyAccount({ server, account, fields, onDone }: KeyAccountProps): ReactNode {
  const toast = useToast();
  const [values, setValues] = useState<FieldValues>({});
  const asked = fields.map(({ field, title }): FieldSpec => ({
    id: field,
    label: title,
    kind: 'secret',
    required: true,
  }));
  const give = useHubAction(
    (hub, given: FieldValues) => {
      const typed = fields.map(({ field }) => [field, textOf(given[field]).trim()]);
      return hub.accounts.setKeys({ server, account, values: Object.fromEntries(typed) });
    },
    [keys.servers],
  );
  return (
    <FieldsForm
      fields={asked}
      values={values}
      onChange={setValues}
      submitLabel="Test and save"
      busy={give.isPending}
      error={give.error ?? undefined}
      onSubmit={() =>
        give.mutate(values, {
          onSuccess: () => {
            setValues({});
            toast.good(`The key of ${account} works and is in the vault.`);
            onDone();
          },
        })
      }
    />
  );
}
