import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { places } from '../frame/places.ts';
import { keys, useHubQuery } from '../hub/queries.ts';
import { Select } from '../parts/select.tsx';
import { setModel, useTalk } from './talk.ts';
import styles from './setup.module.css';

/** Says whether a model takes part, and which. It works without one. */
export function AnsweredBy(): ReactNode {
  const { model } = useTalk();
  const { data } = useHubQuery(keys.models, (hub) => hub.models.list());
  if (data === undefined) return <span />;
  if (data.length === 0) {
    return (
      <p className={styles['meta']}>
        Works without a model. <Link href={`${places.settings}/models`}>Add one</Link> to talk more freely.
      </p>
    );
  }
  const usual = data.find(({ isDefault }) => isDefault) ?? data[0];
  const known = model === 'none' || data.some(({ name }) => name === model);
  return (
    <Select
      label="Who answers"
      value={known ? (model ?? '') : (usual?.name ?? '')}
      choices={[
        ...data.map(({ name }) => ({ value: name, label: name })),
        { value: 'none', label: 'Without a model' },
      ]}
      onChange={(next) => setModel(next === usual?.name ? undefined : next)}
    />
  );
}
