import type { ReactNode } from 'react';
import { BRAND_MARKS } from './brand-marks.ts';
import styles from './server-icon.module.css';

interface BrandMarkProps {
  /** The well-known server that it is. */
  readonly featured: string;
  /** For a server whose brand isn't known here. */
  readonly otherwise: ReactNode;
}

/** In the brand's own color, on white in both schemes as brands are made for it. */
export default function BrandMark({ featured, otherwise }: BrandMarkProps): ReactNode {
  const mark = Object.hasOwn(BRAND_MARKS, featured) ? BRAND_MARKS[featured] : undefined;
  if (mark === undefined) return otherwise;
  return (
    <span className={`${styles['icon']} ${styles['brand']}`} data-brand={featured} aria-hidden="true">
      <svg viewBox="0 0 24 24" width="18" height="18" fill={`#${mark.hex}`}>
        <path d={mark.path} />
      </svg>
    </span>
  );
}
