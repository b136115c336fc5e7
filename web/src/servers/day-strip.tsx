import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { When } from '../parts/when.tsx';
import { counted } from '../parts/words.ts';
import type { ServerDay } from './use-day.ts';
import styles from './day-strip.module.css';

const BAR = 3;
const GAP = 1;
const HEIGHT = 14;
const LOW = 2;

/** The last day of a server, hour by hour, and who used it last. */
export function DayStrip({ day }: { readonly day: ServerDay }): ReactNode {
  const { hours, calls, failures, last } = day;
  const most = Math.max(1, ...hours.map((hour) => hour.calls));
  const width = hours.length * (BAR + GAP) - GAP;
  const says =
    calls === 0
      ? 'No calls in the last 24 hours'
      : `${counted(calls, 'call')} in the last 24 hours, ${failures === 0 ? 'none' : failures} failed`;
  return (
    <p className={styles['day']}>
      <svg width={width} height={HEIGHT} role="img" aria-label={says} className={styles['strip']}>
        <title>{says}</title>
        {hours.map((hour, index) => (
          <Hour
            // oxlint-disable-next-line react/no-array-index-key -- an hour is known by its place
            key={index}
            at={index * (BAR + GAP)}
            calls={hour.calls / most}
            failures={hour.failures / most}
          />
        ))}
      </svg>
      {last && (
        <span className={styles['last']}>
          Used <When at={last.at} /> by {showHidden(last.by)}
        </span>
      )}
    </p>
  );
}

interface HourProps {
  readonly at: number;
  /** As a share of the busiest hour. */
  readonly calls: number;
  readonly failures: number;
}

function Hour({ at, calls, failures }: HourProps): ReactNode {
  const heightOf = (share: number): number => (share === 0 ? 0 : Math.max(LOW, Math.round(share * HEIGHT)));
  const all = heightOf(calls);
  const bad = Math.min(all, heightOf(failures));
  return (
    <>
      <rect className={styles['none']} x={at} y={HEIGHT - 1} width={BAR} height={1} />
      <rect className={styles['calls']} x={at} y={HEIGHT - all} width={BAR} height={all - bad} />
      <rect className={styles['failures']} x={at} y={HEIGHT - bad} width={BAR} height={bad} />
    </>
  );
}
