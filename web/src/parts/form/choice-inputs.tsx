import type { ReactNode } from 'react';
import type { FieldInputProps } from './input-props.ts';
import { textOf, textsOf } from './field-spec.ts';
import styles from './form.module.css';

/** One of a few: all of them can be seen. */
export function ChoiceRadios({ field, value, onChange, marks }: FieldInputProps): ReactNode {
  const { choices = [], required } = field;
  const chosen = textOf(value);
  const all = required ? choices : [...choices, { value: '', label: 'Not said' }];
  return (
    <div className={styles['radios']}>
      {all.map((choice, at) => (
        <label key={choice.value} className={styles['radio']}>
          <input
            {...(at === 0 ? marks : { disabled: marks.disabled })}
            type="radio"
            name={marks.id}
            checked={chosen === choice.value}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}

/** Any number of several, in the order in which they are offered. */
export function ChoiceBoxes({ field, value, onChange, marks }: FieldInputProps): ReactNode {
  const { choices = [] } = field;
  const chosen = new Set(textsOf(value));
  const flip = (one: string): void => {
    const next = new Set(chosen);
    if (!next.delete(one)) next.add(one);
    onChange(choices.map((choice) => choice.value).filter((each) => next.has(each)));
  };
  const { required: _, ...own } = marks; // it would mean this very box
  return (
    <div className={styles['radios']}>
      {choices.map((choice, at) => (
        <label key={choice.value} className={styles['radio']}>
          <input
            {...(at === 0 ? own : { disabled: marks.disabled })}
            type="checkbox"
            checked={chosen.has(choice.value)}
            onChange={() => flip(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}
