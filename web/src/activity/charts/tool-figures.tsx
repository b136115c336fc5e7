import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import { useHub } from '../../hub/hub-context.tsx';
import { Button } from '../../parts/button.tsx';
import { duration, shortNumber } from '../../parts/words.ts';
import { SPANS, type Filters } from '../filters.ts';
import styles from './charts.module.css';

interface ToolFiguresProps {
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
}

const SHOWN_MAX = 10;

/** Which tools of a server are called most, fail, and cost; choosing one lists its calls. */
export function ToolFigures({ filters: { server, span, tool, app }, onChange }: ToolFiguresProps): ReactNode {
  const hub = useHub();
  const { ms } = SPANS[span];
  const { data } = useQuery({
    queryKey: ['audit-summary', span, app, server, 'tools'],
    queryFn: () => {
      const until = Date.now();
      const of = app === '' ? {} : { requester: app };
      return hub.audit.summary({ since: until - ms, until, parts: 1, server, byTool: true, ...of });
    },
    placeholderData: keepPreviousData,
  });
  const rows = (data?.rows ?? []).toSorted((a, b) => b.calls - a.calls);
  if (rows.length === 0) return null;
  return (
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label="Figures by tool">
      <table className={styles['numbers']}>
        <thead>
          <tr>
            {['Tool', 'Calls', 'Failures', 'Mean time', 'Tokens'].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN_MAX).map(({ tool: name = '', calls, failures, meanMs, tokens }) => (
            <tr key={name}>
              <th scope="row">
                <Button
                  look="quiet"
                  aria-pressed={name === tool}
                  onClick={() => onChange({ tool: name === tool ? '' : name })}
                >
                  {name === tool && '✓ '}
                  {showHidden(name)}
                </Button>
              </th>
              <td>{shortNumber(calls)}</td>
              <td>{shortNumber(failures)}</td>
              <td>{duration(meanMs)}</td>
              <td>{shortNumber(tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > SHOWN_MAX && (
        <p className={styles['meta']}>
          The {SHOWN_MAX} most used of {rows.length} tools.
        </p>
      )}
    </div>
  );
}
