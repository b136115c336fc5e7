import type { ReactNode } from 'react';
import type { ModelView } from '../hub/hub-context.tsx';
import { Select } from '../parts/select.tsx';

interface ModelChoiceProps {
  readonly models: readonly ModelView[];
  readonly model: string | undefined;
  /** Undefined: the default one, whichever that is. */
  readonly onChange: (model: string | undefined) => void;
}

export function ModelChoice({ models, model, onChange }: ModelChoiceProps): ReactNode {
  if (models.length === 0) return null;
  const usual = models.find(({ isDefault }) => isDefault) ?? models[0];
  const chosen = models.some(({ name }) => name === model) ? model : usual?.name;
  return (
    <Select
      label="Model"
      value={chosen ?? ''}
      choices={models.map(({ name }) => ({ value: name, label: name }))}
      onChange={(next) => onChange(next === usual?.name ? undefined : next)}
    />
  );
}
