import { memo, useId, useState, type PointerEvent, type ReactNode } from 'react';
import { ago } from '../../parts/words.ts';
import { timeLabel, type Measure, type Series } from './series.ts';
import styles from './charts.module.css';

interface BarChartProps {
  readonly measure: Measure;
  readonly series: Series;
}

const WIDTH = 240;
const HEIGHT = 64;

/** One measure over the time. The number above says it all; the bars say when. */
export const BarChart = memo(function BarChart({ measure, series }: BarChartProps): ReactNode {
  const id = useId();
  const { since, partMs, parts } = series;
  const values = parts.map(measure.of);
  const highest = Math.max(0, ...values);
  const total = measure.write(measure.total(series));
  const peak = parts[values.indexOf(highest)];
  const spanMs = partMs * parts.length;
  const [over, setOver] = useState<number>();
  const pointed = over === undefined ? undefined : parts[over];
  const point = (event: PointerEvent<SVGSVGElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = Math.floor(((event.clientX - left) / width) * parts.length);
    setOver(Math.max(0, Math.min(parts.length - 1, at)));
  };
  return (
    <figure className={styles['chart']}>
      <figcaption>
        <span>{measure.label}</span>
        {pointed === undefined ? (
          <strong>{total}</strong>
        ) : (
          <span className={styles['pointed']}>
            {timeLabel(pointed.at, spanMs)} <strong>{measure.write(measure.of(pointed))}</strong>
          </span>
        )}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={`${id}-title ${id}-desc`}
        className={measure.id === 'failures' ? styles['bad'] : undefined}
        onPointerMove={point}
        onPointerLeave={() => setOver(undefined)}
      >
        <title id={`${id}-title`}>{measure.label}</title>
        <desc id={`${id}-desc`}>
          {highest === 0 || peak === undefined
            ? 'Nothing in this period.'
            : `${total} in all; the highest is ${measure.write(highest)} at ${timeLabel(peak.at, spanMs)}.`}
        </desc>
        {over !== undefined && (
          <rect
            className={styles['column']}
            x={(over * WIDTH) / parts.length}
            y="0"
            width={WIDTH / parts.length}
            height={HEIGHT}
          />
        )}
        <Bars series={series} values={values} highest={highest} />
        <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className={styles['axis']} />
      </svg>
      <div className={styles['scale']} aria-hidden="true">
        <span>{ago(since, since + spanMs)}</span>
        <span className={styles['highest']}>{highest > 0 && `highest ${measure.write(highest)}`}</span>
        <span>now</span>
      </div>
    </figure>
  );
});

interface BarsProps {
  readonly series: Series;
  readonly values: readonly number[];
  readonly highest: number;
}

function Bars({ series: { parts }, values, highest }: BarsProps): ReactNode {
  const step = WIDTH / parts.length;
  return values.map((value, index) => {
    const at = parts[index]?.at ?? 0;
    if (value === 0) return null;
    const height = Math.max(2, (value / highest) * (HEIGHT - 2));
    return (
      <rect
        key={at}
        x={index * step}
        y={HEIGHT - height}
        width={Math.max(1, step - 1)}
        height={height}
        rx="1"
      />
    );
  });
}
