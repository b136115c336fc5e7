import { useId, type ReactNode } from 'react';
import { Icon } from '../icon.tsx';
import { FieldInput } from './field-input.tsx';
import { RADIOS_MAX, valueOf, type FieldSpec, type FieldValue, type FieldValues } from './field-spec.ts';
import styles from './form.module.css';

interface FieldProps {
  readonly field: FieldSpec;
  readonly values: FieldValues;
  readonly problem: string | undefined;
  readonly disabled: boolean;
  readonly onChange: (value: FieldValue) => void;
  readonly onLeave: () => void;
}

/** What is asked for, why, the place to type it, and what is wrong with what is there. */
export function Field({ field, values, problem, disabled, onChange, onLeave }: FieldProps): ReactNode {
  const id = useId();
  const more = [field.description, hintOf(field)].filter((text) => text !== undefined).join('\n');
  const about = [more && `${id}-more`, problem && `${id}-problem`].filter(Boolean).join(' ');
  const input = (
    <FieldInput
      field={field}
      value={valueOf(field, values)}
      onChange={onChange}
      marks={{
        id,
        disabled,
        required: field.required,
        'aria-invalid': problem !== undefined,
        'aria-describedby': about === '' ? undefined : about,
      }}
    />
  );
  const Around = isGroup(field) ? 'fieldset' : 'div';
  const name = (
    <>
      {field.label}{' '}
      {!field.required && (
        <span className={styles['required']}>{field.kept ? '(kept as pasted)' : '(optional)'}</span>
      )}
    </>
  );
  return (
    <Around
      className={styles['field']}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && onLeave()}
    >
      {isGroup(field) ? (
        <legend className={styles['label']}>{name}</legend>
      ) : (
        <label className={styles['label']} htmlFor={id}>
          {name}
        </label>
      )}
      {more && (
        <p id={`${id}-more`} className={styles['description']}>
          {more}
        </p>
      )}
      {input}
      <div id={`${id}-problem`} role="status" className={styles['said']}>
        {problem !== undefined && (
          <p className={styles['problem']}>
            <Icon name="warn" /> {problem}
          </p>
        )}
      </div>
    </Around>
  );
}

/** Several controls under one name. */
function isGroup({ kind, choices = [] }: FieldSpec): boolean {
  return kind === 'list' || kind === 'choices' || (kind === 'choice' && choices.length <= RADIOS_MAX);
}

function hintOf({ kind, pattern, paths, folder }: FieldSpec): string | undefined {
  if (folder) return 'A folder on the machine where the hub runs.';
  if (kind === 'file' || paths) return 'A path on the machine where the hub runs.';
  if (kind === 'json') return 'Written as JSON.';
  return pattern === undefined ? undefined : `Has to look like ${pattern}`;
}
