import { memo, useState, type ReactNode } from 'react';
import { sizeInWords } from '../../../../src/base/size-in-words.ts';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import type { TrafficMessage } from '../../hub/hub-context.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { CutText } from '../../parts/cut-text.tsx';
import { Switch } from '../../parts/switch.tsx';
import { duration } from '../../parts/words.ts';
import { parsed } from './as-test.ts';
import styles from './traffic.module.css';

interface TrafficRowProps {
  readonly message: TrafficMessage;
  /** The code of a test that repeats it, made when it is wanted. */
  readonly testOf: (message: TrafficMessage) => string | undefined;
}

/** One message in a line: when, which way, what, how long it took; all of it below. */
export const TrafficRow: (props: TrafficRowProps) => ReactNode = memo(function TrafficRow({
  message,
  testOf,
}: TrafficRowProps): ReactNode {
  const [open, setOpen] = useState(false);
  const { at, from, kind, method, id, tookMs, chars } = message;
  const what = method === undefined ? KINDS[kind] : showHidden(method);
  return (
    <li className={styles['row']} data-kind={kind}>
      <button type="button" className={styles['line']} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className={styles['at']}>{timeOf(at)}</span>
        <span className={styles['way']} data-from={from} title={WAYS[from]}>
          <span aria-hidden="true">{from === 'hub' ? '→' : '←'}</span>
          <span className="only-heard">{WAYS[from]}</span>
        </span>
        <span className={styles['method']}>
          <span>{what}</span> <span className={styles['kind']}>{KINDS[kind]}</span>
        </span>
        <span className={styles['meta']}>
          {id !== undefined && <span title="Id of the request">#{showHidden(id.slice(0, 12))}</span>}
          <span>{tookMs === undefined ? '' : duration(tookMs)}</span>
          <span>{sizeInWords(chars)}</span>
        </span>
      </button>
      {open && <Whole message={message} testOf={testOf} />}
    </li>
  );
});

function Whole({ message, testOf }: TrafficRowProps): ReactNode {
  const [raw, setRaw] = useState(false);
  const value = parsed(message);
  const shown = raw || value === undefined ? message.text : JSON.stringify(value, undefined, 2);
  const test = testOf(message);
  const isCut = message.text.length < message.chars;
  return (
    <div className={styles['whole']}>
      <div className={styles['bar']}>
        {value !== undefined && <Switch label="Raw" shown checked={raw} onChange={setRaw} />}
        <CopyButton text={shown} label="Copy message" />
        {test !== undefined && <CopyButton text={test} label="Copy as test" />}
      </div>
      {isCut && (
        <p className={styles['note']}>Only its beginning is kept: it has {sizeInWords(message.chars)}.</p>
      )}
      <CutText text={showHidden(shown)} />
    </div>
  );
}

const KINDS: Readonly<Record<TrafficMessage['kind'], string>> = {
  request: 'request',
  result: 'result',
  error: 'error',
  notification: 'notification',
};

const WAYS: Readonly<Record<TrafficMessage['from'], string>> = {
  hub: 'To the server',
  server: 'From the server',
};

function timeOf(at: number): string {
  const date = new Date(at);
  return `${date.toLocaleTimeString('en', { hour12: false })}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
