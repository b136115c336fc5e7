import type { ComponentProps, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './button.module.css';

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly icon?: IconName;
  /** It is being done: the button stays, and does nothing until then. */
  readonly busy?: boolean;
}

export function Button({ look = 'plain', icon, busy = false, children, ...rest }: ButtonProps): ReactNode {
  const { className = '', disabled, ...given } = rest;
  return (
    <button
      type="button"
      {...given}
      className={`${styles['button']} ${styles[look]} ${className}`}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** What it does, in words: heard, and shown on hover. */
  readonly label: string;
  readonly icon: IconName;
}

export function IconButton({ label, icon, className = '', ...rest }: IconButtonProps): ReactNode {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={`${styles['button']} ${styles['quiet']} ${styles['square']} ${className}`}
    >
      <Icon name={icon} />
    </button>
  );
}
