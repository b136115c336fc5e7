import type { ReactNode } from 'react';
import { useHubQuery } from '../hub/queries.ts';
import { BRAND_MARKS } from './brand-marks.ts';
import styles from './server-icon.module.css';

interface ServerIconProps {
  readonly id: string;
  readonly name: string;
  readonly hasIcon?: boolean | undefined;
  /** The well-known server that it is, by what it runs or contacts; a name alone makes no brand. */
  readonly featured?: string | undefined;
}

/** The picture that a server declares, fetched by the hub; else its brand; else its initials. */
export function ServerIcon({ id, name, hasIcon = false, featured }: ServerIconProps): ReactNode {
  const { data } = useHubQuery(['icon', id], (hub) => hub.servers.icon({ id }), { enabled: hasIcon });
  if (hasIcon && data?.data !== undefined && data.mimeType !== undefined) {
    return <img className={styles['icon']} src={`data:${data.mimeType};base64,${data.data}`} alt="" />;
  }
  if (featured !== undefined && Object.hasOwn(BRAND_MARKS, featured)) {
    return (
      // In the brand's own color, on white in both schemes as brands are made for it.
      <span className={`${styles['icon']} ${styles['brand']}`} data-brand={featured} aria-hidden="true">
        <img src={`/brand-${BRAND_MARKS[featured]}.svg`} width={18} height={18} alt="" />
      </span>
    );
  }
  return (
    <span className={styles['icon']} data-tint={tintOf(id)} aria-hidden="true">
      {initials(name)}
    </span>
  );
}

/** The same server has the same color on every page. */
function tintOf(id: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  return sum % TINTS;
}

const TINTS = 6;

/** Of the first two words, as people abbreviate them; a name may begin with anything, and end in a number. */
function initials(name: string): string {
  const [first = '?', second = ''] = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  return (firstOf(first) + (/^\p{L}/u.test(second) ? firstOf(second) : '')).toUpperCase();
}

function firstOf(word: string): string {
  return String.fromCodePoint(word.codePointAt(0) ?? 0);
}
