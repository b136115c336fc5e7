import type { ReactNode } from 'react';
import { useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Select } from '../parts/select.tsx';
import { counted } from '../parts/words.ts';
import { shortName, type ModelDraft } from './model-draft.ts';
import styles from './settings.module.css';

interface OfferedModelsProps {
  readonly draft: ModelDraft;
  readonly onChoose: (chosen: Partial<ModelDraft>) => void;
}

/** Asks the provider which models it has, so that nobody has to know how they are called. */
export function OfferedModels({ draft, onChoose }: OfferedModelsProps): ReactNode {
  const ask = useHubAction((hub, { provider, url, key, name }: ModelDraft) =>
    hub.models.offered({
      provider,
      ...(url.trim() === '' ? {} : { url: url.trim() }),
      ...(key === '' ? {} : { key }),
      ...(key === '' && name !== '' ? { name } : {}),
    }),
  );
  const offered = ask.data ?? [];
  const choices = [
    { value: '', label: `${counted(offered.length, 'model')}: choose one` },
    ...offered.map((value) => ({ value, label: value })),
  ];
  return (
    <>
      <div className={styles['buttons']}>
        <Button onClick={() => ask.mutate(draft)} busy={ask.isPending}>
          Ask which models it has
        </Button>
        {offered.length > 0 && (
          <Select
            label="Models of the provider"
            value={offered.includes(draft.model) ? draft.model : ''}
            choices={choices}
            onChange={(model) =>
              onChoose({ model, ...(draft.name === '' ? { name: shortName(model) } : {}) })
            }
          />
        )}
        <span role="status" className={styles['meta']}>
          {ask.isPending && 'Asking…'}
          {ask.data?.length === 0 && 'It names none.'}
        </span>
      </div>
      {ask.error && <ErrorNote error={ask.error} />}
    </>
  );
}
