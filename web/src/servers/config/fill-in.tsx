import { useMemo, useState, type ReactNode } from 'react';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import type { ServerView } from '../../hub/hub-context.tsx';
import { keys, useHubAction } from '../../hub/queries.ts';
import { textOf, type FieldValues } from '../../parts/form/field-spec.ts';
import { FieldsForm } from '../../parts/form/fields-form.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { missingSecrets } from './references.ts';
import styles from './config-tab.module.css';

interface FillInProps {
  readonly server: ServerView;
  /** Placeholders without a value. */
  readonly missing: readonly string[];
}

/** Asks for what a server lacks; it goes into the vault, and the server is started. */
export function FillIn({ server, missing }: FillInProps): ReactNode {
  const toast = useToast();
  const [values, setValues] = useState<FieldValues>({});
  const asked = useMemo(() => missingSecrets(server.id, missing), [server.id, missing]);
  const save = useHubAction(
    async (hub, given: FieldValues) => {
      for (const { secret } of asked) await hub.secrets.set({ name: secret, value: textOf(given[secret]) });
      await hub.servers.start({ id: server.id });
    },
    [keys.servers],
  );
  if (asked.length === 0) {
    return (
      <p className={styles['note']}>
        {showHidden(missing.join(', '))} {missing.length === 1 ? 'is' : 'are'} looked for where the hub runs.
        Set {missing.length === 1 ? 'it' : 'them'} there, or edit the server below.
      </p>
    );
  }
  return (
    <section aria-label="What is missing">
      <FieldsForm
        fields={asked.map(({ field }) => field)}
        values={values}
        onChange={setValues}
        submitLabel="Save and start"
        busy={save.isPending}
        error={save.error ?? undefined}
        onSubmit={() =>
          save.mutate(values, { onSuccess: () => toast.good(`${showHidden(server.name)} is ready.`) })
        }
      />
    </section>
  );
}
