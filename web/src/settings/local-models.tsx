import { useState, type ReactNode } from 'react';
import type { FoundModels } from '../hub/hub-context.tsx';
import { keys, useHubAction, useHubQuery } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Select } from '../parts/select.tsx';
import { useToast } from '../parts/toasts.tsx';
import { shortName } from './model-draft.ts';
import styles from './settings.module.css';

/** Models that run on this machine, found by asking; one click sets one up. */
export function LocalModels(): ReactNode {
  const { data } = useHubQuery(['local-models'], (hub) => hub.models.found(), {
    refetchOnMount: 'always',
  });
  const known = useHubQuery(keys.models, (hub) => hub.models.list()).data ?? [];
  const found = (data ?? []).filter(({ url }) => !known.some((model) => model.url === url));
  if (found.length === 0) return null;
  return (
    <ul className={styles['rows']} aria-label="Found on this machine">
      {found.map((each) => (
        <LocalProgram key={each.program} found={each} />
      ))}
    </ul>
  );
}

function LocalProgram({ found: { program, url, models } }: { readonly found: FoundModels }): ReactNode {
  const toast = useToast();
  const [model, setModel] = useState(models[0] ?? '');
  const save = useHubAction(
    (hub) => hub.models.save({ name: shortName(model), provider: 'compatible', model, url }),
    [keys.models],
  );
  const use = (): void =>
    save.mutate(undefined, {
      onSuccess: (saved) => toast.good(`${saved.name} is ready`),
    });
  return (
    <li className={styles['row']}>
      <span>
        <strong>{program}</strong> runs on this machine
      </span>
      <span className={styles['buttons']}>
        <Select
          label={`Models of ${program}`}
          value={model}
          choices={models.map((value) => ({ value, label: value }))}
          onChange={setModel}
        />
        <Button look="primary" busy={save.isPending} onClick={use}>
          Use
        </Button>
      </span>
      {save.error && <ErrorNote error={save.error} />}
    </li>
  );
}
