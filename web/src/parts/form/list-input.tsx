import { useRef, type ReactNode } from 'react';
import { Button, IconButton } from '../button.tsx';
import type { Marks } from './input-props.ts';
import { LineInput } from './line-input.tsx';
import type { FieldSpec } from './field-spec.ts';
import styles from './form.module.css';

interface ListInputProps {
  readonly field: FieldSpec;
  readonly items: readonly string[];
  readonly onChange: (items: readonly string[]) => void;
  readonly marks: Marks;
}

/** Texts or paths, one a line; there is always a line to type in. */
export function ListInput({ field, items, onChange, marks }: ListInputProps): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  const lines = items.length === 0 ? [''] : items;
  const one = field.paths ? 'path' : 'item';
  const focusLine = (at: number): void => {
    window.requestAnimationFrame(() =>
      list.current?.querySelectorAll<HTMLElement>('input, textarea')[at]?.focus(),
    );
  };
  const add = (): void => {
    onChange([...lines, '']);
    focusLine(lines.length);
  };
  const remove = (at: number): void => {
    onChange(lines.filter((_, index) => index !== at));
    focusLine(Math.max(0, at - 1));
  };
  const { id, required: _, ...shared } = marks;
  return (
    <div className={styles['items']} ref={list}>
      {lines.map((line, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a line is its place: texts may be equal
        <span key={at} className={styles['item']}>
          <LineInput
            {...shared}
            id={at === 0 ? id : undefined}
            aria-label={`${field.label}, ${one} ${at + 1}`}
            className={`${styles['input']} ${field.paths ? styles['code'] : ''}`}
            placeholder={field.placeholder}
            autoComplete="off"
            spellCheck={false}
            value={line}
            onChange={(text) => onChange(lines.map((each, index) => (index === at ? text : each)))}
          />
          {lines.length > 1 && (
            <IconButton
              label={`Remove ${one} ${at + 1} of ${field.label}`}
              icon="close"
              disabled={marks.disabled}
              onClick={() => remove(at)}
            />
          )}
        </span>
      ))}
      <Button look="quiet" icon="plus" onClick={add} disabled={marks.disabled}>
        Add {one === 'path' ? 'a path' : 'another'}
      </Button>
    </div>
  );
}
