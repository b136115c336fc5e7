import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { places } from '../frame/places.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import buttons from '../parts/button.module.css';

/** Chat needs a model, and everything else does not. */
export function NoModel(): ReactNode {
  return (
    <EmptyState
      title="Chat needs a model"
      action={
        <Link href={`${places.settings}/models`} className={`${buttons['button']} ${buttons['primary']}`}>
          Add a model
        </Link>
      }
    >
      Add your own: OpenAI, Anthropic, Google or any OpenAI-compatible API, such as Ollama on this machine.
      Its key goes into the vault and is used only for this model.
    </EmptyState>
  );
}
