import { useState, type ReactNode } from 'react';
import type { ModelView } from '../hub/hub-context.tsx';
import { keys, useHubQuery } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { LocalModels } from './local-models.tsx';
import { ModelForm } from './model-form.tsx';
import { ModelRow } from './model-row.tsx';
import styles from './settings.module.css';

/** Models to talk to. Everything but the chat works without one. */
export function Models(): ReactNode {
  const { data, error } = useHubQuery(keys.models, (hub) => hub.models.list());
  const [edited, setEdited] = useState<ModelView | 'new' | undefined>(undefined);
  const close = (): void => setEdited(undefined);
  if (error) return <ErrorNote error={error} />;
  return (
    <>
      {data?.length === 0 && edited === undefined && (
        <EmptyState
          title="No model yet"
          action={
            <Button look="primary" onClick={() => setEdited('new')}>
              Add a model
            </Button>
          }
        >
          A model answers in the chat and uses your servers. One that runs on this machine works too.
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className={styles['rows']} aria-label="Models">
          {data.map((model) => (
            <ModelRow key={model.name} model={model} onEdit={() => setEdited(model)} />
          ))}
        </ul>
      )}
      {edited === undefined && data !== undefined && data.length > 0 && (
        <div>
          <Button icon="plus" onClick={() => setEdited('new')}>
            Add a model
          </Button>
        </div>
      )}
      {edited !== 'new' && <LocalModels />}
      {edited !== undefined && (
        <ModelForm
          key={edited === 'new' ? '' : edited.name}
          model={edited === 'new' ? undefined : edited}
          onClose={close}
        />
      )}
    </>
  );
}
