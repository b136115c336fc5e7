import { useState, type ReactNode } from 'react';
import type { ModelProvider, ModelView, NewModel } from '../hub/hub-context.tsx';
import { keys, useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Select } from '../parts/select.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useToast } from '../parts/toasts.tsx';
import { modelOf, type ModelDraft } from './model-draft.ts';
import { OfferedModels } from './offered-models.tsx';
import { PROVIDER_CHOICES, PROVIDERS } from './providers.ts';
import styles from './settings.module.css';

interface ModelFormProps {
  /** Absent: a new one. */
  readonly model: ModelView | undefined;
  readonly onClose: () => void;
}

/** Where a model is, what it is called there, and the key, which goes into the vault. */
export function ModelForm({ model, onClose }: ModelFormProps): ReactNode {
  const toast = useToast();
  const [draft, setDraft] = useState<ModelDraft>(() => draftOf(model));
  const save = useHubAction((hub, given: NewModel) => hub.models.save(given), [keys.models]);
  const set = (change: Partial<ModelDraft>): void => setDraft({ ...draft, ...change });
  const { needsUrl, needsKey } = PROVIDERS[draft.provider];
  const ready =
    draft.name.trim() !== '' && draft.model.trim() !== '' && (!needsUrl || draft.url.trim() !== '');
  return (
    <form
      className={styles['card']}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(modelOf(draft), {
          onSuccess: ({ name }) => {
            toast.good(`${name} is ready to talk to`);
            onClose();
          },
        });
      }}
    >
      <h3>{model === undefined ? 'Add a model' : `Edit ${model.name}`}</h3>
      <div className={styles['label']}>
        Provider
        <Select<ModelProvider>
          label="Provider"
          value={draft.provider}
          choices={PROVIDER_CHOICES}
          onChange={(provider) => set({ provider })}
        />
      </div>
      <div className={styles['two']}>
        <TextField
          label={needsUrl ? 'Address' : 'Address (optional)'}
          placeholder={needsUrl ? 'http://127.0.0.1:11434/v1' : 'Its own'}
          value={draft.url}
          onChange={(url) => set({ url })}
        />
        <TextField
          label={needsKey ? 'Key' : 'Key (if needed)'}
          type="password"
          autoComplete="new-password"
          placeholder={model?.hasKey === true ? 'Kept as it is' : ''}
          value={draft.key}
          onChange={(key) => set({ key })}
          hint="It goes into the vault and is never shown again."
        />
      </div>
      <OfferedModels draft={draft} onChoose={(chosen) => set(chosen)} />
      <div className={styles['two']}>
        <TextField label="Model" value={draft.model} onChange={(next) => set({ model: next })} />
        <TextField
          label="Your name for it"
          placeholder="fast"
          value={draft.name}
          disabled={model !== undefined}
          onChange={(name) => set({ name })}
        />
        <TextField
          label="Price of input ($ per million tokens)"
          inputMode="decimal"
          value={draft.input}
          onChange={(input) => set({ input })}
        />
        <TextField
          label="Price of output"
          inputMode="decimal"
          value={draft.output}
          onChange={(output) => set({ output })}
        />
      </div>
      {save.error && <ErrorNote error={save.error} />}
      <div className={styles['buttons']}>
        <Button type="submit" look="primary" disabled={!ready} busy={save.isPending}>
          Save model
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

function draftOf(model: ModelView | undefined): ModelDraft {
  return {
    name: model?.name ?? '',
    provider: model?.provider ?? 'anthropic',
    model: model?.model ?? '',
    url: model?.url ?? '',
    key: '',
    input: model?.price === undefined ? '' : String(model.price.input),
    output: model?.price === undefined ? '' : String(model.price.output),
    contextTokens: model?.contextTokens,
  };
}
