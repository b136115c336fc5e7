import type { ReactNode } from 'react';
import { MeasureHeads } from './measure-heads.tsx';
import { MEASURES, type Series } from './series.ts';
import styles from './charts.module.css';

/** The same as the charts, in numbers; parts in which nothing happened are left out. */
export function FigureTable({ series }: { readonly series: Series }): ReactNode {
  const busy = series.parts.filter(({ calls }) => calls > 0).toReversed();
  if (busy.length === 0) return <p className={styles['meta']}>No calls in this period.</p>;
  return (
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label="Figures as a table">
      <table className={styles['numbers']}>
        <MeasureHeads first="From" />
        <tbody>
          {busy.map((part) => (
            <tr key={part.at}>
              <th scope="row">{new Date(part.at).toLocaleString()}</th>
              {MEASURES.map((measure) => (
                <td key={measure.id}>{measure.write(measure.of(part))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
