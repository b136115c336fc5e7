import { useState, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { LocalModels } from '../settings/local-models.tsx';
import { ModelForm } from '../settings/model-form.tsx';

/** Chat needs a model, and everything else does not. It is set up here, without leaving the chat. */
export function NoModel(): ReactNode {
  const [adding, setAdding] = useState(false);
  return (
    <>
      <EmptyState
        title="Chat needs a model"
        action={
          <Button look="primary" onClick={() => setAdding(true)}>
            Add a model
          </Button>
        }
      >
        Add your own: OpenAI, Anthropic, Google, or a model on this machine. Its key goes into the vault and
        is used only for this model.
      </EmptyState>
      <LocalModels />
      {adding && (
        <Dialog title="Add a model" open onClose={() => setAdding(false)} wide>
          <ModelForm model={undefined} onClose={() => setAdding(false)} />
        </Dialog>
      )}
    </>
  );
}
