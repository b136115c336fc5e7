import { useState, type ReactNode } from 'react';
import { isObject } from '../../../../src/base/json.ts';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import type { Json, JsonObject } from '../../hub/hub-context.tsx';
import { Icon } from '../../parts/icon.tsx';
import styles from './offers.module.css';

interface OfferRowProps {
  /** As the server sent it. */
  readonly definition: JsonObject;
  /** What it is addressed by. */
  readonly address: string;
  readonly children: () => ReactNode;
}

/** A resource or prompt in a line, with what it is; unfolds to what can be done with it. */
export function OfferRow({ definition, address, children }: OfferRowProps): ReactNode {
  const [open, setOpen] = useState(false);
  const title = textIn(definition, 'title') ?? textIn(definition, 'name') ?? address;
  const about = textIn(definition, 'description');
  return (
    <li className={styles['row']}>
      <button type="button" className={styles['line']} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className={open ? styles['turned'] : undefined}>
          <Icon name="right" size={12} />
        </span>
        <span className={styles['words']}>
          <span className={styles['title']}>{showHidden(title)}</span>
          <span className={styles['about']}>{showHidden((about ?? address).slice(0, ABOUT_CHARS))}</span>
        </span>
      </button>
      {open && (
        <div className={styles['more']}>
          {title !== address && <code className={styles['address']}>{showHidden(address)}</code>}
          {children()}
        </div>
      )}
    </li>
  );
}

const ABOUT_CHARS = 200;

/** A server may send anything. */
export function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((each: Json): each is JsonObject => isObject(each)) : [];
}

export function textIn(definition: JsonObject, field: string): string | undefined {
  const value = definition[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
