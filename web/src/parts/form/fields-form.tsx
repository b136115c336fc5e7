import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '../button.tsx';
import { ErrorNote } from '../error-note.tsx';
import { problemsIn } from './check-fields.ts';
import { FieldList, focusFirstProblem } from './field-list.tsx';
import type { FieldSpec, FieldValues } from './field-spec.ts';
import { fieldProblemsOf } from './field-problems.ts';
import styles from './form.module.css';

interface FieldsFormProps {
  readonly fields: readonly FieldSpec[];
  readonly values: FieldValues;
  readonly onChange: (values: FieldValues) => void;
  /** Only called when everything that is needed is there and fits. */
  readonly onSubmit: () => void;
  readonly submitLabel?: string;
  readonly busy?: boolean;
  /** What the hub said to the last attempt. */
  readonly error?: unknown;
  /** Buttons beside the one that sends. */
  readonly actions?: ReactNode;
}

/** The one form of the page: of plans, of tools, and of what servers ask for. */
export function FieldsForm(props: FieldsFormProps): ReactNode {
  const { fields, values, onChange, onSubmit, submitLabel = 'Save', busy = false, error, actions } = props;
  const form = useRef<HTMLFormElement>(null);
  const [tried, setTried] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // A form inside another part of the page must not send that one, too.
    event.stopPropagation();
    setTried(true);
    if (busy) return;
    if (Object.keys(problemsIn(fields, values)).length === 0) onSubmit();
    else focusFirstProblem(form.current);
  };
  return (
    <form ref={form} className={styles['form']} onSubmit={submit} noValidate autoComplete="off">
      <FieldList
        fields={fields}
        values={values}
        onChange={onChange}
        showAll={tried}
        refused={fieldProblemsOf(error)}
        disabled={busy}
      />
      {error !== undefined && error !== null && <ErrorNote error={error} />}
      <div className={styles['actions']}>
        <Button type="submit" look="primary" busy={busy}>
          {submitLabel}
        </Button>
        {actions}
      </div>
    </form>
  );
}
