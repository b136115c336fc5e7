import { useState, type FormEvent, type ReactNode } from 'react';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import type { ServerDefinition } from '../../../../src/servers/definition.ts';
import { keys, useHubAction } from '../../hub/queries.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Fold } from '../../parts/fold.tsx';
import { problemsIn } from '../../parts/form/check-fields.ts';
import { FieldList } from '../../parts/form/field-list.tsx';
import type { FieldValues } from '../../parts/form/field-spec.ts';
import { useToast } from '../../parts/toasts.tsx';
import { draftOf, fieldsFor } from './draft.ts';
import { PairRows } from './pair-rows.tsx';
import { saveServer } from './save-server.ts';
import styles from './config-tab.module.css';

interface EditServerProps {
  readonly definition: ServerDefinition;
  readonly onClose: () => void;
}

/** Changes how a server is reached. It is tried first, and nothing is saved that does not connect. */
export function EditServer({ definition, onClose }: EditServerProps): ReactNode {
  const toast = useToast();
  const [draft, setDraft] = useState(() => draftOf(definition));
  const [tried, setTried] = useState(false);
  const { main, more } = fieldsFor(definition);
  const save = useHubAction(
    (hub, test: boolean) => saveServer(hub, definition, { draft, test }),
    [keys.servers, keys.server(definition.id)],
  );
  const send = (test: boolean): void => {
    setTried(true);
    if (Object.keys(problemsIn([...main, ...more], draft.values)).length > 0) return;
    save.mutate(test, {
      onSuccess: ({ summary }) => {
        toast.good('Saved', showHidden(summary));
        onClose();
      },
    });
  };
  const setValues = (values: FieldValues): void => setDraft((before) => ({ ...before, values }));
  const shared = { values: draft.values, onChange: setValues, showAll: tried, disabled: save.isPending };
  return (
    <form
      className={styles['form']}
      aria-label={`Edit ${definition.name}`}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        send(true);
      }}
    >
      <FieldList fields={main} {...shared} />
      <PairRows
        label={definition.endpoint.kind === 'stdio' ? 'Variables' : 'Headers'}
        pairs={draft.pairs}
        onChange={(pairs) => setDraft((before) => ({ ...before, pairs }))}
      />
      <Fold label="Limits and tools">
        <FieldList fields={more} {...shared} />
      </Fold>
      {save.error && (
        <ErrorNote error={save.error} action={<Button onClick={() => send(false)}>Save anyway</Button>} />
      )}
      <div className={styles['buttons']}>
        <Button type="submit" look="primary" busy={save.isPending}>
          {save.isPending ? 'Trying it…' : 'Test and save'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}
