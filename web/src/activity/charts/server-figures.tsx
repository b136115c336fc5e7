import type { ReactNode } from 'react';
import type { AuditSummary } from '../../hub/hub-context.tsx';
import { useServerNames } from '../../hub/server-names.ts';
import { Button } from '../../parts/button.tsx';
import { MeasureHeads } from './measure-heads.tsx';
import { MEASURES, seriesOf, type Measure, type Series } from './series.ts';
import styles from './charts.module.css';

interface ServerFiguresProps {
  readonly summary: AuditSummary;
  readonly parts: number;
  /** The busiest first. */
  readonly servers: readonly string[];
  readonly chosen: string;
  readonly onChoose: (server: string) => void;
}

const SHOWN_MAX = 8;

/** A line for each of the busiest servers; choosing one shows it above. */
export function ServerFigures({ summary, parts, servers, chosen, onChoose }: ServerFiguresProps): ReactNode {
  const nameOf = useServerNames();
  return (
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label="Figures by server">
      <table className={styles['servers']}>
        <MeasureHeads first="Server" />
        <tbody>
          {servers.slice(0, SHOWN_MAX).map((server) => {
            const series = seriesOf(summary, parts, server);
            const isChosen = server === chosen;
            return (
              <tr key={server}>
                <th scope="row">
                  <Button
                    look="quiet"
                    aria-pressed={isChosen}
                    onClick={() => onChoose(isChosen ? '' : server)}
                  >
                    {isChosen && '✓ '}
                    {nameOf(server)}
                  </Button>
                </th>
                {MEASURES.map((measure) => (
                  <td key={measure.id}>
                    <Spark measure={measure} series={series} />
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {servers.length > SHOWN_MAX && (
        <p className={styles['meta']}>
          The {SHOWN_MAX} busiest of {servers.length} servers.
        </p>
      )}
    </div>
  );
}

function Spark({ measure, series }: { readonly measure: Measure; readonly series: Series }): ReactNode {
  const values = series.parts.map(measure.of);
  const highest = Math.max(1, ...values);
  return (
    <span className={measure.id === 'failures' ? `${styles['spark']} ${styles['bad']}` : styles['spark']}>
      {measure.write(measure.total(series))}
      {/* The number says it; the drawing only says when. */}
      <svg viewBox={`0 0 ${values.length} 10`} preserveAspectRatio="none" aria-hidden="true">
        <path
          d={values
            .map((value, index) =>
              value === 0 ? '' : `M${index + 0.5} 10V${10 - Math.max(1, (value / highest) * 10)}`,
            )
            .join('')}
        />
      </svg>
    </span>
  );
}
