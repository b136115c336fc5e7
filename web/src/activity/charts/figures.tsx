import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import { useHub } from '../../hub/hub-context.tsx';
import { useServerNames } from '../../hub/server-names.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Select } from '../../parts/select.tsx';
import { Switch } from '../../parts/switch.tsx';
import { appLabel } from '../call-words.ts';
import { SPANS, type Filters, type Span } from '../filters.ts';
import { BarChart } from './bar-chart.tsx';
import { FigureTable } from './figure-table.tsx';
import { MEASURES, seriesOf, serversOf } from './series.ts';
import { ServerFigures } from './server-figures.tsx';
import { ToolFigures } from './tool-figures.tsx';
import styles from './charts.module.css';

interface FiguresProps {
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
}

const AGAIN_MS = 30_000;

/** Calls, failures, time and tokens: drawn for all or for one server, then server by server. */
export function Figures({ filters, onChange }: FiguresProps): ReactNode {
  const { server, span, app } = filters;
  const hub = useHub();
  const nameOf = useServerNames();
  const [asTable, setAsTable] = useState(false);
  const { ms, parts } = SPANS[span];
  const { data, error } = useQuery({
    queryKey: ['audit-summary', span, app],
    queryFn: () => {
      const until = Date.now();
      return hub.audit.summary({
        since: until - ms,
        until,
        parts,
        ...(app === '' ? {} : { requester: app }),
      });
    },
    refetchInterval: AGAIN_MS,
    placeholderData: keepPreviousData,
  });
  const shown = data && seriesOf(data, parts, server);
  const servers = data === undefined ? [] : serversOf(data);
  return (
    <section className={styles['figures']} aria-labelledby="figures">
      <header className={styles['head']}>
        <h2 id="figures">
          {server === '' ? 'All servers' : nameOf(server)}
          {app !== '' && ` · ${showHidden(appLabel(app))}`}
        </h2>
        <div className={styles['choices']}>
          <Switch label="As a table" checked={asTable} onChange={setAsTable} shown />
          <Select label="Time" value={span} choices={TIMES} onChange={(next) => onChange({ span: next })} />
        </div>
      </header>
      {error && <ErrorNote error={error} />}
      {shown && asTable && <FigureTable series={shown} />}
      {shown && !asTable && (
        <div className={styles['charts']}>
          {MEASURES.map((measure) => (
            <BarChart key={measure.id} measure={measure} series={shown} />
          ))}
        </div>
      )}
      {data && servers.length > 1 && (
        <ServerFigures
          summary={data}
          parts={parts}
          servers={servers}
          chosen={server}
          onChoose={(next) => onChange({ server: next })}
        />
      )}
      {server !== '' && <ToolFigures filters={filters} onChange={onChange} />}
    </section>
  );
}

const TIMES = (Object.keys(SPANS) as Span[]).map((value) => ({ value, label: SPANS[value].label })); // its keys
