import type { FieldSpec, FieldValue } from './field-spec.ts';

/** What every control of a field carries. */
export interface Marks {
  readonly id: string;
  readonly disabled: boolean;
  readonly required: boolean;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

export interface FieldInputProps {
  readonly field: FieldSpec;
  readonly value: FieldValue | undefined;
  readonly onChange: (value: FieldValue) => void;
  readonly marks: Marks;
}
