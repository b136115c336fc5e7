import type { ReactNode } from 'react';
import { SecretField } from '../secret-field.tsx';
import { Select } from '../select.tsx';
import { Switch } from '../switch.tsx';
import { ChoiceBoxes, ChoiceRadios } from './choice-inputs.tsx';
import { RADIOS_MAX, textOf, textsOf } from './field-spec.ts';
import type { FieldInputProps } from './input-props.ts';
import { LineInput } from './line-input.tsx';
import { ListInput } from './list-input.tsx';
import { SecretSource } from './secret-source.tsx';
import styles from './form.module.css';

/** The control that fits the kind of a field. */
export function FieldInput({ field, value, onChange, marks }: FieldInputProps): ReactNode {
  const { kind, label, placeholder, choices = [] } = field;
  const text = textOf(value);
  const typed = { ...marks, placeholder, autoComplete: 'off', spellCheck: false };
  switch (kind) {
    case 'secret':
      if (field.elsewhere) return <SecretSource field={field} onChange={onChange} marks={marks} />;
      return (
        <SecretField {...marks} label={label} placeholder={placeholder} value={text} onChange={onChange} />
      );
    case 'boolean':
      return (
        <Switch
          id={marks.id}
          label={label}
          checked={value === true || value === 'true'}
          onChange={onChange}
          disabled={marks.disabled}
        />
      );
    case 'choice':
      if (choices.length <= RADIOS_MAX) return <ChoiceRadios {...{ field, value, onChange, marks }} />;
      return (
        <Select
          id={marks.id}
          label={label}
          value={text}
          choices={[...(field.required && text !== '' ? [] : [UNSAID]), ...choices]}
          onChange={onChange}
          disabled={marks.disabled}
        />
      );
    case 'choices':
      return <ChoiceBoxes {...{ field, value, onChange, marks }} />;
    case 'list':
      return <ListInput field={field} items={textsOf(value)} onChange={onChange} marks={marks} />;
    case 'long-text':
    case 'json':
      return (
        <textarea
          {...typed}
          className={`${styles['input']} ${styles['area']} ${kind === 'json' ? styles['code'] : ''}`}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case 'number':
    case 'text':
    case 'file':
      break;
  }
  return (
    <LineInput
      {...typed}
      className={`${styles['input']} ${LOOKS[kind]}`}
      type={kind === 'number' ? 'text' : (TYPES[field.format ?? 'none'] ?? 'text')}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      value={text}
      onChange={onChange}
    />
  );
}

const UNSAID = { value: '', label: 'Not said' };

const LOOKS = { number: styles['number'], text: '', file: styles['code'] } as const;

const TYPES: Readonly<Record<string, string>> = { email: 'email', uri: 'url', date: 'date' };
