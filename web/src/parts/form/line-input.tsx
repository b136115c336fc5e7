import { useEffect, useRef, useState, type ClipboardEvent, type ComponentProps, type ReactNode } from 'react';
import styles from './form.module.css';

interface LineInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'ref' | 'onPaste'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Only dots are shown. */
  readonly covered?: boolean;
}

/**
 * A field of one line, which becomes an area as soon as its text has a second one: a browser takes line
 * breaks out of what a field of one line holds, and a note or a private key would be destroyed.
 */
export function LineInput({ value, onChange, covered = false, ...props }: LineInputProps): ReactNode {
  const hasLines = value.includes('\n');
  const [isArea, setIsArea] = useState(hasLines);
  const area = useRef<HTMLTextAreaElement>(null);
  const focusAt = useRef<number>(undefined);
  // It stays an area for as long as it is there: a field that changes under the hands loses the cursor.
  if (hasLines && !isArea) setIsArea(true);
  useEffect(() => {
    if (!isArea || focusAt.current === undefined) return;
    area.current?.focus();
    area.current?.setSelectionRange(focusAt.current, focusAt.current);
    focusAt.current = undefined;
  }, [isArea, value]);
  if (isArea) {
    const {
      type: _,
      inputMode: __,
      className = '',
      ...shared
    } = props as ComponentProps<'textarea'> & {
      type?: string;
    }; // the attributes that both have, and two that only a field of one line has
    return (
      <textarea
        {...shared}
        ref={area}
        className={`${className} ${styles['area']} ${covered ? styles['covered'] : ''}`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const pasted = event.clipboardData.getData('text').replaceAll('\r\n', '\n').replace(/\n+$/, '');
    if (!pasted.includes('\n')) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
    focusAt.current = from + pasted.length;
    onChange(value.slice(0, from) + pasted + value.slice(to));
  };
  return (
    <input
      {...props}
      type={covered ? 'password' : props.type}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onPaste={paste}
    />
  );
}
