import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { toPlugError } from '../../../src/base/errors.ts';
import { Icon } from './icon.tsx';
import { placeOf } from './remedy-place.ts';
import { wordsOf } from './remedy-words.ts';
import styles from './toasts.module.css';

/** Outcomes that cannot be seen where one is. Under the pointer or the focus they stay. */
export function ToastProvider({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Toast.Provider timeout={GOOD_MS} limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={styles['viewport']}>
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

const GOOD_MS = 5_000;
const BAD_MS = 10_000;

function Toasts(): ReactNode {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={`${styles['toast']} ${styles[toast.type ?? 'good']}`}>
      <div className={styles['words']}>
        <Toast.Title className={styles['title']} />
        <Toast.Description className={styles['more']} />
      </div>
      <Toast.Action className={styles['action']} />
      <Toast.Close className={styles['close']} aria-label="Dismiss">
        <Icon name="close" size={12} />
      </Toast.Close>
    </Toast.Root>
  ));
}

export interface SayToast {
  readonly good: (title: string, more?: string) => void;
  readonly bad: (error: unknown, action?: ToastAction) => void;
  readonly info: (title: string, more?: string, action?: ToastAction) => void;
}

export interface ToastAction {
  readonly label: string;
  readonly onClick: () => void;
}

/** A sentence is its own id: said again, it is the same toast for another while. */
export function useToast(): SayToast {
  const { add } = Toast.useToastManager();
  const [, go] = useLocation();
  const button = (action: ToastAction | undefined): object =>
    action === undefined ? {} : { actionProps: { children: action.label, onClick: action.onClick } };
  return {
    good: (title, description) => add({ id: title, title, description, type: 'good' }),
    info: (title, description, action) =>
      add({ id: title, title, description, type: 'info', ...button(action) }),
    bad: (error, action) => {
      const { message, remedy } = toPlugError(error);
      const place = remedy && placeOf(remedy);
      const does = action ?? (place && { label: place.label, onClick: () => go(place.to) });
      const description = does === undefined && remedy !== undefined ? wordsOf(remedy) : undefined;
      const urgent = { type: 'bad', timeout: BAD_MS, priority: 'high' } as const;
      add({ id: message, title: message, description, ...urgent, ...button(does) });
    },
  };
}
