import { memo, useState, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { AuditRecord } from '../hub/hub-context.tsx';
import { useServerNames } from '../hub/server-names.ts';
import { Chip } from '../parts/chip.tsx';
import { Icon } from '../parts/icon.tsx';
import { When } from '../parts/when.tsx';
import { duration } from '../parts/words.ts';
import { CallDetails } from './call-details.tsx';
import { appWords } from './call-words.ts';
import { OUTCOMES } from './filters.ts';
import styles from './activity.module.css';

/** One call in a line; all that is known of it below, for who wants it. */
export const CallRow = memo(function CallRow({ call }: { readonly call: AuditRecord }): ReactNode {
  const [open, setOpen] = useState(false);
  const nameOf = useServerNames();
  const { tone, symbol, word } = OUTCOMES[call.outcome];
  return (
    <li className={styles['row']}>
      <button type="button" className={styles['line']} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className={open ? styles['turned'] : undefined}>
          <Icon name="right" size={12} />
        </span>
        <span className={styles['what']}>
          <strong>{showHidden(call.tool)}</strong> <span>{nameOf(call.server)}</span>{' '}
          <span className={styles['by']}>· {showHidden(appWords(call.requester))}</span>
        </span>
        <Chip tone={tone}>
          <span aria-hidden="true">{symbol}</span> {word}
        </Chip>
        <span className={styles['took']}>
          {call.waitedMs !== undefined && (
            <span title="Waiting for an answer">wait {duration(call.waitedMs)} + </span>
          )}
          {duration(call.durationMs)}
        </span>
        <span className={styles['at']}>
          <When at={call.at} />
        </span>
      </button>
      {open && <CallDetails call={call} />}
    </li>
  );
});
