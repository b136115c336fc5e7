import { useState, type ReactNode } from 'react';
import type { ModelView } from '../hub/hub-context.tsx';
import { keys, useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { Chip } from '../parts/chip.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { useToast } from '../parts/toasts.tsx';
import { PROVIDERS } from './providers.ts';
import styles from './settings.module.css';

interface ModelRowProps {
  readonly model: ModelView;
  readonly onEdit: () => void;
}

export function ModelRow({ model, onEdit }: ModelRowProps): ReactNode {
  const toast = useToast();
  const [asked, setAsked] = useState(false);
  const remove = useHubAction((hub, name: string) => hub.models.remove({ name }), [keys.models]);
  const choose = useHubAction((hub, name: string) => hub.models.setDefault({ name }), [keys.models]);
  const { name, isDefault, hasKey } = model;
  const failed = { onError: (error: unknown) => toast.bad(error) };
  return (
    <li className={styles['row']}>
      <div className={styles['what']}>
        <strong>{name}</strong> {isDefault && <Chip tone="info">default</Chip>}
        <p>{wordsOf(model)}</p>
      </div>
      {!isDefault && (
        <Button
          look="quiet"
          aria-label={`Make ${name} the default`}
          onClick={() => choose.mutate(name, failed)}
        >
          Make default
        </Button>
      )}
      <Button look="quiet" aria-label={`Edit ${name}`} onClick={onEdit}>
        Edit
      </Button>
      <Button look="quiet" aria-label={`Remove ${name}`} onClick={() => setAsked(true)}>
        Remove
      </Button>
      <Confirm
        title={`Remove ${name}?`}
        open={asked}
        onClose={() => setAsked(false)}
        does="Remove it"
        busy={remove.isPending}
        onConfirm={() => remove.mutate(name, { ...failed, onSettled: () => setAsked(false) })}
      >
        <p>{hasKey ? 'Its key is deleted, too.' : 'It has no key here.'}</p>
      </Confirm>
    </li>
  );
}

function wordsOf({ provider, model, url, hasKey, price, contextTokens }: ModelView): string {
  return [
    PROVIDERS[provider].label,
    model,
    url ?? '',
    hasKey ? 'key in the vault' : 'no key',
    price === undefined ? '' : `$${price.input} in, $${price.output} out per million tokens`,
    contextTokens === undefined ? '' : `reads ${contextTokens.toLocaleString('en')} tokens`,
  ]
    .filter((text) => text !== '')
    .join(' · ');
}
