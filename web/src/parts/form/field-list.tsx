import { useState, type ReactNode } from 'react';
import { problemsIn, type Problems } from './check-fields.ts';
import { Field } from './field.tsx';
import type { FieldSpec, FieldValues } from './field-spec.ts';
import styles from './form.module.css';

interface FieldListProps {
  readonly fields: readonly FieldSpec[];
  readonly values: FieldValues;
  readonly onChange: (values: FieldValues) => void;
  /** Show what is missing everywhere, not only where somebody has been. */
  readonly showAll?: boolean;
  /** What the hub refused. */
  readonly refused?: Problems;
  readonly disabled?: boolean;
}

/** The fields of a form without its buttons. */
export function FieldList(props: FieldListProps): ReactNode {
  const { fields, values, onChange, showAll = false, refused = {}, disabled = false } = props;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const problems = problemsIn(fields, values);
  return (
    <div className={styles['fields']}>
      {fields.map((field) => (
        <Field
          key={field.id}
          field={field}
          values={values}
          problem={(showAll || left.has(field.id) ? problems[field.id] : undefined) ?? refused[field.id]}
          disabled={disabled}
          onChange={(value) => onChange({ ...values, [field.id]: value })}
          onLeave={() => !left.has(field.id) && setLeft(new Set([...left, field.id]))}
        />
      ))}
    </div>
  );
}

/** Brings whoever tried to send to what is missing. */
export function focusFirstProblem(form: HTMLElement | null): void {
  // The marks appear with the next rendering.
  window.requestAnimationFrame(() => {
    const wrong = form?.querySelector('[aria-invalid="true"]');
    if (wrong instanceof HTMLElement) wrong.focus();
  });
}
